"""The commands, one a file; ``run`` holds what they share."""
