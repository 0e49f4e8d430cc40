#!/usr/bin/env python3
"""Each line that tests/mutants/equal.txt argues about is a change that mutate.py makes of a
template as it stands: an entry whose line has gone or was written anew argues about nothing."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "tests/mutants"))
import mutate  # noqa: E402


def changes(path):
    lines = path.read_text().split("\n") if path.exists() else []
    return {changed.strip() for line in lines for _, changed in mutate.mutants_of_line(line)}


stale = [(name, line) for name, line in sorted(mutate.known_equal())
         if line not in changes(root / name)]
for name, line in stale:
    print(f"tests/mutants/equal.txt: no mutant of {name} reads: {line}")
sys.exit(bool(stale))
