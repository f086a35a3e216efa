"""mdchunk splits Markdown into exact, bounded, structure-aware chunks for search and retrieval."""
