"""Where the program lies, and the environment in which it finds NVRTC and CUPTI."""
from __future__ import annotations

import os
import sys
from typing import Optional

from ._errors import HoneError

_TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_tree")


def program() -> str:
    """The path of the program: HONE_PROGRAM names another one than the package's own."""
    path = os.environ.get("HONE_PROGRAM") or os.path.join(_TREE, "bin", "hone")
    if not os.access(path, os.X_OK):
        raise HoneError(f"no program '{path}': install the package by pip, or let "
                        "HONE_PROGRAM name one that was built")
    return path


def library() -> Optional[str]:
    """The path of libhone.so in the package, for ctypes and linkers; None where there is none."""
    folder = os.path.join(_TREE, "lib")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((os.path.join(folder, name) for name in names
                 if name.startswith("libhone.so")), None)


def environment() -> dict[str, str]:
    """This process's, with HONE_NVRTC and HONE_CUPTI where NVIDIA's wheels are installed.

    What the user has set stays. A library newer than the driver is passed over for an older
    one where there is one, since the driver would not load what it builds."""
    env = dict(os.environ)
    for variable, name in (("HONE_NVRTC", "libnvrtc.so"), ("HONE_CUPTI", "libcupti.so")):
        found = [] if env.get(variable) else _in_wheels(name)
        if not found:
            continue
        most = _driver_major() if len(found) > 1 else None
        fitting = [path for major, path in found if most is None or major <= most]
        env[variable] = fitting[0] if fitting else found[-1][1]
    return env


def _in_wheels(name: str) -> list[tuple[int, str]]:
    """Major version and path of such libraries in the wheels, the newest first."""
    found = []
    for folder in sys.path:
        root = os.path.join(folder, "nvidia")
        for package in os.listdir(root) if os.path.isdir(root) else []:
            lib = os.path.join(root, package, "lib")
            for file in os.listdir(lib) if os.path.isdir(lib) else []:
                major = file[len(name) + 1:]
                if file.startswith(name + ".") and major.isdigit():
                    found.append((int(major), os.path.join(lib, file)))
    return sorted(found, reverse=True)


def _driver_major() -> Optional[int]:
    """The CUDA version of the driver, without its minor one; None without a driver."""
    import ctypes

    try:
        driver = ctypes.CDLL(os.environ.get("HONE_LIBCUDA") or "libcuda.so.1")
    except OSError:
        return None
    version = ctypes.c_int()
    if driver.cuDriverGetVersion(ctypes.byref(version)):
        return None
    return version.value // 1000
