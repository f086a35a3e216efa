"""How big a range of a source is: units, prefix sums, encodings."""
