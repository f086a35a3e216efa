"""Source to tokens: the parser, front matter, and the text of headings."""
