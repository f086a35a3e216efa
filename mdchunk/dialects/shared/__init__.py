"""What several dialects share: lines of containers, tags, pairs of marks."""
