"""Which files a path means, and the formats that are written."""
