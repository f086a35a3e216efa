"""Structure to extents: candidates, selectors, fallback breaks, overlap, merge, context."""
