"""Launching what was tuned: a header with its payload, compiled to a library of this process."""
from __future__ import annotations

import ctypes
import operator
import os
import shlex
import struct
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._arrays import View, stream_of, view
from ._commands import Paths, _paths, emit
from ._errors import HoneError, UsageError
from ._glue import Header, compile_header, read_header
from ._sizes import evaluate, infer

_SCALARS: dict[str, Any] = {
    "f64": ctypes.c_double, "f32": ctypes.c_float, "i64": ctypes.c_int64, "i32": ctypes.c_int32,
    "i16": ctypes.c_int16, "i8": ctypes.c_int8, "u64": ctypes.c_uint64, "u32": ctypes.c_uint32,
    "u16": ctypes.c_uint16, "u8": ctypes.c_uint8, "f16": ctypes.c_uint16,
    "bf16": ctypes.c_uint16, "e4m3": ctypes.c_uint8, "e5m2": ctypes.c_uint8}
_PACKED = {"f64": "<d", "f32": "<f", "f16": "<e"}
_BYTES = (bytes, bytearray, memoryview)
_CONSTANT_MOST = 32764  # bytes, what parameters of a kernel may have
_TIERS = ("exact", "same_device", "same_arch", "same_family", "default", "none", "forced")
_CODES = {-1: "there is no libcuda, or it lacks a function",
          -2: "this thread has no current CUDA context: create an array on the GPU first",
          -3: "no configuration may run for these sizes on this GPU",
          -4: "there is no image for this GPU: build the payload for it (arch='sm_90a')",
          -5: "there is no libnvrtc, which compiles this payload",
          -6: "the payload does not compile for this GPU",
          -7: "out of memory, or too many contexts"}


class LaunchError(HoneError):
    """The driver, or the header, refused: exit_code is the CUresult, or below 0 the header's
    own code (docs/header.md)."""


@dataclass
class Choice:
    """What a header chooses for a GPU and sizes."""

    config: dict[str, Any]
    tier: str  # "exact", "same_device", ..., "none"
    number: int


def load(source: Paths, **options: Any) -> Kernel:
    """What is tuned, to be called. source: a header that was emitted with a payload, or journals,
    with `script` and other options of `hone emit` (payload="cubin" unless another is named).

    A C compiler is needed: $CC, or cc, gcc or clang."""
    paths = _paths(source)
    if len(paths) == 1 and not _is_json(paths[0]):
        if options:
            raise UsageError(f"{', '.join(options)}: of journals; this is a header")
        return Kernel(read_header(os.fspath(paths[0])))
    with tempfile.TemporaryDirectory(prefix="hone") as folder:
        path = os.path.join(folder, "emitted.h")
        emit(paths, path, **{"payload": "cubin", **options})
        return Kernel(read_header(path))


def _is_json(path: Any) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(1) == b"{"
    except OSError as error:
        raise UsageError(f"cannot read '{os.fspath(path)}': {error.strerror}") from None


class Kernel:
    """A tuned kernel. kernel(x, y, alpha=2.0, N=1000, stream=s): arrays and scalars in the order of
    `args`, or by name; sizes by name, but for those that follow from the arrays' elements.

    A call selects a configuration and launches it on the stream, and that is all: it neither
    allocates nor waits, so it may be captured in a graph once load() was called."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._library = compile_header(header)
        self.name = header.name
        self.sizes = [size.name for size in header.sizes]
        self.args = [arg.name for arg in header.args]
        self._launch = self._library.hone_launch
        self._launch.argtypes = [ctypes.c_void_p, *(size.c_type for size in header.sizes),
                                 *(_c_type(arg.kind, arg.dtype) for arg in header.args)]

    def __repr__(self) -> str:
        return f"<hone.Kernel {self.name}({', '.join(self.args + self.sizes)})>"

    def __call__(self, *values: Any, stream: Any = None, **named: Any) -> None:
        given = self._bind(values, named)
        views: dict[str, View] = {}
        held = {arg.name: self._convert(arg, given.pop(arg.name), views)
                for arg in self._header.args}
        arrays = [value for value in (*values, *named.values()) if not isinstance(
            value, (int, float, str, bytes, list, tuple, type(None)))]
        sizes = self._all_sizes(given, views)
        self._check_counts(sizes, views)
        self._check_constants(sizes, held)
        handle = stream_of(stream, arrays, list(views.values()))
        try:
            code = self._launch(handle, *sizes.values(), *held.values())
        except ctypes.ArgumentError as error:
            raise UsageError(f"{self.name}: {error}") from None
        if code:
            raise self._failure(code)

    def choose(self, **sizes: Any) -> Choice:
        """The configuration for these sizes on the GPU of the current context."""
        number, tier = ctypes.c_int(), ctypes.c_int()
        self._check(self._library.hone_choose(*self._c_sizes(sizes), ctypes.byref(number),
                                              ctypes.byref(tier)))
        config: dict[str, Any] = {}
        if number.value >= 0:
            self._library.hone_defines.restype = ctypes.c_char_p
            text = self._library.hone_defines(number).decode()
            # behind the parameters stand macros of the problem
            for word, kind in zip(shlex.split(text), self._header.params):
                name, value = word[len("-D"):].split("=", 1)
                config[name] = kind(value)
        return Choice(config, _TIERS[tier.value], number.value)

    def load(self, **sizes: Any) -> None:
        """Load what these sizes need into the current context, so that no launch has to: ahead of
        the capture of a graph. Without sizes all that has an image for this GPU."""
        if sizes:
            self._check(self._library.hone_load(self.choose(**sizes).number))
            return
        codes = [self._library.hone_load(number)
                 for number in range(self._library.hone_count())]
        if codes and all(codes):
            raise self._failure(codes[0])

    def unload(self) -> None:
        """Unload it from the current context, which must be idle."""
        self._check(self._library.hone_unload())

    def workspaces(self, **sizes: Any) -> dict[str, int]:
        """Bytes of each workspace for these sizes, for arrays to be made ahead; 0: None will do."""
        number = self.choose(**sizes).number
        if number < 0:
            raise self._failure(-3)
        found = {}
        for name in self._header.workspaces:
            function = getattr(self._library, f"hone_bytes_of_{name}")
            function.restype = ctypes.c_uint64
            found[name] = function(number, *self._c_sizes(sizes))
        return found

    # --- arguments ---

    def _bind(self, values: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
        if len(values) > len(self.args):
            raise UsageError(f"{self.name} takes {len(self.args)} arguments by their place "
                             f"({', '.join(self.args)}), not {len(values)}")
        given = dict(zip(self.args, values))
        for name, value in named.items():
            if name not in self.args and name not in self.sizes:
                raise UsageError(f"{self.name} has no argument '{name}': "
                                 f"{', '.join(self.args + self.sizes)}")
            if name in given:
                raise UsageError(f"'{name}' is given twice")
            given[name] = value
        missing = [name for name in self.args if name not in given]
        if missing:
            raise UsageError(f"{self.name} needs {', '.join(missing)}, too")
        return given

    def _convert(self, arg: Any, value: Any, views: dict[str, View]) -> Any:
        """As the C function takes it. None is a null pointer, an integer an address."""
        if arg.kind == "scalar":
            return _bits(arg, value)
        if arg.kind == "constant":
            return _host_values(arg, value)
        if value is None or isinstance(value, int):
            return value
        seen = view(value, arg.name)
        _check_array(arg, seen)
        views[arg.name] = seen
        return seen.pointer

    def _all_sizes(self, given: dict[str, Any], views: dict[str, View]) -> dict[str, Any]:
        known = {name: _plain(value) for name, value in given.items()}
        counts = {arg.size: views[arg.name].count for arg in self._header.args
                  if arg.name in views and not arg.pointers}
        infer(set(self.sizes), counts, known)
        return self._complete(known)

    def _complete(self, known: dict[str, Any]) -> dict[str, Any]:
        missing = [name for name in self.sizes if name not in known]
        if missing:
            raise UsageError(f"{self.name}: {', '.join(missing)} does not follow from the arrays: "
                             f"name it, as {missing[0]}=1024")
        sizes = {name: known[name] for name in self.sizes}
        for size in self._header.sizes:
            if isinstance(sizes[size.name], str):
                sizes[size.name] = sizes[size.name].encode()
        return sizes

    def _c_sizes(self, sizes: dict[str, Any]) -> list[Any]:
        unknown = [name for name in sizes if name not in self.sizes]
        if unknown:
            raise UsageError(f"{self.name} has no size '{unknown[0]}': {', '.join(self.sizes)}")
        complete = self._complete({name: _plain(value) for name, value in sizes.items()})
        return [size.c_type(complete[size.name]) for size in self._header.sizes]

    def _check_counts(self, sizes: dict[str, Any], views: dict[str, View]) -> None:
        for arg in self._header.args:
            need = evaluate(arg.size, sizes) if arg.name in views and not arg.pointers else None
            if need is not None and views[arg.name].count < need:
                raise UsageError(f"'{arg.name}' has {views[arg.name].count} elements, "
                                 f"{arg.size} is {need}")

    def _check_constants(self, sizes: dict[str, Any], held: dict[str, Any]) -> None:
        """The launch copies as many bytes as the kernel's structure has: where that does not
        follow from the sizes there are zeros behind the values."""
        for arg in self._header.args:
            if arg.kind != "constant":
                continue
            need, item = evaluate(arg.size, sizes), ctypes.sizeof(_SCALARS[arg.dtype])
            if need is None:
                held[arg.name] = held[arg.name].ljust(_CONSTANT_MOST, b"\0")
            elif len(held[arg.name]) != need * item:
                raise UsageError(f"'{arg.name}' has {len(held[arg.name])} bytes, the kernel takes "
                                 f"{need * item}: {need} elements of {arg.dtype}")

    # --- failures ---

    def _check(self, code: int) -> None:
        if code:
            raise self._failure(code)

    def _failure(self, code: int) -> LaunchError:
        text = _CODES.get(code, f"the driver says {code}{_driver_s_words(code)}")
        return LaunchError(f"{self.name}: {text}", code)


def _c_type(kind: str, dtype: str) -> Any:
    return _SCALARS[dtype] if kind == "scalar" else ctypes.c_void_p


def _plain(size: Any) -> Any:
    """An integer of another package is one of Python's."""
    return operator.index(size) if hasattr(size, "__index__") else size


def _bits(arg: Any, value: Any) -> Any:
    """A number as C takes it, floats of 16 bits by their bits; bytes are as the GPU has them."""
    kind = _SCALARS[arg.dtype]
    try:
        if isinstance(value, _BYTES):
            return kind.from_buffer_copy(_all_of(arg, bytes(value))).value
        value = value.item() if hasattr(value, "item") else value
        if arg.dtype in ("f64", "f32", "f16"):
            bits = struct.pack(_PACKED[arg.dtype], value)
            return kind.from_buffer_copy(bits).value
        if arg.dtype == "bf16":
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 if value == value else 0x7FC0
        if arg.dtype not in ("e4m3", "e5m2") and kind(operator.index(value)).value == value:
            return operator.index(value)
    except (TypeError, ValueError, struct.error):
        raise UsageError(f"'{arg.name}' takes a number of {arg.dtype}, not {value!r}") from None
    except OverflowError:
        pass
    way = "give its byte, as b'\\x38'" if arg.dtype in ("e4m3", "e5m2") else "it does not fit"
    raise UsageError(f"'{arg.name}' takes a number of {arg.dtype}, not {value!r}: {way}")


def _all_of(arg: Any, data: bytes) -> bytes:
    if len(data) != ctypes.sizeof(_SCALARS[arg.dtype]):
        raise ValueError
    return data


def _host_values(arg: Any, value: Any) -> bytes:
    """Values that travel in the launch itself: numbers, or bytes as the GPU has them."""
    if isinstance(value, _BYTES):
        return bytes(value)
    if not isinstance(value, Iterable):
        raise UsageError(f"'{arg.name}' takes numbers of {arg.dtype}, as a list, or bytes, not "
                         f"{value!r}")
    numbers = [_bits(arg, number) for number in value]
    return bytes((_SCALARS[arg.dtype] * len(numbers))(*numbers))


def _check_array(arg: Any, seen: View) -> None:
    fits = seen.dtype == arg.dtype if seen.dtype else True
    if arg.pointers:
        fits = seen.itemsize == 8
    elif arg.dtype in ("e4m3", "e5m2"):
        fits = seen.itemsize == 1
    elif arg.dtype == "bf16" and seen.dtype in (None, "u16", "i16"):
        fits = seen.itemsize == 2
    if not fits or (not arg.pointers and seen.itemsize != ctypes.sizeof(_SCALARS[arg.dtype])):
        raise UsageError(f"'{arg.name}' has elements of {seen.dtype or seen.itemsize}, the kernel "
                         f"takes {arg.dtype}")
    if not seen.contiguous:
        raise UsageError(f"'{arg.name}' is not contiguous, row after row: make a copy that is")
    if seen.read_only and arg.kind != "input":
        raise UsageError(f"'{arg.name}' is read-only, and the kernel writes to it")


def _driver_s_words(code: int) -> str:
    """Of a CUresult, ": invalid argument"; nothing where the driver cannot be asked."""
    try:
        driver = ctypes.CDLL(os.environ.get("HONE_LIBCUDA") or "libcuda.so.1")
        words = ctypes.c_char_p()
        if driver.cuGetErrorString(code, ctypes.byref(words)) or not words.value:
            return ""
    except (OSError, AttributeError):
        return ""
    return ": " + words.value.decode()
