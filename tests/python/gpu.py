"""A GPU by the standard library alone: the driver's memory, and arrays of either protocol over it.
The driver is the emulated one (tests/fake/emu_cuda.c)."""
import ctypes
import os
import struct

from support import BUILD

LIBRARY = os.path.join(BUILD, "tests", "fake", "emu_cuda.so")
CODES = {"f": "f", "d": "d", "i": "i", "H": "H", "Q": "Q"}
TYPESTR = {"f": "<f4", "d": "<f8", "i": "<i4", "H": "<u2", "Q": "<u8"}
DLPACK = {"f": (2, 32), "d": (2, 64), "i": (0, 32), "H": (1, 16), "Q": (1, 64), "bf": (4, 16)}


class Driver:
    """The functions that tests call, with a context current on this thread."""

    def __init__(self):
        os.environ["HONE_LIBCUDA"] = LIBRARY
        self.find = ctypes.CDLL(LIBRARY).cuGetProcAddress_v2
        self.call("cuInit", 0)
        self.context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.call("cuCtxSetCurrent", self.context)

    def function(self, name):
        address = ctypes.c_void_p()
        code = self.find(name.encode(), ctypes.byref(address), 12000, ctypes.c_uint64(0), None)
        assert code == 0, name
        return ctypes.CFUNCTYPE(ctypes.c_int)(address.value)

    def call(self, name, *args):
        code = self.function(name)(*args)
        assert code == 0, f"{name}: {code}"

    def calls(self):
        """What was called since the last time."""
        text = ctypes.create_string_buffer(8192)
        self.call("cuEmuTakeCalls", text, ctypes.c_size_t(len(text)))
        return text.value.decode().splitlines()


class Array:
    """Memory of the GPU with the values of a list; derived classes offer a protocol."""

    def __init__(self, driver, values, code="f", shape=None):
        self.driver, self.code, self.size = driver, code, len(values)
        self.shape = shape or (len(values),)
        self.bytes = struct.pack(f"<{len(values)}{code}", *values)
        memory = ctypes.c_uint64()
        driver.call("cuMemAlloc", ctypes.byref(memory), ctypes.c_size_t(len(self.bytes) + 1))
        self.pointer = memory.value
        driver.call("cuMemcpyHtoD", memory, self.bytes, ctypes.c_size_t(len(self.bytes)))

    def values(self):
        host = ctypes.create_string_buffer(len(self.bytes))
        self.driver.call("cuMemcpyDtoH", host, ctypes.c_uint64(self.pointer),
                         ctypes.c_size_t(len(self.bytes)))
        return list(struct.unpack(f"<{self.size}{self.code}", host.raw))


class Interface(Array):
    """As numba and CuPy have it."""

    strides = None
    stream = None
    read_only = False

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": TYPESTR[self.code], "version": 3,
                "data": (self.pointer, self.read_only), "strides": self.strides,
                "stream": self.stream}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
                ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Capsule(Array):
    """DLPack alone; an offset tells that it is heeded."""

    device_type = 2
    dlpack = None
    asked = None

    def __dlpack__(self, stream=None):
        self.asked = stream
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                       ctypes.c_void_p]
        code, bits = self.dlpack or DLPACK[self.code]
        self.dims = (ctypes.c_int64 * len(self.shape))(*self.shape)
        self.tensor = Tensor(self.pointer - 16, self.device_type, 0, len(self.shape), code, bits,
                             1, self.dims, None, 16)
        return new(ctypes.addressof(self.tensor), b"dltensor", None)
