#!/usr/bin/env python3
"""compare.py [--seconds S] OUT.jsonl BUNDLE.json...: tuned kernels beside the best that
others have (peers.py), interleaved in one run on random data.

All contenders are first compared by what they compute. Then in each round every one runs
once, in an order drawn anew, after L2 was flushed; a kernel that idles hides what queueing
costs, and CUDA events measure. Reported are medians, and the median over the rounds of a
peer's time to ours, with the 95 % interval of a bootstrap. OUT.jsonl gets a line for each
pair. Exit code 0 all agree, 1 one is wrong, 77 without PyTorch or a GPU."""
import argparse
import json
import os
import random
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("there is no PyTorch here")
    sys.exit(77)

import bundle
import peers
from interval import interval

LEAST_ROUNDS, MOST_ROUNDS, PROPOSAL_RUNS = 8, 400, 5
IDLE_CYCLES = 400_000  # some 200 us: more than PyTorch takes to queue anything here


class GpuClock:
    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2 or 256 << 20, dtype=torch.uint8, device="cuda")

    def time(self, runs):
        """Microseconds of each, in this order."""
        events = []
        for number, run in enumerate(runs):
            pair = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            self.flush.fill_(number)
            torch.cuda._sleep(IDLE_CYCLES)
            pair[0].record()
            run()
            pair[1].record()
            events.append(pair)
        torch.cuda.synchronize()
        return [1e3 * start.elapsed_time(end) for start, end in events]


class HostClock:
    def time(self, runs):
        times = []
        for run in runs:
            start = time.perf_counter()
            run()
            times.append(1e6 * (time.perf_counter() - start))
        return times


def fastest_by(clock):
    def fastest(runs):
        if not runs:
            raise RuntimeError("no algorithm was proposed")
        times = [clock.time(runs) for _ in range(PROPOSAL_RUNS)]
        medians = [statistics.median(t) for t in zip(*times)]
        return runs[medians.index(min(medians))]
    return fastest


def error_of(ours, theirs):
    a, b = ours.double().flatten(), theirs.double().flatten()
    if not torch.isfinite(a).all():
        return float("inf")
    return float((a - b).norm() / b.norm().clamp_min(1e-300))


def measure(clock, runs, seconds):
    """Times by contender, as many of each; in every round the order is drawn anew."""
    rng, times, end = random.Random(1), [[] for _ in runs], time.monotonic() + seconds
    clock.time(runs)
    while len(times[0]) < LEAST_ROUNDS or (
            len(times[0]) < MOST_ROUNDS and time.monotonic() < end):
        order = rng.sample(range(len(runs)), len(runs))
        for which, us in zip(order, clock.time([runs[i] for i in order])):
            times[which].append(us)
    return times


def rate(kernel, us):
    if kernel.flops and kernel.kernel not in peers.BY_BYTES:
        return f"{kernel.flops / us * 1e-6:8.1f} TFLOP/s"
    return f"{kernel.bytes / us * 1e-6:8.2f} TB/s"


def compare(machine, clock, path, seconds):
    """Lines for OUT.jsonl, and whether all agree."""
    kernel = bundle.Kernel(machine, path)
    make, output, allowed = peers.TABLE[kernel.kernel]
    others = make(kernel, fastest_by(clock))
    runs = [kernel.launch] + [p.run for p in others]
    for run in runs:
        run()
    ours = kernel[output].clone()
    errors = [error_of(ours, p.result()) if p.result else 0 for p in others]
    times = measure(clock, runs, seconds)
    name = os.path.basename(path).removesuffix(".json")
    own = statistics.median(times[0])
    print(f"{name}: {own:.2f} us{rate(kernel, own)}, {len(times[0])} rounds\n"
          f"  {kernel.config}")
    lines, right = [], True
    for peer, theirs, error in zip(others, times[1:], errors):
        ratios = [t / o for t, o in zip(theirs, times[0])]
        low, high = interval(ratios)
        agrees = error <= allowed
        right = right and agrees
        lines.append({
            "bundle": name, "kernel": kernel.kernel, "config": kernel.config,
            "problem": kernel.problem, "peer": peer.name, "rounds": len(ratios),
            "time_us": own, "peer_us": statistics.median(theirs),
            "ratio": statistics.median(ratios), "low": low, "high": high,
            "error": error, "agrees": agrees})
        print(f"  {peer.name:28} {statistics.median(theirs):10.2f} us  "
              f"{lines[-1]['ratio']:.3f}x [{low:.3f}, {high:.3f}]"
              + ("" if agrees else f"  DIFFERS by {error:.2e}"))
    return lines, right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("out")
    parser.add_argument("bundles", nargs="+")
    args = parser.parse_args()
    torch.manual_seed(1)
    emulated = "emu" in os.path.basename(os.environ.get("HONE_LIBCUDA", ""))
    if not emulated and not torch.cuda.is_available():
        print("PyTorch sees no GPU")
        return 77
    machine = bundle.Emulated() if emulated else bundle.Gpu()
    clock = HostClock() if emulated else GpuClock()
    status = 0
    with open(args.out, "w", encoding="utf-8") as out:
        for path in args.bundles:
            try:
                lines, right = compare(machine, clock, path, args.seconds)
            except (RuntimeError, ValueError, KeyError) as error:
                print(f"{path}: {error}")
                lines, right = [], False
            for line in lines:
                out.write(json.dumps(line) + "\n")
            out.flush()
            status = status if right else 1
            if not emulated:
                torch.cuda.empty_cache()
    return status


if __name__ == "__main__":
    sys.exit(main())
