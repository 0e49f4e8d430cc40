#!/usr/bin/env python3
"""Random search as a program of its own: hone tune --strategy "exec:python3 uniform.py".

The protocol is described in docs/strategies.md.
"""
import json
import random
import sys


def main():
    space = json.loads(sys.stdin.readline())
    rng = random.Random(space["seed"])
    seen = set()
    for line in sys.stdin:
        message = json.loads(line)
        for trial in message.get("tell", []):
            seen.add(trial["index"])
        if "ask" in message:
            index = rng.randrange(space["space_count"])
            while index in seen:
                index = rng.randrange(space["space_count"])
            seen.add(index)
            print(json.dumps({"propose": [index]}), flush=True)


if __name__ == "__main__":
    main()
