"""A page of 23 sections, each a chunk with ``split_headings=2``, and it with a line more."""

BEFORE = "# Steps\n\nRead all of them first.\n" + "".join(
    f"\n## Step {number}\n\nTurn wheel {number} until its mark is up, then let it rest.\n"
    for number in range(2, 24)
)
AFTER = BEFORE.replace("first.\n", "first.\n\nThis line is new.\n")
