"""Files read and written: what a path means, records in each format, an index kept in step."""
