"""Matrix products by cuBLASLt: all algorithms that its heuristic proposes are timed, and
the fastest is the peer. Numbers are those of cublasLt.h, cublas_api.h and library_types.h
of CUDA 12 and 13."""
import ctypes

import torch

COMPUTE_32F, R_32F, OP_T = 68, 0, 1
TYPES = {torch.float32: R_32F, torch.float16: 2, torch.bfloat16: 14}
DESC_TRANSA, DESC_TRANSB, PREFERENCE_MAX_WORKSPACE = 3, 4, 1
PROPOSALS = 16
WORKSPACE_BYTES = 64 << 20
VOID = ctypes.c_void_p


class Heuristic(ctypes.Structure):
    _fields_ = [("algo", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t),
                ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


def _open():
    for name in ("libcublasLt.so.13", "libcublasLt.so.12"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    raise RuntimeError("there is no libcublasLt")


class Product:
    """d = a b of matrices in rows; a_turned, b_turned: the stored one is the transpose.

    cuBLASLt thinks in columns, where a matrix in rows is its own transpose: it computes
    the transpose of d from b and a."""

    def __init__(self, a, b, d, sizes, a_turned, b_turned):
        m, n, k = sizes
        self.library = _open()
        self.tensors = (b, a, d)
        self.workspace = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")
        self.handle, self.desc = VOID(), VOID()
        self._call("Create", ctypes.byref(self.handle))
        self._call("MatmulDescCreate", ctypes.byref(self.desc), COMPUTE_32F, R_32F)
        for turned, which in ((b_turned, DESC_TRANSA), (a_turned, DESC_TRANSB)):
            if turned:
                self._call("MatmulDescSetAttribute", self.desc, which,
                           ctypes.byref(ctypes.c_int32(OP_T)), ctypes.c_size_t(4))
        self.layouts = [self._layout(b, k if b_turned else n, n if b_turned else k),
                        self._layout(a, m if a_turned else k, k if a_turned else m),
                        self._layout(d, n, m)]
        self.proposals = self._propose()

    def _call(self, name, *arguments):
        result = getattr(self.library, "cublasLt" + name)(*arguments)
        if result != 0:
            raise RuntimeError(f"cublasLt{name} failed: {result}")

    def _layout(self, tensor, rows, columns):
        layout = VOID()
        self._call("MatrixLayoutCreate", ctypes.byref(layout), TYPES[tensor.dtype],
                   ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(rows))
        return layout

    def _propose(self):
        preference, found = VOID(), ctypes.c_int()
        results = (Heuristic * PROPOSALS)()
        b, a, d = self.layouts
        self._call("MatmulPreferenceCreate", ctypes.byref(preference))
        self._call("MatmulPreferenceSetAttribute", preference, PREFERENCE_MAX_WORKSPACE,
                   ctypes.byref(ctypes.c_size_t(WORKSPACE_BYTES)), ctypes.c_size_t(8))
        self._call("MatmulAlgoGetHeuristic", self.handle, self.desc, b, a, d, d,
                   preference, PROPOSALS, results, ctypes.byref(found))
        return [r for r in results[:found.value] if r.state == 0]

    def run(self, proposal):
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        (b, a, d), (lb, la, ld) = self.tensors, self.layouts
        self._call("Matmul", self.handle, self.desc, ctypes.byref(one),
                   VOID(b.data_ptr()), lb, VOID(a.data_ptr()), la, ctypes.byref(zero),
                   VOID(d.data_ptr()), ld, VOID(d.data_ptr()), ld,
                   ctypes.byref(proposal.algo), VOID(self.workspace.data_ptr()),
                   ctypes.c_size_t(WORKSPACE_BYTES),
                   VOID(torch.cuda.current_stream().cuda_stream))
