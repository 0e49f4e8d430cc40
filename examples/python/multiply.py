#!/usr/bin/env python3
"""Calls the example library from Python by ctypes, with nothing but the standard library:
multiply.py LIBBLAS. The driver is libcuda.so.1, or what HONE_LIBCUDA names."""
import ctypes
import os
import random
import sys


class Driver:
    """The few functions of the CUDA driver API that are needed, on the first GPU."""

    def __init__(self):
        library = ctypes.CDLL(os.environ.get("HONE_LIBCUDA", "libcuda.so.1"))
        self.find = library.cuGetProcAddress_v2
        self.call("cuInit", ctypes.c_uint(0))
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), ctypes.c_int(0))
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        address = ctypes.c_void_p()
        if self.find(name.encode(), ctypes.byref(address), 12000, ctypes.c_uint64(0), None):
            raise RuntimeError("the driver has no " + name)
        error = ctypes.CFUNCTYPE(ctypes.c_int)(address.value)
        error.argtypes = [type(arg) if isinstance(arg, ctypes._SimpleCData)
                          else ctypes.c_void_p for arg in args]
        code = error(*args)
        if code:
            raise RuntimeError("%s: CUDA error %d" % (name, code))

    def copy_in(self, values):
        memory = ctypes.c_uint64()
        host = (ctypes.c_float * len(values))(*values)
        self.call("cuMemAlloc", ctypes.byref(memory), ctypes.c_size_t(ctypes.sizeof(host)))
        self.call("cuMemcpyHtoD", memory, ctypes.cast(host, ctypes.c_void_p),
                  ctypes.c_size_t(ctypes.sizeof(host)))
        return memory

    def copy_out(self, memory, count):
        host = (ctypes.c_float * count)()
        self.call("cuMemcpyDtoH", ctypes.cast(host, ctypes.c_void_p), memory,
                  ctypes.c_size_t(ctypes.sizeof(host)))
        return list(host)


def multiply(driver, blas, a, b, m, n, k):
    """The product of two lists, row-major, on the GPU."""
    on_gpu = [driver.copy_in(a), driver.copy_in(b), driver.copy_in([0.0] * (m * n))]
    pointers = [ctypes.c_void_p(memory.value) for memory in on_gpu]
    error = blas.blas_sgemm(None, m, n, k, *pointers)
    if error:
        raise RuntimeError(blas.blas_error_text(error).decode())
    c = driver.copy_out(on_gpu[2], m * n)
    for memory in on_gpu:
        driver.call("cuMemFree", memory)
    return c


def main():
    if len(sys.argv) != 2:
        print("usage: multiply.py LIBBLAS (examples/blas builds it)", file=sys.stderr)
        sys.exit(2)
    blas = ctypes.CDLL(os.path.abspath(sys.argv[1]))
    blas.blas_error_text.restype = ctypes.c_char_p
    driver = Driver()
    random.seed(1)
    m, n, k = 37, 21, 50
    a = [random.randrange(-64, 64) / 8 for _ in range(m * k)]
    b = [random.randrange(-64, 64) / 8 for _ in range(k * n)]
    c = multiply(driver, blas, a, b, m, n, k)
    expected = [sum(a[i * k + l] * b[l * n + j] for l in range(k))
                for i in range(m) for j in range(n)]
    print("%d x %d x %d: %s" % (m, n, k, "right" if c == expected else "wrong"))
    sys.exit(c != expected)


if __name__ == "__main__":
    main()
