"""Turn a CommonMark-style spec.txt into the JSON examples under fixtures/.

    python tools/spec_examples.py spec.txt fixtures/commonmark/spec-0.31.2.json
    python tools/spec_examples.py --extensions spec.txt fixtures/gfm/spec-0.29.json

The text is the one that the spec's own package ships; its licence stands beside the JSON.
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

# One pass over headings and examples, as the spec's own extractor does it. An example's info
# string ("example table", "example disabled") is dropped: GitHub disables the task list examples
# because their HTML differs by host, yet they are part of the spec and count in its numbering.
ITEM = re.compile(
    r"^`{32} example[^\n]*\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$"
    r"|^#{1,6} +(?P<section>[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
END = "<!-- END TESTS -->"


def examples(spec: str) -> Iterator[dict[str, object]]:
    """Yield the examples of a spec text in order, numbered from 1."""
    section, number = "", 0
    for item in ITEM.finditer(spec.partition(END)[0]):
        if item["section"] is not None:
            section = item["section"].strip()
            continue
        number += 1
        yield {
            "markdown": item["markdown"].replace("→", "\t"),
            "html": item["html"].replace("→", "\t"),
            "example": number,
            "section": section,
        }


def main() -> None:
    """Read the command line and write the JSON, one example a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spec", type=Path, help="a spec.txt")
    parser.add_argument("out", type=Path, help="the JSON file to write")
    parser.add_argument(
        "--extensions", action="store_true", help="only the sections marked '(extension)'"
    )
    options = parser.parse_args()
    found = [
        example
        for example in examples(options.spec.read_text(encoding="utf-8"))
        if not options.extensions or str(example["section"]).endswith("(extension)")
    ]
    lines = ",\n".join(json.dumps(example) for example in found)
    options.out.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")
    print(f"{len(found)} examples")


if __name__ == "__main__":
    main()
