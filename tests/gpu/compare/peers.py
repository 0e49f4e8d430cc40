"""What each kernel is compared with: for a kernel a list of peers, each a name, what runs
it and what it computes."""
from dataclasses import dataclass
from typing import Callable, Optional

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from cublaslt import Product


@dataclass
class Peer:
    name: str
    run: Callable[[], object]
    result: Optional[Callable[[], torch.Tensor]]  # to compare with ours; None: a copy


def copy_of(kernel):
    """A copy in device memory that moves as many bytes as the kernel must."""
    half = max(1, int(kernel.bytes) // 2)
    source = torch.randint(256, (half,), dtype=torch.uint8, device=kernel.machine.device)
    target = torch.empty_like(source)
    return Peer("copy", lambda: target.copy_(source), None)


def simple(name, function):
    kept = []

    def run():
        kept[:] = [function()]
    return Peer(name, run, lambda: kept[0])


def turned(tensor, rows, columns, stored_turned):
    return tensor.view(columns, rows).t() if stored_turned else tensor.view(rows, columns)


def products(kernel, fastest):
    p = kernel.problem
    m, n, k = p["M"], p["N"], p["K"]
    a = turned(kernel["A"], m, k, p["TRANS_A"])
    b = turned(kernel["B"], k, n, p["TRANS_B"])
    peers = [simple("torch.matmul", lambda: torch.matmul(a, b))]
    if kernel.machine.device == "cuda":
        d = torch.empty(m, n, dtype=kernel["D"].dtype, device="cuda")
        lt = Product(kernel["A"], kernel["B"], d, (m, n, k), p["TRANS_A"], p["TRANS_B"])
        best = fastest([lambda q=q: lt.run(q) for q in lt.proposals])
        peers.append(Peer(f"cuBLASLt, best of {len(lt.proposals)}", best, lambda: d))
    return peers


def nibbles(words):
    """Four bits each, the lowest first, as a last axis of 8."""
    shifts = torch.arange(0, 32, 4, dtype=torch.int32, device=words.device)
    return words.unsqueeze(-1) >> shifts & 15


def weights_of_4_bits(kernel):
    """Weights [K][N], 0 to 15, and the zero points and scales [K / 128][N] of a product.
    Whole numbers of a bundle are 0: these get bits at random."""
    n, k = kernel.problem["N"], kernel.problem["K"]
    for name in ("weights", "zeros"):
        kernel[name].random_(-2**31, 2**31 - 1)
    # Units of 64 x 16; of a lane columns and pairs of k, steps of k, and what a word has:
    # odd k, columns 8 and on, k 8 and on (templates/common/int4.cuh).
    words = nibbles(kernel["weights"].view(k // 64, n // 16, 8, 4, 4))
    weights = words.view(k // 64, n // 16, 8, 4, 4, 2, 2, 2)
    weights = weights.permute(0, 4, 7, 3, 5, 1, 6, 2).reshape(k, n)
    scales = kernel["scales"].view(k // 128, n)
    if kernel.problem["ZEROS"]:
        zeros = nibbles(kernel["zeros"].view(k // 128, n // 8)).reshape(k // 128, n)
    else:
        zeros = torch.full_like(scales, 8, dtype=torch.int32)
    return weights, zeros, scales


def packed_product(a, weights, zeros, scales):
    """PyTorch's own product with weights of 4 bits, which knows bf16 alone: its weights
    less 8 times scale, plus an offset."""
    bits = weights.t().to(torch.uint8).contiguous()
    packed = torch._convert_weight_to_int4pack(bits[:, ::2] << 4 | bits[:, 1::2], 8)
    offsets = (8 - zeros) * scales
    pairs = torch.stack([scales, offsets.to(scales.dtype)], 2).contiguous()
    return simple("torch._weight_int4pack_mm",
                  lambda: torch._weight_int4pack_mm(a, packed, 128, pairs))


def products_of_4_bits(kernel, _):
    p = kernel.problem
    a = kernel["A"].view(p["M"], p["K"])
    weights, zeros, scales = weights_of_4_bits(kernel)

    def wide(groups):
        return groups.float().repeat_interleave(128, 0)
    ready = ((weights - wide(zeros)) * wide(scales)).to(a.dtype)
    peers = [simple("torch.matmul, weights of 16 bits", lambda: torch.matmul(a, ready))]
    if kernel.machine.device == "cuda" and a.dtype == torch.bfloat16:
        try:
            peers.append(packed_product(a, weights, zeros, scales))
            peers[-1].run()
        except RuntimeError as error:
            print(f"  torch._weight_int4pack_mm: {str(error).splitlines()[0]}")
            peers = peers[:1]
    return peers


def scaled_dot_products(kernel, queries, keys):
    p = kernel.problem
    batch, heads, key_heads = p["BATCH"], p["HEADS"], p["KEY_HEADS"]
    q = kernel["Q"].view(batch, queries, heads, -1).transpose(1, 2)
    k = kernel["K"].view(batch, keys, key_heads, -1).transpose(1, 2)
    v = kernel["V"].view(batch, keys, key_heads, -1).transpose(1, 2)
    causal = bool(p.get("CAUSAL", False)) and queries > 1

    def attend(backend, k, v, grouped):
        with sdpa_kernel([backend]):
            out = F.scaled_dot_product_attention(q, k, v, is_causal=causal,
                                                 enable_gqa=grouped)
        return out.transpose(1, 2).reshape(-1)

    def usable(name, backend):
        """With heads that share keys, or else with keys repeated beforehand."""
        for grouped in (True, False):
            own = (k, v) if grouped else tuple(
                t.repeat_interleave(heads // key_heads, 1) for t in (k, v))
            try:
                attend(backend, *own, grouped)
            except RuntimeError as error:
                print(f"  {name}, grouped={grouped}: {str(error).splitlines()[0]}")
                continue
            suffix = "" if grouped else ", keys repeated"
            return simple(name + suffix, lambda: attend(backend, *own, grouped))
        return None

    if kernel.machine.device == "cpu":
        backends = {"sdpa math": SDPBackend.MATH}
    else:
        backends = {"sdpa flash": SDPBackend.FLASH_ATTENTION,
                    "sdpa cudnn": SDPBackend.CUDNN_ATTENTION}
    return [p for p in (usable(*b) for b in backends.items()) if p]


def attention(kernel, _):
    p = kernel.problem
    return scaled_dot_products(kernel, p["SEQ_Q"], p["SEQ_K"])


def decode(kernel, _):
    p = kernel.problem
    if p["PAGE"] != 0 or p["UNIT"] != 0:
        raise ValueError("compared with PAGE=0 and UNIT=0 only")
    return scaled_dot_products(kernel, p["SEQ_Q"], p["MORE"]) + [copy_of(kernel)]


def rows_of(kernel, name):
    return kernel[name].view(kernel.problem["rows"], kernel.problem["cols"])


def softmax(kernel, _):
    scale = next(a["value"] for a in kernel.args if a["name"] == "scale")
    scaled = rows_of(kernel, "in") * scale  # a power of two: nothing is rounded
    return [simple("torch.softmax", lambda: torch.softmax(scaled, 1)), copy_of(kernel)]


def rmsnorm(kernel, _):
    x, cols = rows_of(kernel, "in"), kernel.problem["cols"]
    return [simple("torch rms_norm", lambda: F.rms_norm(x, (cols,), kernel["weight"],
                                                        1e-5)), copy_of(kernel)]


def layernorm(kernel, _):
    x, cols = rows_of(kernel, "in"), kernel.problem["cols"]
    return [simple("torch layer_norm", lambda: F.layer_norm(
        x, (cols,), kernel["weight"], kernel["bias"], 1e-5)), copy_of(kernel)]


def reduction(kernel, _):
    return [simple("torch.sum", lambda: torch.sum(kernel["in"].view(
        kernel.problem["PARTS"], -1), 1)), copy_of(kernel)]


def transpose(kernel, _):
    p = kernel.problem
    stored = kernel["in"].view(p["M"], p["N"])
    out = torch.empty(p["N"], p["M"], dtype=kernel["out"].dtype,
                      device=kernel.machine.device)
    return [Peer("torch copy of t()", lambda: out.copy_(stored.t()), lambda: out),
            copy_of(kernel)]


# What moves more bytes than it computes with.
BY_BYTES = {"attention_decode", "softmax", "rmsnorm", "layernorm", "reduction",
            "transpose", "gemm_w4a16", "gemm_w4a16_sm90"}

# By kernel: its peers, where it writes, and the relative error that it may have.
TABLE = {
    "sgemm": (products, "D", 1e-5), "gemm_mma": (products, "D", 1e-2),
    "gemm_sm90": (products, "D", 1e-2),
    "gemm_w4a16": (products_of_4_bits, "D", 1e-2),
    "gemm_w4a16_sm90": (products_of_4_bits, "D", 1e-2),
    "attention": (attention, "O", 2e-2), "attention_sm90": (attention, "O", 2e-2),
    "attention_decode": (decode, "O", 2e-2),
    "softmax": (softmax, "out", 1e-2), "rmsnorm": (rmsnorm, "out", 1e-2),
    "layernorm": (layernorm, "out", 1e-2), "reduction": (reduction, "out", 1e-3),
    "transpose": (transpose, "out", 0),
}
