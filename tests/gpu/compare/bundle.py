"""Kernels that hone tuned, as hone_bench_bundle writes them, launched from Python.

The CUDA driver is asked through ctypes in the context that PyTorch has made. HONE_LIBCUDA
names another driver; one that cannot share PyTorch's memory (the tests' emulator) gets
copies of CPU tensors, so that everything but the times can be tried without a GPU."""
import ctypes
import json
import os
import struct

import torch

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
    "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16,
    "i8": torch.int8, "u64": torch.int64, "u32": torch.int32, "u8": torch.uint8,
}
SCALARS = {"f64": "d", "f32": "f", "i64": "q", "i32": "i", "u64": "Q", "u32": "I"}
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
VOID = ctypes.c_void_p


class Driver:
    """The functions of libcuda by name; a result other than 0 is an exception."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        self._find = library.cuGetProcAddress_v2
        self._find.argtypes = [ctypes.c_char_p, VOID, ctypes.c_int, ctypes.c_uint64, VOID]
        self._found = {}

    def call(self, name, version, *arguments):
        if name not in self._found:
            address = VOID()
            if self._find(name.encode(), ctypes.byref(address), version, 0, None) != 0:
                raise RuntimeError(f"the driver lacks {name}")
            self._found[name] = ctypes.CFUNCTYPE(ctypes.c_int)(address.value)
        result = self._found[name](*arguments)
        if result != 0:
            raise RuntimeError(f"{name} failed: {result}")


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [(name, ctypes.c_uint) for name in (
        "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")] + [
            ("stream", VOID), ("attributes", VOID), ("count", ctypes.c_uint)]


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: its value is 64 bytes."""
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class Gpu:
    """PyTorch's GPU: kernels get the tensors' own memory and PyTorch's stream."""
    device = "cuda"
    image = ".cubin"

    def __init__(self):
        torch.cuda.init()
        torch.zeros(1, device=self.device)  # makes the context current
        self.driver = Driver(os.environ.get("HONE_LIBCUDA", "libcuda.so.1"))

    def launch(self, kernel):
        self._launch(kernel, [t.data_ptr() for t in kernel.buffers],
                     torch.cuda.current_stream().cuda_stream)

    def _launch(self, kernel, addresses, stream):
        values = kernel.parameters(addresses)
        pointers = (VOID * len(values))(
            *[ctypes.cast(ctypes.byref(v), VOID) for v in values])
        sizes = [ctypes.c_uint(n) for n in kernel.grid + kernel.block]
        sizes.append(ctypes.c_uint(kernel.shared_bytes))
        if max(kernel.cluster) > 1:
            config = LaunchConfig(*[s.value for s in sizes], VOID(stream), None, 1)
            attribute = LaunchAttribute(CLUSTER_DIMENSION, 0, (ctypes.c_uint * 16)(
                *kernel.cluster))
            config.attributes = ctypes.addressof(attribute)
            self.driver.call("cuLaunchKernelEx", 11060, ctypes.byref(config),
                             kernel.function, pointers, None)
        else:
            self.driver.call("cuLaunchKernel", 4000, kernel.function, *sizes, VOID(stream),
                             pointers, None)

    def tensor_map(self, recipe, address):
        """The 128 bytes that stand for a map of what is at the address."""
        rank = len(recipe["size"])
        room = (ctypes.c_char * 192)()
        at = (ctypes.addressof(room) + 63) // 64 * 64
        self.driver.call(
            "cuTensorMapEncodeTiled", 12000, VOID(at), ctypes.c_int(recipe["type"]),
            ctypes.c_uint(rank), VOID(address), (ctypes.c_uint64 * rank)(*recipe["size"]),
            (ctypes.c_uint64 * rank)(*recipe["stride"]),
            (ctypes.c_uint * rank)(*recipe["box"]), (ctypes.c_uint * rank)(*recipe["step"]),
            *[ctypes.c_int(recipe[mode])
              for mode in ("interleave", "swizzle", "promotion", "fill")])
        return (ctypes.c_char * 128).from_buffer_copy(ctypes.string_at(at, 128))


class Emulated(Gpu):
    """A driver with memory of its own: each launch copies all buffers there and back."""
    device = "cpu"
    image = ".ptx"

    def __init__(self):
        self.driver = Driver(os.environ["HONE_LIBCUDA"])
        context = VOID()
        self.driver.call("cuInit", 2000, 0)
        self.driver.call("cuDevicePrimaryCtxRetain", 7000, ctypes.byref(context), 0)
        self.driver.call("cuCtxSetCurrent", 4000, context)

    def launch(self, kernel):
        addresses = []
        for tensor in kernel.buffers:
            address = ctypes.c_uint64()
            size = ctypes.c_size_t(max(1, tensor.numel() * tensor.element_size()))
            self.driver.call("cuMemAlloc", 3020, ctypes.byref(address), size)
            self.driver.call("cuMemcpyHtoD", 3020, address, VOID(tensor.data_ptr()), size)
            addresses.append(address.value)
        self._launch(kernel, addresses, None)
        for tensor, address in zip(kernel.buffers, addresses):
            size = ctypes.c_size_t(tensor.numel() * tensor.element_size())
            self.driver.call("cuMemcpyDtoH", 3020, VOID(tensor.data_ptr()),
                             ctypes.c_uint64(address), size)
            self.driver.call("cuMemFree", 3020, ctypes.c_uint64(address))


class Kernel:
    """A bundle: its buffers are random tensors, self[name], and it is ready to launch."""

    def __init__(self, machine, path):
        with open(path, encoding="utf-8") as file:
            self.__dict__.update(json.load(file))
        self.machine = machine
        self.tensors = {a["name"]: self._fill(a) for a in self.args if a["count"] or
                        a["kind"] == "workspace"}
        self.buffers = list(self.tensors.values())
        self._load(path.removesuffix(".json") + machine.image)

    def __getitem__(self, name):
        return self.tensors[name]

    # As hone fills buffers: uniform in [-1, 1]. Tables of whole numbers are only read by
    # variants that are not compared, and counters start from 0.
    def _fill(self, arg):
        dtype = DTYPES[arg["dtype"]]
        count = max(1, arg["count"])
        device = self.machine.device
        if not dtype.is_floating_point or arg["zero"]:
            return torch.zeros(count, dtype=dtype, device=device)
        if arg["kind"] != "input":
            return torch.full((count,), float("nan"), dtype=dtype, device=device)
        return (torch.rand(count, device=device) * 2 - 1).to(dtype)

    def _load(self, path):
        driver = self.machine.driver
        with open(path, "rb") as file:
            image = file.read() + b"\0"
        module, self.function = VOID(), VOID()
        driver.call("cuModuleLoadDataEx", 2010, ctypes.byref(module), image, 0, None, None)
        driver.call("cuModuleGetFunction", 2000, ctypes.byref(self.function), module,
                    self.entry.encode())
        if self.shared_bytes > 48 * 1024:
            driver.call("cuFuncSetAttribute", 9000, self.function, MAX_DYNAMIC_SHARED,
                        self.shared_bytes)

    def parameters(self, addresses):
        values, left = [], iter(addresses)
        for arg in self.args:
            if arg["name"] in self.tensors:
                address = next(left)
                values.append(self.machine.tensor_map(arg["map"], address)
                              if "map" in arg else ctypes.c_uint64(address))
            else:
                raw = struct.pack(SCALARS[arg["dtype"]], arg["value"])
                values.append((ctypes.c_char * len(raw)).from_buffer_copy(raw))
        return values

    def launch(self):
        self.machine.launch(self)
