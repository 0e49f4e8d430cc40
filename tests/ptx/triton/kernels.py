"""Kernels whose PTX lies beside this file: kernels.py FOLDER compiles them for sm_90 again
(pip install triton; no GPU is asked)."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    shifted = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * columns + at, shifted / tl.sum(shifted, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, weight, bias, y, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
        total += values
        squares += values * values
    mean = tl.sum(total, axis=0) / columns
    scale = tl.rsqrt(tl.sum(squares, axis=0) / columns - mean * mean + epsilon)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        values = tl.load(x + row * columns + at, mask=inside)
        factor = tl.load(weight + at, mask=inside)
        offset = tl.load(bias + at, mask=inside)
        tl.store(y + row * columns + at, (values - mean) * scale * factor + offset, mask=inside)


@triton.jit
def total(x, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < count, other=0)
    tl.atomic_add(y, tl.sum(values, axis=0))


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + depth)[None, :],
                       mask=(rows < M)[:, None] & (k + depth < K)[None, :], other=0.0)
        right = tl.load(b + (k + depth)[:, None] * N + columns[None, :],
                        mask=(k + depth < K)[:, None] & (columns < N)[None, :], other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums,
             mask=(rows < M)[:, None] & (columns < N)[None, :])


@triton.jit
def matmul_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    sums = tl.zeros([BM, BN], tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(left.load([row, k]), right.load([k, column]), sums)
    out.store([row, column], sums.to(tl.float16))


@triton.jit
def attention(q, k, v, o, length, scale, BM: tl.constexpr, BN: tl.constexpr,
              D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    at = tl.arange(0, D)
    head = tl.program_id(1) * length * D
    query = tl.load(q + head + rows[:, None] * D + at[None, :],
                    mask=(rows < length)[:, None], other=0.0)
    most = tl.full([BM], -float("inf"), tl.float32)
    weight = tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, D], tl.float32)
    for start in range(0, length, BN):
        keys = start + tl.arange(0, BN)
        inside = keys < length
        key = tl.load(k + head + keys[None, :] * D + at[:, None], mask=inside[None, :],
                      other=0.0)
        score = tl.dot(query, key) * scale
        score = tl.where(inside[None, :], score, -float("inf"))
        higher = tl.maximum(most, tl.max(score, axis=1))
        shrink = tl.exp(most - higher)
        share = tl.exp(score - higher[:, None])
        weight = weight * shrink + tl.sum(share, axis=1)
        value = tl.load(v + head + keys[:, None] * D + at[None, :], mask=inside[:, None],
                        other=0.0)
        sums = tl.dot(share.to(tl.float16), value, sums * shrink[:, None])
        most = higher
    tl.store(o + head + rows[:, None] * D + at[None, :], sums / weight[:, None],
             mask=(rows < length)[:, None])


FLOATS = "*fp32"
HALVES = "*fp16"
KERNELS = [
    (softmax, [FLOATS, FLOATS, "i32"], {"BLOCK": 1024}, 4),
    (layer_norm, [FLOATS, FLOATS, FLOATS, FLOATS, "i32", "fp32"], {"BLOCK": 512}, 4),
    (total, ["*i32", "*i32", "i32"], {"BLOCK": 1024}, 8),
    (matmul, [HALVES, HALVES, FLOATS, "i32", "i32", "i32"], {"BM": 64, "BN": 64, "BK": 32}, 4),
    (matmul_tma, [HALVES, HALVES, HALVES, "i32", "i32", "i32"],
     {"BM": 64, "BN": 64, "BK": 64}, 4),
    (attention, [HALVES, HALVES, HALVES, FLOATS, "i32", "fp32"],
     {"BM": 64, "BN": 32, "D": 64}, 4),
]


def compile_one(kernel, types, constants, warps):
    names = kernel.arg_names
    signature = dict(zip(names, types))
    signature.update({name: "constexpr" for name in constants})
    divisible = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(types) if t[0] == "*"}
    source = ASTSource(kernel, signature, constants, divisible)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps})


def strip(ptx):
    lines = []
    for line in ptx.splitlines():
        if line.strip().startswith((".section", "// ", ".file", ".loc")):
            if line.strip().startswith(".section"):
                break
            continue
        lines.append(line.rstrip())
    return "\n".join(lines).strip() + "\n"


for kernel, types, constants, warps in KERNELS:
    built = compile_one(kernel, types, constants, warps)
    path = pathlib.Path(sys.argv[1]) / f"{kernel.__name__}.ptx"
    path.write_text(strip(built.asm["ptx"]))
    print(path, built.metadata.shared, built.metadata.num_warps, built.metadata.global_scratch_size, getattr(built.metadata,'profile_scratch_size',None))
