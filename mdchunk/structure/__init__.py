"""Tokens to Structure: boundaries, spans and headings. Nothing else reads Markdown."""
