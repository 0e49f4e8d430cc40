#!/usr/bin/env python3
"""Kernel Tuner's own strategies on Hone's recordings, next to Hone's.

Each journal becomes a Kernel Tuner cache, tune_kernel replays it in simulation mode, and
the evaluations are counted as they are made: a configuration counts once, failing ones
included. Run by kernel_tuner.sh, which installs Kernel Tuner; the method is in
docs/benchmark.md.
"""
import argparse
import collections
import contextlib
import io
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import warnings

MARKS = (25, 50, 100, 200)
STRATEGIES = ("adaptive_tabu_greywolf,hybrid_vndx,genetic_algorithm,pso,firefly_algorithm,"
              "diff_evo,simulated_annealing,greedy_ils,random_sample")
Space = collections.namedtuple("Space", "name cache kernel problem params keys optimum")


def convert(path, folder):
    """Write a journal as a Kernel Tuner cache; returns the Space."""
    with open(path, encoding="utf-8") as file:
        head = json.loads(file.readline())
        trials = [json.loads(line) for line in file if line.strip()]
    names = [param["name"] for param in head["params"]]
    cache = {}
    for trial in trials:
        entry = dict(zip(names, trial["config"]))
        build = trial.get("build_ms") or 0
        entry.update(compile_time=build, verification_time=0, benchmark_time=0)
        if trial["outcome"] == "valid":
            entry["time"] = trial["time_us"] / 1000
        else:
            compiled = trial["outcome"] != "build_failed"
            entry["time"] = "RuntimeFailedConfig" if compiled else "CompilationFailedConfig"
        cache[",".join(str(value) for value in trial["config"])] = entry
    name = os.path.splitext(os.path.basename(path))[0]
    params = {param["name"]: param["values"] for param in head["params"]}
    problem = head.get("problem", {}).get("size", [1])
    if not isinstance(problem, list):
        problem = [problem]
    document = {"device_name": head["device"]["name"], "kernel_name": head["kernel"],
                "problem_size": problem, "tune_params_keys": names, "tune_params": params,
                "objective": "time", "cache": cache}
    target = os.path.join(folder, name + ".json")
    with open(target, "w", encoding="utf-8") as file:
        json.dump(document, file)
    valid = [e["time"] for e in cache.values() if not isinstance(e["time"], str)]
    keys = frozenset(tuple(trial["config"]) for trial in trials)
    return Space(name, target, head["kernel"], tuple(problem), params, keys, min(valid))


def record_evaluations(trace):
    """Let the simulation runner note the time of each configuration as it is first seen."""
    from kernel_tuner.runners.simulation import SimulationRunner
    run = SimulationRunner.__dict__.get("hone_run", SimulationRunner.run)
    seen = set()

    def traced(self, parameter_space, tuning_options):
        configs = [tuple(config) for config in parameter_space]
        results = run(self, configs, tuning_options)
        for config, result in zip(configs, results):
            key = ",".join(str(value) for value in config)
            if result is None or key in seen or key not in tuning_options.cache:
                continue
            seen.add(key)
            time = result.get("time")
            failed = "__error__" in result or isinstance(time, str)
            trace.append(math.inf if failed else float(time))
        return results

    SimulationRunner.hone_run = run
    SimulationRunner.run = traced


def simulate(task):
    """One run: optimum / best at each mark."""
    space, strategy, seed, budget = task
    import numpy
    from constraint import FunctionConstraint
    from kernel_tuner import tune_kernel
    trace = []
    record_evaluations(trace)
    random.seed(seed)
    numpy.random.seed(seed)
    member = FunctionConstraint(lambda *values: values in space.keys)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        tune_kernel(space.kernel, "", space.problem, [], space.params,
                    restrictions=[member], strategy=strategy,
                    strategy_options={"max_fevals": budget}, cache=space.cache,
                    simulation_mode=True, seed=seed, quiet=True)
    ratios = {}
    for mark in MARKS:
        best = min(trace[:mark], default=math.inf)
        ratios[mark] = space.optimum / best
    return space.name, strategy, ratios, len(trace)


def run_hone(program, files, seeds, strategies):
    """Hone's figures on the same files, as (space, strategy) -> ratios."""
    command = [program, "bench", "strategies", "--json", "--budget", str(MARKS[-1]),
               "--repeats", str(seeds)]
    if strategies:
        command += ["--strategies", strategies]
    document = json.loads(subprocess.run(command + files, check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)
    return {(space["space"], "hone " + entry["strategy"]):
            {mark: space["ratio"][str(mark)] for mark in MARKS}
            for entry in document["strategies"] for space in entry["spaces"]}


def mean(values):
    return sum(values) / len(values)


def run_kernel_tuner(spaces, args):
    """Mean ratios as (space, strategy) -> ratios, and mean evaluations a run."""
    tasks = [(space, strategy, seed, MARKS[-1]) for space in spaces
             for strategy in args.strategies.split(",") for seed in range(args.seeds)]
    found, counts = collections.defaultdict(list), collections.defaultdict(list)
    with multiprocessing.Pool(args.jobs) as pool:
        for done, (space, strategy, ratios, count) in enumerate(
                pool.imap_unordered(simulate, tasks), 1):
            found[space, strategy].append(ratios)
            counts[strategy].append(count)
            if sys.stderr.isatty():
                print(f"\r{done}/{len(tasks)} runs", end="", file=sys.stderr)
    table = {key: {mark: mean([run[mark] for run in runs]) for mark in MARKS}
             for key, runs in found.items()}
    return table, {strategy: mean(count) for strategy, count in counts.items()}


def cells(ratios):
    return " ".join(f"{ratios[mark]:.3f}" for mark in MARKS)


def print_tables(table, counts, names):
    """Means over the spaces, best at the last mark first; then space by space."""
    strategies = {strategy for _, strategy in table}
    means = {s: {mark: mean([table[name, s][mark] for name in names]) for mark in MARKS}
             for s in strategies}
    order = sorted(strategies, key=lambda s: -means[s][MARKS[-1]])
    width = max(len(strategy) for strategy in order)
    heads = " ".join(f"{mark:5d}" for mark in MARKS)
    print(f"optimum / best found, mean of {len(names)} spaces\n")
    print(f"{'strategy':{width}}  {heads}  evaluations used")
    for strategy in order:
        used = f"{counts[strategy]:.0f}" if strategy in counts else str(MARKS[-1])
        print(f"{strategy:{width}}  {cells(means[strategy])}  {used}")
    for name in names:
        print(f"\n{name}")
        for strategy in order:
            print(f"{strategy:{width}}  {cells(table[name, strategy])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE.jsonl")
    parser.add_argument("--hone", required=True, help="the program")
    parser.add_argument("--seeds", type=int, default=20, help="runs a strategy and space [20]")
    parser.add_argument("--jobs", type=int, default=None, help="processes [one a core]")
    parser.add_argument("--strategies", default=STRATEGIES, help="of Kernel Tuner")
    parser.add_argument("--hone-strategies", default="", help="of Hone [all]")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spaces = [convert(path, folder) for path in args.files]
        table, counts = run_kernel_tuner(spaces, args)
    table.update(run_hone(args.hone, args.files, args.seeds, args.hone_strategies))
    print_tables(table, counts, [space.name for space in spaces])


if __name__ == "__main__":
    main()
