"""The examples of docs/python.md, as they stand there."""
import os
import re

FENCE = re.compile(r"^```(\w*) ?(.*)\n((?:.*\n)*?)```$", re.M)


def page(source):
    """Language, words behind it, text and first line of each fence; source: Hone's folder."""
    with open(os.path.join(source, "docs", "python.md"), encoding="utf-8") as file:
        text = file.read()
    for match in FENCE.finditer(text):
        yield (match[1], match[2].strip(), match[3], text.count("\n", 0, match.start()) + 2)
