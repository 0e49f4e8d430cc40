"""Arrays on a GPU, of whatever package: where their elements lie, without a copy and without
waiting for anybody."""
from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Optional, cast

from ._errors import UsageError

_KINDS = {"b": "u", "V": None}  # of typestr, where its letter is not Hone's
_CODES = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "c", 6: "u"}  # of DLPack
_CUDA = (2, 13)  # device memory, managed memory


@dataclass
class View:
    pointer: int
    dtype: Optional[str]  # as Hone has it; None where the package's word is not known
    itemsize: int
    count: int
    contiguous: bool
    read_only: bool
    stream: Optional[int]  # that its maker names


def view(array: Any, name: str) -> View:
    """Of __cuda_array_interface__, else of __dlpack__: the first lacks types like bf16."""
    try:
        interface = array.__cuda_array_interface__
    except (AttributeError, TypeError, RuntimeError):
        interface = None
    if interface is not None:
        return _of_interface(interface)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array, name)
    raise UsageError(f"'{name}' is a {type(array).__name__}: wanted is an array on the GPU, with "
                     "__cuda_array_interface__ or __dlpack__")


def stream_of(stream: Any, arrays: list[Any], views: list[View]) -> int:
    """The handle of a stream: an integer, or what torch, CuPy and cuda.core call one. None is the
    one that is current in the package of the arrays, else the one that they name, else the
    default one."""
    if stream is None:
        return _current_stream(arrays, views)
    for name in "cuda_stream", "ptr":
        if isinstance(getattr(stream, name, None), int):
            return cast(int, getattr(stream, name))
    if hasattr(stream, "__cuda_stream__"):
        return cast(int, stream.__cuda_stream__()[1])
    if hasattr(stream, "__index__"):
        return int(stream)
    raise UsageError(f"{stream!r} is no stream: wanted is its handle, or a stream of torch or CuPy")


def _current_stream(arrays: list[Any], views: list[View]) -> int:
    for array in arrays:
        package = type(array).__module__.partition(".")[0]
        if package == "torch":
            return cast(int, sys.modules["torch"].cuda.current_stream(array.device).cuda_stream)
        if package == "cupy":
            return cast(int, sys.modules["cupy"].cuda.get_current_stream().ptr)
    return next((view.stream for view in views if view.stream is not None), 0)


def _is_packed(shape: tuple[int, ...], strides: Optional[tuple[int, ...]], item: int) -> bool:
    """Row after row, without gaps; axes of one element may have any stride."""
    for size, stride in zip(reversed(shape), reversed(strides or ())):
        if size != 1 and stride != item:
            return False
        item *= size
    return True


def _product(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _of_interface(interface: dict[str, Any]) -> View:
    shape, typestr = tuple(interface["shape"]), interface["typestr"]
    itemsize = int(typestr[2:])
    kind = _KINDS.get(typestr[1], typestr[1])
    pointer, read_only = interface["data"]
    return View(pointer=pointer or 0, dtype=kind and f"{kind}{8 * itemsize}", itemsize=itemsize,
                count=_product(shape), read_only=bool(read_only),
                contiguous=_is_packed(shape, interface.get("strides"), itemsize),
                stream=interface.get("stream"))


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h, with which DLManagedTensor begins."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


def _capsule(array: Any, name: str) -> Any:
    """-1 asks its maker not to wait for anything: what is launched goes to the stream on which
    the caller works, and a wait would have no place in a graph."""
    try:
        try:
            return array.__dlpack__(stream=-1)
        except TypeError:
            return array.__dlpack__()
    except Exception as error:  # packages have their own
        raise UsageError(f"'{name}' gives no capsule of DLPack: {error}") from error


def _check_device(kind: int, name: str) -> None:
    if kind not in _CUDA:
        raise UsageError(f"'{name}' does not lie on a CUDA device (DLPack's device type {kind})")


def _of_dlpack(array: Any, name: str) -> View:
    """The capsule is only looked into; it frees itself."""
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    if hasattr(array, "__dlpack_device__"):  # arrays of the host refuse the stream
        _check_device(int(array.__dlpack_device__()[0]), name)
    capsule = _capsule(array, name)
    tensor = ctypes.cast(api.PyCapsule_GetPointer(capsule, b"dltensor"),
                         ctypes.POINTER(_Tensor)).contents
    _check_device(tensor.device_type, name)
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    kind, lanes = _CODES.get(tensor.code), f"x{tensor.lanes}" if tensor.lanes > 1 else ""
    return View(pointer=(tensor.data or 0) + tensor.byte_offset,
                dtype=kind and f"{kind}{tensor.bits}{lanes}",
                itemsize=tensor.bits * tensor.lanes // 8, count=_product(shape),
                contiguous=_is_packed(shape, strides, 1), read_only=False, stream=None)
