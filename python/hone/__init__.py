"""Hone for Python: tunes CUDA kernels, reads what was measured, launches what was tuned.

The program `hone` does the work, in processes of its own; see docs/python.md. What is used is
imported when it is used, so that `import hone` costs next to nothing.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

_HOMES = {
    "HoneError": "_errors", "HoneWarning": "_errors", "Interrupted": "_errors",
    "StrategyError": "_errors", "UsageError": "_errors",
    "Result": "_commands", "bench": "_commands", "check": "_commands", "emit": "_commands",
    "run": "_commands", "show": "_commands", "tune": "_commands",
    "library": "_program", "program": "_program",
    "Trials": "_journal", "read_journal": "_journal", "to_parquet": "_journal",
    "Search": "_search", "Strategy": "_search", "Trial": "_search",
    "export_triton": "_triton",
    "Choice": "_load", "Kernel": "_load", "LaunchError": "_load", "load": "_load",
    "nevergrad_strategy": "_adapters", "optuna_strategy": "_adapters",
}

__all__ = sorted(_HOMES)

if TYPE_CHECKING:
    from ._adapters import nevergrad_strategy, optuna_strategy
    from ._commands import Result, bench, check, emit, run, show, tune
    from ._errors import HoneError, HoneWarning, Interrupted, StrategyError, UsageError
    from ._journal import Trials, read_journal, to_parquet
    from ._load import Choice, Kernel, LaunchError, load
    from ._program import library, program
    from ._search import Search, Strategy, Trial
    from ._triton import export_triton

    __version__: str


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version
        return version("hone")
    if name not in _HOMES:
        raise AttributeError(f"module 'hone' has no attribute '{name}'")
    value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__ + ["__version__"]
