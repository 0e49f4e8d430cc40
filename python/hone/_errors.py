"""What goes wrong, with the words of the program that found out."""
from __future__ import annotations

from typing import Any, Optional


class HoneError(Exception):
    """The work failed: the text is the program's message, exit_code its exit code."""

    def __init__(self, message: str, exit_code: Optional[int] = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class UsageError(HoneError, ValueError):
    """Wrong use or bad input (exit code 2): options, scripts, journals, arrays."""


class StrategyError(HoneError):
    """A strategy in Python raised, its __cause__; the journal keeps what was measured."""


class HoneWarning(UserWarning):
    """A warning of the program."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during hone.tune: journal and header hold what was found, result sums it up."""

    def __init__(self, message: str, result: Optional[dict[str, Any]]) -> None:
        super().__init__(message)
        self.result = result
