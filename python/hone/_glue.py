"""A header of `hone emit` as a library: what its launch takes is read from it, its functions are
static and so get names that are not."""
from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any

from ._errors import HoneError, UsageError

_EMITTED = re.compile(r"^#define HONE_EMITTED_(\w+) 0x", re.M)
_ARGUMENT = re.compile(r"^ \*   (\w+): (\w+), (\w+)(?:, (.*) elements)?(, pointers)?$", re.M)
_SIZE_TYPES = {"long long": ctypes.c_longlong, "double": ctypes.c_double, "int": ctypes.c_int,
               "const char *": ctypes.c_char_p}
# What a configuration's fields are in Python; those of a launch are unsigned.
_FIELD_TYPES = {"int": int, "long long": int, "double": float, "const char *": str}
SUFFIX = "_of_problem"  # of a size whose name the header itself needs


@dataclass
class Size:
    name: str
    declared: str  # as the C function has it
    c_type: Any


@dataclass
class Argument:
    name: str
    kind: str
    dtype: str
    size: str  # an expression, of elements; "" of a scalar
    pointers: bool
    declared: str


@dataclass
class Header:
    name: str
    files: list[str]  # to be included in this order
    sizes: list[Size] = field(default_factory=list)
    args: list[Argument] = field(default_factory=list)
    workspaces: list[str] = field(default_factory=list)
    params: list[Any] = field(default_factory=list)  # the type of each, in their order


def read_header(path: str) -> Header:
    """UsageError for what is no header, or has no payload. Of the shape `runtime` the second file,
    which has it, is found beside the first."""
    text = _read(path)
    found = _EMITTED.search(text)
    if not found:
        raise UsageError(f"'{path}' is no header of hone emit")
    header = Header(name=found[1], files=[path])
    second = re.sub(r"(\.[^./]*)?$", "_runtime.h", path, count=1)
    if f"{header.name}_launch(" not in text and os.path.exists(second):
        header.files.append(second)
        text += _read(second)
    launch = re.search(rf"^(?:static inline int )?{header.name}_launch\(void \*stream(.*?)\)\s{{",
                       text, re.M | re.S)
    if not launch:
        raise UsageError(f"'{path}' has no payload to launch: emit it with --payload, or load its "
                         "journal")
    _read_params(header, launch[1], text, path)
    header.params = _field_types(header.name, text)
    return header


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None


def _field_types(name: str, text: str) -> list[Any]:
    """Of the parameters in NAME_config: they stand first, the others have comments."""
    found = re.search(rf"typedef struct {name}_config {{(.*?)}} {name}_config;", text, re.S)
    types: list[Any] = []
    for line in re.sub(r"[^;]*;\s*/\*.*?\*/", "", found[1] if found else "", flags=re.S).split(";"):
        kind = re.match(r"\s*(int|long long|double|const char \*)", line)
        if kind:
            types += [_FIELD_TYPES[kind[1]]] * len(line.split(","))
    return types


def _read_params(header: Header, params: str, text: str, path: str) -> None:
    told = {match[1]: match for match in _ARGUMENT.finditer(text)}
    for param in filter(None, (" ".join(p.split()) for p in params.split(","))):
        kind, name = re.fullmatch(r"(.*?)(\w+)", param).groups()  # type: ignore[union-attr]
        if not name.endswith("_arg"):
            header.sizes.append(Size(name[:-len(SUFFIX)] if name.endswith(SUFFIX) else name, param,
                                     _SIZE_TYPES[kind.strip()]))
        elif name[:-4] not in told:
            raise UsageError(f"'{path}' does not tell its arguments, as headers did before: emit "
                             "it again")
        else:
            match = told[name[:-4]]
            header.args.append(Argument(match[1], match[2], match[3], match[4] or "",
                                        bool(match[5]), param))
    header.workspaces = [arg.name for arg in header.args if arg.kind == "workspace"
                         and f"{header.name}_{arg.name}_bytes(" in text]


def compile_header(header: Header) -> ctypes.CDLL:
    """The library is opened and its file removed."""
    compiler = os.environ.get("CC") or next(
        (name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if not compiler:
        raise UsageError("a header is compiled to be called, and there is no C compiler: install "
                         "one, or let CC name it")
    with tempfile.TemporaryDirectory(prefix="hone") as folder:
        source, library = os.path.join(folder, "glue.c"), os.path.join(folder, "glue.so")
        with open(source, "w", encoding="utf-8") as file:
            file.write(_glue(header))
        words = [*compiler.split(), "-O2", "-fPIC", "-shared", "-w", "-o", library, source, "-ldl"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise HoneError(f"{compiler} does not compile {header.files[0]}: "
                            f"{done.stderr.strip()[:1000]}")
        return ctypes.CDLL(library)


def _glue(header: Header) -> str:
    n = header.name
    declared = [size.declared for size in header.sizes] + [arg.declared for arg in header.args]
    names = [param.split()[-1].lstrip("*") for param in declared]
    sizes = names[:len(header.sizes)]
    size_params = "".join(f"{size.declared}, " for size in header.sizes)
    size_names = "".join(f", {name}" for name in sizes)
    params = "".join(f", {param}" for param in declared)
    bytes_params = "".join(f", {size.declared}" for size in header.sizes)
    return "".join(f'#include "{os.path.abspath(file)}"\n' for file in header.files) + f"""
int hone_launch(void *stream{params})
{{
    return {n}_launch(stream{"".join(f", {name}" for name in names)});
}}
int hone_choose({size_params}int *number, int *tier)
{{
    {n}_gpu gpu;
    const int status = {n}_gpu_here(&gpu);
    if (status) return status;
    const {n}_config *config = {n}_select_for(&gpu{size_names}, tier);
    *number = config ? (int)(config - {n}_configs) : -1;
    return 0;
}}
int hone_load(int number)
{{
    return {n}_load(number < 0 ? 0 : &{n}_configs[number]);
}}
int hone_unload(void) {{ return {n}_unload(); }}
int hone_count(void) {{ return {n.upper()}_CONFIGS; }}
const char *hone_defines(int number) {{ return {n}_defines[number]; }}
""" + "".join(f"""
unsigned long long hone_bytes_of_{name}(int number{bytes_params})
{{
    return {n}_{name}_bytes(&{n}_configs[number]{size_names});
}}
""" for name in header.workspaces)
