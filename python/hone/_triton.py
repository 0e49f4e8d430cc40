"""A kernel of Triton as a template of Hone: the PTX that Triton makes of each configuration, as
inline assembly in a kernel of CUDA. So NVRTC builds it, and all that Hone does with a kernel it
does with this one: emulate, verify, measure, emit."""
from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from ._errors import UsageError

_TYPES = {"fp64": "double", "fp32": "float", "fp16": "unsigned short", "bf16": "unsigned short",
          "i64": "long long", "i32": "int", "i16": "short", "i8": "signed char",
          "i1": "signed char", "u64": "unsigned long long", "u32": "unsigned",
          "u16": "unsigned short", "u8": "unsigned char"}
_PASSED = ("fp64", "fp32", "i64", "i32", "u64", "u32")  # by value

_OPTIONS = {"num_warps": 4, "num_stages": 3, "maxnreg": 0, "num_ctas": 1}  # with Triton's defaults

Config = Union[Mapping[str, Any], Any]  # a dictionary, or a triton.Config


@dataclass
class Variant:
    """One configuration, compiled for one architecture."""

    values: dict[str, int]
    arch: int
    body: list[str]
    threads: int
    registers: int  # .maxnreg; 0: none
    shared: int


def export_triton(kernel: Any, configs: Iterable[Config], signature: Mapping[str, str], *,
                  arch: Union[int, Sequence[int]] = 80, constants: Mapping[str, Any] = {},
                  aligned: Union[Iterable[str], None] = None, name: Union[str, None] = None,
                  folder: Union[str, os.PathLike[str]] = ".") -> list[str]:
    """Compile each configuration of a @triton.jit kernel and write NAME.cu, the template, and
    NAME_space.lua, which a script requires: its `tune`, `where`, `default`, `block`, `shared`.

    configs: triton.Config objects, or dictionaries of constexprs, all of the same ones, with
    num_warps, num_stages and maxnreg (0: none) in them. signature: types of the arguments by name
    ("*fp32", "i32"), without constexprs.
    constants: constexprs that are the same everywhere. arch: compute capabilities, 80 or 90, the
    lowest of which runs on all later ones. aligned: arguments that are multiples of 16, which
    Triton uses for wide loads; the pointers where it is None. Neither a GPU nor torch is needed.
    Returns the two paths."""
    name = name or kernel.__name__
    aligned = aligned if aligned is None else list(aligned)
    _check_names(kernel, signature, [*signature, *constants, *(aligned or ())])
    signature = {n: signature[n] for n in kernel.arg_names if n in signature}
    tuned = _alike([_values(config) for config in configs])
    _check_names(kernel, signature, [n for n in tuned[0] if n not in _OPTIONS], tuned=True)
    archs = sorted([arch] if isinstance(arch, int) else arch, reverse=True)
    if aligned is None:
        aligned = [n for n, kind in signature.items() if kind.startswith("*")]
    params = [_declaration(n, kind) for n, kind in signature.items()]
    variants = [_compile(kernel, values, one, signature, constants, list(aligned), name)
                for one in archs for values in tuned]
    paths = [os.path.join(folder, name + ".cu"), os.path.join(folder, name + "_space.lua")]
    for path, text in zip(paths, (_template(name, params, tuned, variants, list(aligned)),
                                  _space(name, tuned, variants))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return paths


def _values(config: Config) -> dict[str, int]:
    if isinstance(config, Mapping):
        values = dict(config)
    else:
        values = {**config.kwargs, "num_warps": config.num_warps,
                  "num_stages": config.num_stages}
        values.update((name, getattr(config, name)) for name in ("maxnreg", "num_ctas")
                      if getattr(config, name, None) is not None)
    for name, default in _OPTIONS.items():
        values.setdefault(name, default)
    for name, value in values.items():
        if not isinstance(value, int):
            raise UsageError(f"{name}={value!r}: a parameter of a template is an integer")
    return {name: int(value) for name, value in values.items()}


def _alike(tuned: list[dict[str, int]]) -> list[dict[str, int]]:
    """All with the parameters of the first one, in its order; without maxnreg and num_ctas where
    nobody asks for them."""
    if not tuned:
        raise UsageError("export_triton needs a configuration at least")
    for values in tuned:
        other = set(values) ^ set(tuned[0])
        if other:
            raise UsageError(f"{', '.join(sorted(other))}: some configurations have it, others do "
                             "not")
    unasked = [n for n in ("maxnreg", "num_ctas") if all(v[n] == _OPTIONS[n] for v in tuned)]
    return [{n: values[n] for n in tuned[0] if n not in unasked} for values in tuned]


def _check_names(kernel: Any, signature: Mapping[str, str], names: Iterable[str],
                 tuned: bool = False) -> None:
    """Of arguments of the kernel; those that are tuned are not in the signature."""
    for name in names:
        if name not in kernel.arg_names:
            options = f", or of {', '.join(_OPTIONS)}" if tuned else ""
            raise UsageError(f"{kernel.__name__} has no argument '{name}': wanted is one of "
                             f"{', '.join(kernel.arg_names)}{options}")
        if tuned and name in signature:
            raise UsageError(f"'{name}' is tuned, and its type is in the signature: leave it out "
                             "there")


def _declaration(name: str, kind: str) -> str:
    pointer, element = kind.startswith("*"), kind.lstrip("*")
    if element.startswith("fp8") and pointer:
        return f"unsigned char *{name}"
    if element not in _TYPES or not (pointer or element in _PASSED):
        raise UsageError(f"argument '{name}' of type {kind} has no counterpart in a template")
    return f"{_TYPES[element]} {'*' if pointer else ''}{name}"


def _compile(kernel: Any, values: dict[str, int], arch: int, signature: Mapping[str, str],
             constants: Mapping[str, Any], aligned: list[str], name: str) -> Variant:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    constexprs = {**constants, **{n: v for n, v in values.items() if n in kernel.arg_names}}
    types = {n: signature[n] if n in signature else "constexpr" for n in kernel.arg_names}
    attrs = {(kernel.arg_names.index(n),): [["tt.divisibility", 16]] for n in aligned}
    compiled = triton.compile(
        ASTSource(fn=kernel, signature=types, constexprs=constexprs, attrs=attrs),
        target=GPUTarget("cuda", arch, 32),
        options={n: values[n] for n in _OPTIONS if values.get(n, 0) or n == "num_stages"})
    if getattr(compiled.metadata, "num_ctas", 1) > 1:
        raise UsageError(f"{kernel.__name__} uses clusters (num_ctas), which are not exported")
    return _variant(compiled.asm["ptx"], values, arch, len(signature), name,
                    compiled.metadata.shared)


def _variant(ptx: str, values: dict[str, int], arch: int, count: int, name: str,
             shared: int) -> Variant:
    """The body of its entry. Triton adds pointers to scratch memory to the arguments, which few
    kernels use."""
    entry = re.search(r"\.entry\s+(\w+)\s*\((.*?)\)(.*?)\n{\n(.*?)\n}", ptx, re.S)
    if not entry:
        raise UsageError(f"{name}: no entry in the PTX that Triton made")
    own, head, body = entry[1], entry[3], entry[4]
    beside = re.findall(r"^\.(?:global|const)\b.*?([\w$]+)(?:\[\d*\])? *[=;]", ptx, re.M)
    beside += re.findall(r"\.func\b[^;{]*?([\w$]+)\s*\(", ptx)
    if any(re.search(rf"(?<![\w$]){re.escape(one)}(?![\w$])", body) for one in beside):
        raise UsageError(f"{name}: its PTX uses functions or variables beside the kernel")
    used = {int(number) for number in re.findall(rf"\b{own}_param_(\d+)\b", body)}
    if max(used, default=0) >= count:
        raise UsageError(f"{name}: it needs scratch memory, which a template has no word for")
    body = re.sub(rf"\b{own}_param_(\d+)\b", rf"{name}_param_\1", body)
    lines = []
    for line in body.splitlines():
        line = re.sub(r"\s*//.*", "", line).strip()
        if line and not re.match(r"\.loc\b|\$L__(tmp|func)\w*:$", line):
            lines.append(line.replace("$L__", "L__"))
    threads = re.search(r"\.(?:reqntid|maxntid)\s+(\d+)", head)
    registers = re.search(r"\.maxnreg\s+(\d+)", head)
    return Variant(values, arch, lines, int(threads[1]) if threads else 32 * values["num_warps"],
                   int(registers[1]) if registers else 0, shared)


# --- the template ---

def _template(name: str, params: list[str], tuned: list[dict[str, int]], variants: list[Variant],
              aligned: list[str]) -> str:
    import triton

    defaults = "".join(f"#ifndef {n}\n#define {n} {v}\n#endif\n" for n, v in tuned[0].items())
    same: dict[Any, list[Variant]] = {}  # that Triton makes the same code of
    for variant in variants:
        same.setdefault((variant.arch, variant.threads, variant.registers, tuple(variant.body)),
                        []).append(variant)
    kernels = "#el".join(_kernel(name, params, group) for group in same.values())
    return f"""// {name}: a kernel of Triton {triton.__version__}, whose PTX stands here for each
// configuration (hone.export_triton).
//
//   {', '.join(params)}
//   grid     as the kernel's program_id wants it
//   block    x: 32 * num_warps
//   shared   dynamic, as {name}_space.lua has it
//   align    {', '.join(aligned) or 'none demanded'}: multiples of 16
//   arch     sm_{variants[-1].arch} and newer
{defaults}
extern __shared__ __align__(16) char global_smem[];

#{kernels}#else
static_assert(false, "{name}: Triton was asked for neither this configuration nor this arch");
#endif
"""


def _kernel(name: str, params: list[str], group: list[Variant]) -> str:
    variant = group[0]
    conditions = [" && ".join(f"{n} == {v}" for n, v in each.values.items()) for each in group]
    condition = " || \\\n    ".join(f"({text})" for text in conditions)
    bounds = f"__launch_bounds__({variant.threads})"
    if variant.registers:  # CUDA takes one of the two
        bounds = f"__maxnreg__({variant.registers})"
    return f"""if __CUDA_ARCH__ >= {10 * variant.arch} && ({condition})
extern "C" __global__ void {bounds} {name}({', '.join(params)})
{{
    // The compiler shall know that the shared memory is used.
    asm volatile("" ::"r"((unsigned)__cvta_generic_to_shared(global_smem)));
    asm volatile(
"{{\\n"
{chr(10).join(_quoted(line) for line in variant.body)}
"}}");
}}
"""


def _quoted(line: str) -> str:
    escaped = line.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.split()) + '\\n"'


# --- the space ---

def _space(name: str, tuned: list[dict[str, int]], variants: list[Variant]) -> str:
    """Of the shared memory that architectures want the most is asked for."""
    values = {n: sorted({config[n] for config in tuned}) for n in tuned[0]}
    whole = 1
    for choices in values.values():
        whole *= len(choices)
    conditions = [_condition(config) for config in tuned]
    where = [] if whole == len({tuple(c.items()) for c in tuned}) else [
        " or ".join(f"({condition})" for condition in conditions)]
    most: dict[Any, int] = {}
    for v in variants:
        key = tuple(v.values.items())
        most[key] = max(v.shared, most.get(key, 0))
    shared = _by_config([(v.values, most[tuple(v.values.items())]) for v in variants])
    if len({(tuple(v.values.items()), v.threads) for v in variants}) != len(most):
        raise UsageError(f"{name}: Triton wants different blocks for different architectures: "
                         "export one of them")
    threads = _by_config([(v.values, v.threads) for v in variants])
    return f"""-- The configurations of {name}.cu (hone.export_triton); a script says
--     local triton = require "{name}_space"
return {{
    tune = {{ {', '.join(f'{n} = {{ {", ".join(map(str, v))} }}' for n, v in values.items())} }},
    where = {{ {', '.join(f'"{text}"' for text in where)} }},
    default = {{ {', '.join(f'{n} = {v}' for n, v in tuned[0].items())} }},
    block = "{threads}",
    shared = "{shared}",
}}
"""


def _condition(values: Mapping[str, int]) -> str:
    return " and ".join(f"{n} == {v}" for n, v in values.items())


def _by_config(figures: list[tuple[dict[str, int], int]]) -> str:
    """An expression that has each configuration's figure, by as few parameters as tell it; the
    commonest figure needs no condition."""
    names = list(figures[0][0])
    for count in range(len(names) + 1):
        for chosen in itertools.combinations(names, count):
            table: dict[Any, set[int]] = {}
            for values, figure in figures:
                table.setdefault(tuple((n, values[n]) for n in chosen), set()).add(figure)
            if all(len(found) == 1 for found in table.values()):
                return _chain([(dict(key), found.pop()) for key, found in table.items()])
    raise UsageError("one configuration is there twice, and Triton makes different code of it")


def _chain(table: list[tuple[dict[str, int], int]]) -> str:
    numbers = [figure for _, figure in table]
    common = max(set(numbers), key=numbers.count)
    return "".join(f"({_condition(values)}) and {figure} or " for values, figure in table
                   if figure != common) + str(common)
