"""What a reader sees of a document, and where in the source each piece of it stands."""
