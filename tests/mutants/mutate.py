#!/usr/bin/env python3
"""Change a kernel's template in one place, verify it on the emulator, and count what is found.

mutate.py HONE SCRIPT [--sample N] [--seed S] [--set NAME=VALUE]... [--kinds barrier,wait,...]
          [--files PATTERN]... [--limit N] [--part N] [--need PERCENT] [--list]

Each mutant is SCRIPT with its template, or a file that it includes, changed at one place; `hone
check --estimate` verifies a sample of its configurations. A mutant is found when one of them fails; refused
when it does not compile; without a run when its reference, which has the same file, fails; the same
when no configuration's code changed, line information aside; equal when equal.txt beside this file
argues that it does what the kernel does, which is not run with --need; else it SURVIVES.
Kinds: barrier (deleted), wait (of asynchronous copies: deleted, one group late), ring (a step of
warp groups and their ring deleted: arrivals, fences between threads and copies, turns), bound (a
comparison off by one, half of a condition dropped), swizzle (an exclusive or or a skew left out
at one of its uses), align (a test for alignment dropped). Ends with 1 when fewer than PERCENT of
those found or surviving are found. docs/verification.md has figures.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

BARRIER = re.compile(r"__sync(?:threads|warp)\(\w*\);|asm volatile\(\"bar\.[^;]*;[^;]*;"
                     r"|\b(?:named_sync<[^;]*>\([^;]*|(?:cluster_sync|sync_blocks)\()\);")
GROUPS = r"(wait_for_copies|wait_for_reads|wait_for_stores|warpgroup_wait)"
WAIT = re.compile(GROUPS + r"<[^;]*>\(\);|asm volatile\(\"cp\.async\.wait_all[^;]*;[^;]*;"
                  r"|\b(?:\w+\.)?ring\.wait_(?:full|empty)\(\w+\);")
WAIT_COUNT = re.compile(GROUPS + r"<([^;]*)>\(\);")
RING = re.compile(r"\b(?:(?:\w+\.)?(?:release|expect)\([^;{]*|order\.(?:await|pass)\(\w+|turns\.(?:await|pass)\(|fence_async\("
                  r"|barrier_(?:wait|arrive|expect)\([^;{]*"
                  r"|publish_barriers\(|warpgroup_(?:fence|commit)\(|commit_stores\()\);")
COMPARISON = re.compile(r" (<=|>=|<|>) (?!\w+[^()]*> )")
CONDITION = re.compile(r"\bif \(|\? |\bbool \w+ =|^\s*return .*(?:&&|\|\|| [<>]=? )|&& ")
HALF = re.compile(r"(?:[\w.]+ [-+] )*[\w.\->]+(?:\([^()]*\))?(?: - \w+)* (?:<=?|>=?) [\w.]+ && ")
XOR = re.compile(r" \^ ([\w:]+\((?:[^()]|\([^()]*\))*\)(?:\.\w+)?|\w+(?: % [\w:]+)?)")
SKEW = re.compile(r"\bSKEW\b")
ALIGNED = re.compile(r"\b(?:\w+\.)?aligned && |!(?:\w+\.)?aligned\b")
ALIGNED_CALL = re.compile(r"(?<!bool )\b(?:\w+\.)?(?:is|rows)_aligned(?:<[^()&|]*>)?\([^()]*\)"
                          r"(?=[);]| && | &&$| \|\|)")
ALIGN_TEST = re.compile(r" && \(unsigned long long\)\w+ % (?:sizeof\(\w+\)|\w+) == 0"
                        r"|\w+(?: \* sizeof\(\w+\))? % \w+ == 0 && (?=\()")
OFF_BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def replaced(text, match, by):
    return text[:match.start()] + by + text[match.end():]


def mutants_of_line(line):
    """(kind, changed line) for each change of this line."""
    code = line.split("//")[0]
    rest = line[len(code):]
    if code.lstrip().startswith("#") or "static_assert" in code or "for (" in code:
        code_ok = "__sync" in code
        if not code_ok:
            return
    for m in BARRIER.finditer(code):
        yield "barrier", replaced(code, m, f"; /* no {m[0]} */") + rest
    for m in WAIT.finditer(code):
        yield "wait", replaced(code, m, f"; /* no {m[0]} */") + rest
    for m in WAIT_COUNT.finditer(code):
        yield "wait", replaced(code, m, f"{m[1]}<({m[2]}) + 1>();") + rest
    for m in RING.finditer(code):
        yield "ring", replaced(code, m, f"; /* no {m[0]} */") + rest
    if CONDITION.search(code) and "constexpr" not in code and "template" not in code:
        for m in COMPARISON.finditer(code):
            yield "bound", replaced(code, m, f" {OFF_BY_ONE[m[1]]} ") + rest
        for m in HALF.finditer(code):
            yield "bound", replaced(code, m, "") + rest
    for m in XOR.finditer(code):
        yield "swizzle", replaced(code, m, "") + rest
    if "constexpr int" not in code:
        for m in SKEW.finditer(code):
            yield "swizzle", replaced(code, m, "0") + rest
    for m in ALIGNED.finditer(code):
        yield "align", replaced(code, m, "false" if m[0][0] == "!" else "") + rest
    for m in ALIGNED_CALL.finditer(code):
        yield "align", replaced(code, m, "true") + rest
    for m in ALIGN_TEST.finditer(code):
        yield "align", replaced(code, m, "") + rest


def files_of(templates, script):
    """The template and what it includes, each once."""
    todo = [templates / re.search(r'\btemplate\s*=\s*"([^"]+)"', script.read_text())[1]]
    found = []
    while todo:
        path = todo.pop(0)
        if path in found or not path.exists():
            continue
        found.append(path)
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            beside = path.parent / name
            todo.append(beside if beside.exists() else templates / name)
    return found


def all_mutants(templates, script, kinds, patterns):
    for path in files_of(templates, script):
        if patterns and not any(path.match(pattern) for pattern in patterns):
            continue
        lines = path.read_text().split("\n")
        for number, line in enumerate(lines):
            for kind, changed in mutants_of_line(line):
                if kind in kinds:
                    yield kind, path, number, changed


def codes(cache):
    """The PTX of every build in a cache folder, without lines (tuner/build/cache.c)."""
    texts = set()
    for entry in cache.rglob("*"):
        if not entry.is_file():
            continue
        data = entry.read_bytes()
        size = struct.unpack_from("<Q", data, 24)[0]
        ptx = data[56:56 + size].decode(errors="replace")
        ptx = re.split(r"^\s*\.(?:file|section)\b", ptx, flags=re.M)[0]
        texts.add(re.sub(r"^\s*\.loc\b.*\n|//.*\n", "", ptx, flags=re.M))
    return texts


class Checker:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.script = folder / "kernels" / pathlib.Path(args.script).name

    def run(self):
        """(reason of a failure or "", codes) of the tree as it is."""
        cache = self.folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        a = self.args
        command = [a.hone, "check", str(self.script), "--device", a.device, "--json", "-q",
                   "--estimate", "--sample", str(a.sample), "--seed", str(a.seed), "--cache", str(cache),
                   "--launch-deadline", "10m"]  # however busy the machine is
        for setting in a.set:
            command += ["--set", setting]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
        except subprocess.TimeoutExpired:
            return "timed_out", set()
        if not done.stdout.strip():
            return "no run: " + done.stderr.strip(), set()
        for trial in json.loads(done.stdout)["not_valid"]:
            if trial["outcome"] not in ("rejected", "unsupported"):
                return trial["outcome"] + ": " + trial.get("reason", ""), set()
        return "", codes(cache)


def known_equal(script=None):
    """(file, changed line) of each entry of equal.txt: a line with both, then why. What holds
    for some kernels alone has a pattern of their names ahead: 'gemm_w4a16*: FILE: LINE'. Of
    these those of the script; None: all."""
    entries = (pathlib.Path(__file__).parent / "equal.txt").read_text().split("\n\n")
    known = set()
    for entry in entries:
        first, found, rest = entry.split("\n")[0].partition(": ")
        if "/" not in first and (not script or fnmatch.fnmatch(pathlib.Path(script).stem, first)):
            first, found, rest = rest.partition(": ")
        if found:
            known.add((first, rest))
    return known


def shown(path, root):
    return path.relative_to(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hone")
    parser.add_argument("script")
    parser.add_argument("--sample", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="emu:h200")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--kinds", default="barrier,wait,ring,bound,swizzle,align")
    parser.add_argument("--files", action="append", default=[], help="only these: 'ring.cuh'")
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--part", type=int, default=1,
                        help="each N-th alone, all with HONE_TESTS=long")
    parser.add_argument("--need", type=float, default=0)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    root = pathlib.Path(args.script).resolve().parent.parent
    tally, known = {}, known_equal(args.script)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("kernels", "templates"):
            shutil.copytree(root / part, folder / part)
        checker = Checker(args, folder)
        every = list(all_mutants(folder / "templates", checker.script, args.kinds.split(","),
                                 args.files))
        every = every[::max(1, len(every) // args.limit)][:args.limit]
        every = every[::1 if os.environ.get("HONE_TESTS") == "long" else args.part]
        reason, original = ("", set()) if args.list else checker.run()
        if reason.startswith("no run"):
            print(reason)
            sys.exit(77)
        if reason:
            sys.exit(f"the kernel itself fails: {reason}")
        for kind, path, number, changed in every:
            where = f"{kind:8} {shown(path, folder)}:{number + 1}: {changed.strip()}"
            if args.list:
                print(where)
                continue
            equal = (str(shown(path, folder)), changed.strip()) in known
            if equal and args.need:  # found or not, it does not count
                tally.setdefault(kind, []).append("equal")
                continue
            text = path.read_text()
            lines = text.split("\n")
            lines[number] = changed
            path.write_text("\n".join(lines))
            reason, code = checker.run()
            path.write_text(text)
            result = ("refused" if reason.startswith("build_failed")
                      else "no run" if reason.startswith("no run") else "found" if reason
                      else "same" if code <= original else "equal" if equal else "SURVIVES")
            tally.setdefault(kind, []).append(result)
            print(f"{result:8} {where}\n         {reason}", flush=True)
    if args.list:
        return
    found = other = 0
    for kind, results in sorted(tally.items()):
        changes = [r for r in results if r in ("found", "SURVIVES")]
        found += changes.count("found")
        other += len(changes)
        print(f"{kind:8} found {changes.count('found')} of {len(changes)}; {results.count('same')} "
              f"leave the code, {results.count('equal')} the behaviour, "
              f"{results.count('refused')} do not compile, {results.count('no run')} do not run")
    rate = 100 * found / other if other else 100
    print(f"all      found {found} of {other}: {rate:.1f} %")
    sys.exit(rate < args.need)


if __name__ == "__main__":
    main()
