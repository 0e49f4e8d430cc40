"""What the suites share: places, a kernel, whether its compiler is there."""
import contextlib
import functools
import io
import os
import unittest

import hone

SOURCE = os.environ["HONE_SOURCE"]
BUILD = os.environ["HONE_BUILD"]
DEVICE = "emu:a100"


def golden(name):
    return os.path.join(SOURCE, "tests", "golden", name)


@functools.lru_cache(None)
def has_nvrtc():
    """Builds one configuration, once a process."""
    try:
        hone.run("new", "probe")
        return hone.check("probe.lua", device=DEVICE, sample=1).ok
    except hone.HoneError as error:
        if "NVRTC" in str(error):
            return False
        raise


def new_kernel(name="saxpy"):
    """A script with its template in the working folder, of a size that is emulated at once; skips
    the test without a compiler."""
    if not has_nvrtc():
        raise unittest.SkipTest("no NVRTC")
    if not os.path.exists(name + ".lua"):
        hone.run("new", name)
        with open(name + ".lua") as file:
            text = file.read()
        assert "N = 1 << 24" in text
        with open(name + ".lua", "w") as file:
            file.write(text.replace("N = 1 << 24", "N = 1 << 14"))
    return name + ".lua"


@contextlib.contextmanager
def printed():
    """What goes to standard error."""
    text = io.StringIO()
    with contextlib.redirect_stderr(text):
        yield text


def recording(folder, count=400, seed=3):
    """A journal of a whole made-up space with a hill to climb and some failures."""
    import json
    import random
    rng = random.Random(seed)
    params = {"BM": [16, 32, 64, 128, 256], "BN": [16, 32, 64, 128, 256], "VEC": [1, 2, 4],
              "STAGES": [1, 2, 3, 4, 5, 6]}
    path = os.path.join(folder, f"hill{seed}.jsonl")
    with open(path, "w") as file:
        first = {"hone": 1, "kind": "journal", "kernel": "hill", "problem": {"N": 1024},
                 "params": [{"name": n, "values": v} for n, v in params.items()],
                 "device": {"name": "made up"}, "complete": True, "clock": "event",
                 "objective": "time_us"}
        print(json.dumps(first), file=file)
        for i, bm in enumerate(params["BM"]):
            for j, bn in enumerate(params["BN"]):
                for vec in params["VEC"]:
                    for stages in params["STAGES"]:
                        trial = {"config": [bm, bn, vec, stages], "outcome": "valid",
                                 "time_us": 100 + 40 * abs(i - 3) + 30 * abs(j - 2) + 25 // vec
                                 + 5 * abs(stages - 4) + round(rng.random(), 3)}
                        if bm * bn * stages > 200000:
                            trial = {"config": trial["config"], "outcome": "rejected",
                                     "reason": "too much shared memory"}
                        print(json.dumps(trial), file=file)
    return path
