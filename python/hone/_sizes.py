"""Sizes of buffers: expressions of problem sizes, as the header has them, and what the arrays of a
call tell of these."""
from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Optional

_WORDS: dict[str, Callable[..., int]] = {
    "max": max, "min": min, "abs": abs, "ceil_div": lambda a, b: -(-a // b),
    "round_up": lambda a, b: -(-a // b) * b}
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}


def evaluate(text: str, sizes: Mapping[str, object]) -> Optional[int]:
    """The value of an expression; None for what reads other names, or is more than arithmetic:
    the program knows the whole language."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, sizes)
    except (SyntaxError, LookupError, TypeError, ZeroDivisionError):
        return None


def _value(node: ast.expr, sizes: Mapping[str, object]) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and type(sizes[node.id]) is int:
        return sizes[node.id]  # type: ignore[return-value]
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, sizes), _value(node.right, sizes))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _WORDS[node.func.id](*(_value(arg, sizes) for arg in node.args))
    raise LookupError


def infer(unknown: set[str], counts: Mapping[str, int], known: dict[str, object]) -> None:
    """Adds to known the sizes that follow from the elements of arrays, by expression: of "M * K"
    with M known K follows, and M and K do not where both are unknown."""
    found = True
    while found:
        found = False
        for text, count in counts.items():
            factors = [word.strip() for word in text.split("*")]
            if not all(re.fullmatch(r"\w+", word) for word in factors):
                continue
            open_ones = [word for word in factors if word in unknown and word not in known]
            if len(open_ones) != 1:
                continue
            rest = evaluate("*".join(word for word in factors if word != open_ones[0]) or "1",
                            known)
            if rest and count % rest == 0:
                known[open_ones[0]] = count // rest
                found = True
