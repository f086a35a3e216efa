"""``python -m mdchunk``."""

from mdchunk.cli import main

if __name__ == "__main__":
    main()
