#!/usr/bin/env python3
"""Writes recordings of many trials, reads each with `hone show` and prints the peak of
its resident memory and its processor time: what a recording of a whole space costs.

    bench/recording.py [--trials N] [--repeats N] HONE...

Several programs are measured in turns, so that load by others falls on all of them. Kinds
of recording: plain (times and resources, as those of other tuners), gpu (with the metrics
and texts that a GPU gives) and emu (with all that the emulator counts)."""
import argparse
import json
import os
import random
import statistics
import sys
import tempfile

PARAMS = [("BM", 32), ("BN", 32), ("BK", 20), ("STAGES", 20)]
GPU_METRICS = ["sm_mhz", "memory_mhz", "temperature_c", "power_w", "event_us", "warm_us"]
EMU_METRICS = ["issued_per_block", "fp32_per_block", "int_per_block", "sfu_per_block",
               "shared_per_block", "global_per_block", "control_per_block",
               "shared_wavefronts", "bank_conflicts", "global_sectors", "global_lines",
               "load_bytes", "store_bytes", "barriers", "active_lanes", "divergent_share",
               "bytes_in_flight", "path_cycles", "issue_cycles", "alu_cycles",
               "memory_cycles", "pipe_cycles", "warps_per_block", "blocks_per_sm",
               "wave_bytes", "l2_bytes", "dram_bytes", "sm_us", "l2_us", "dram_us",
               "model_version"]
METRICS = {"plain": [], "gpu": GPU_METRICS, "emu": EMU_METRICS}
FAILED_SHARE = 0.2


def head(kind):
    return {"hone": 1, "kind": "journal", "kernel": "k",
            "params": [{"name": name, "values": list(range(count))}
                       for name, count in PARAMS],
            "problem": {}, "device": {"name": "a GPU", "id": "cuda:0"}, "clock": "cupti",
            "objective": "predicted_us" if kind == "emu" else "time_us", "complete": False}


def trial(kind, number, rng):
    config = []
    for _, count in PARAMS:
        config.append(number % count)
        number //= count
    line = {"config": config, "outcome": "valid", "build_ms": round(rng.uniform(50, 900), 2),
            "evaluate_ms": round(rng.uniform(5, 90), 2), "registers": rng.randrange(24, 255),
            "static_shared_bytes": 1024 * rng.randrange(48), "blocks_per_sm": 2}
    if rng.random() < FAILED_SHARE:
        return line | {"outcome": "launch_failed", "reason":
                       f"needs {rng.randrange(1, 9) * 65536} bytes of shared memory"}
    figure = round(rng.uniform(10, 900), 6)
    if kind == "emu":
        line |= {"predicted_us": figure, "fidelity": "exact", "outputs": f"{rng.getrandbits(64):016x}"}
    else:
        line |= {"time_us": figure, "rel_std": 0.01, "n": 12}
    metrics = {name: round(rng.uniform(1, 1e6), 3) for name in METRICS[kind]}
    return line | ({"metrics": metrics} if metrics else {})


def write(path, kind, trials):
    rng = random.Random(1)
    with open(path, "w") as file:
        file.write(json.dumps(head(kind), separators=(",", ":")) + "\n")
        for number in range(trials):
            file.write(json.dumps(trial(kind, number, rng), separators=(",", ":")) + "\n")


def show(hone, path):
    """Peak resident memory in MiB and processor time in seconds."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(hone, [hone, "show", path])
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{hone} show {path} failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hone", nargs="+", help="programs to measure")
    parser.add_argument("--trials", type=int, default=320000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--kinds", default="plain,gpu,emu")
    args = parser.parse_args()
    most = 1
    for _, count in PARAMS:
        most *= count
    if not 0 < args.trials <= most:
        sys.exit(f"--trials wants 1 to {most}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds.split(","):
            path = os.path.join(folder, kind + ".jsonl")
            write(path, kind, args.trials)
            size = os.path.getsize(path) / 2**20
            figures = {hone: [] for hone in args.hone}
            for _ in range(args.repeats):
                for hone in args.hone:
                    figures[hone].append(show(hone, path))
            for hone in args.hone:
                peak, seconds = (statistics.median(column) for column in zip(*figures[hone]))
                print(f"{kind:5}  {args.trials} trials, file of {size:.0f} MiB: "
                      f"{peak:.0f} MiB, {seconds:.2f} s of CPU  {hone}", flush=True)
            os.unlink(path)


if __name__ == "__main__":
    main()
