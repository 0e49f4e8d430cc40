"""Softmax of rows in Triton, its configurations tuned by Hone: softmax.py [DEVICE].

pip install triton; neither a GPU nor torch is needed to compile it."""
import os
import sys

import triton
import triton.language as tl

import hone


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
        larger = tl.maximum(best, tl.max(values, axis=0))
        total = total * tl.exp(best - larger) + tl.sum(tl.exp(values - larger), axis=0)
        best = larger
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + at, mask=at < columns)
        tl.store(y + row * columns + at, tl.exp(values - best) / total, mask=at < columns)


CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps, num_stages=stages)
           for block in (256, 1024, 4096) for warps in (2, 4, 8) for stages in (1, 3)]


def export(folder="."):
    return hone.export_triton(softmax, CONFIGS, {"x": "*fp32", "y": "*fp32", "columns": "i32"},
                              arch=80, folder=folder)


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    export(here)
    device = sys.argv[1] if len(sys.argv) > 1 else "emu:a100"
    result = hone.tune(os.path.join(here, "softmax.lua"), device=device, budget=18,
                       journal=os.path.join(here, "softmax.jsonl"))
    print("best:", result.best.config)
