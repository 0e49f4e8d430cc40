#!/usr/bin/env python3
"""Builds every script of a folder with hone, with Kernel Tuner, and as a compiled C loop
nest that only counts; checks that the counts agree and prints medians of CPU time side
by side.

    bench/spaces.py [--spaces DIR] [--build DIR] [--repeats N] [--no-kernel-tuner]

Kernel Tuner is installed into a virtual environment (--venv) on the first run."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

KERNEL_TUNER = "kernel_tuner==1.4.0"
HERE = os.path.dirname(os.path.abspath(__file__))

# Runs inside the environment: a space as JSON on stdin, its size and seconds on stdout.
CONSTRUCT = """
import json, sys, time
from kernel_tuner.searchspace import Searchspace
space, repeats = json.load(sys.stdin), int(sys.argv[1])
seconds = []
for _ in range(repeats):
    begin = time.process_time()
    built = Searchspace(dict(space["params"]), list(space["constraints"]), 1024)
    seconds.append(time.process_time() - begin)
print(json.dumps({"valid": built.size, "seconds": seconds}))
"""


def output(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def run_hone(bench, script, repeats):
    return json.loads(output([bench, "time", script, str(repeats)]))


def run_nest(bench, script, repeats, folder):
    source = os.path.join(folder, "nest.c")
    program = os.path.join(folder, "nest")
    with open(source, "w") as file:
        file.write(output([bench, "nest", script]))
    subprocess.run(["cc", "-O2", "-o", program, source], check=True)
    lines = [line.split() for line in output([program, str(repeats)]).splitlines()]
    return {"valid": int(lines[-1][1]),
            "seconds": statistics.median(float(line[0]) for line in lines)}


def run_kernel_tuner(bench, script, repeats, python):
    space = json.loads(output([bench, "json", script]))
    space["constraints"] = [text.replace("~=", "!=") for text in space["constraints"]]
    found = json.loads(output([python, "-c", CONSTRUCT, str(repeats)],
                              input=json.dumps(space)))
    return {"valid": found["valid"], "seconds": statistics.median(found["seconds"])}


def install(venv):
    python = os.path.join(venv, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    if subprocess.run([python, "-c", "import kernel_tuner"],
                      stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", KERNEL_TUNER], check=True)
    return python


def measure(args, bench, python, script):
    row = {"hone": run_hone(bench, script, args.repeats)}
    with tempfile.TemporaryDirectory() as folder:
        row["nest"] = run_nest(bench, script, args.repeats, folder)
    if python:
        row["kernel_tuner"] = run_kernel_tuner(bench, script, min(args.repeats, 5), python)
    counts = {name: row[name]["valid"] for name in row}
    if len(set(counts.values())) != 1:
        sys.exit(f"{script}: the counts differ: {counts}")
    return row


def print_row(name, row):
    hone, nest = row["hone"], row["nest"]
    peer = row.get("kernel_tuner")
    text = f"{name:18}{hone['cartesian']:>12.6g}{hone['valid']:>9}"
    text += f"{hone['seconds'] * 1e3:>10.3f}{nest['seconds'] * 1e3:>10.3f}"
    text += f"{hone['seconds'] / nest['seconds']:>8.2f}"
    if peer:
        text += f"{peer['seconds'] * 1e3:>12.2f}{peer['seconds'] / hone['seconds']:>9.0f}"
    else:
        text += f"{'-':>12}{'-':>9}"
    print(text + f"{hone['choices_seconds'] * 1e9:>10.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spaces", default=os.path.join(HERE, "../../shared/spaces"))
    parser.add_argument("--build", default=os.path.join(HERE, "../build/dev"))
    parser.add_argument("--venv", default=os.path.join(HERE, "../build/venv-kernel-tuner"))
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--no-kernel-tuner", action="store_true")
    args = parser.parse_args()
    bench = os.path.join(args.build, "space_bench")
    python = None if args.no_kernel_tuner else install(args.venv)
    print(f"{'space':18}{'combinations':>12}{'valid':>9}{'hone ms':>10}{'C nest ms':>10}"
          f"{'x nest':>8}{'KT ms':>12}{'KT/hone':>9}{'index ns':>10}")
    for file in sorted(os.listdir(args.spaces)):
        if file.endswith(".lua"):
            row = measure(args, bench, python, os.path.join(args.spaces, file))
            print_row(file[:-4], row)


if __name__ == "__main__":
    main()
