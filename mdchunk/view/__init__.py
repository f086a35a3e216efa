"""The cuts drawn for a terminal and as a page; statistics and differences."""

from mdchunk.view.text import boundaries, gutter, rows

__all__ = ["boundaries", "gutter", "rows"]
