"""How a run goes: lines for people, or each trial for a function."""
from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, Optional

from ._errors import UsageError

_PROGRESS = re.compile(r"\d+(/\d+)?  ")


class Watch:
    """progress: True, False, or a function that is called with each trial. For that the journal
    is followed, which gets a name here where the caller gives none."""

    def __init__(self, progress: Any, script: Any, device: Optional[str], journal: Any) -> None:
        self.follows = callable(progress)
        self.wants_lines = progress is True
        self.journal = journal
        self._progress = progress
        self._display: Any = None
        self._drawn = False
        self._offset = 0
        self._params: Optional[list[str]] = None
        if self.follows and journal is None:
            self.journal = _free_name(script, device)
        elif self.follows:
            self._new_rows()  # those of an earlier run

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            print(file=sys.stderr)

    # --- lines ---

    def line(self, text: str) -> None:
        """A line of the program's standard error, if it is one of progress."""
        if not _PROGRESS.match(text):
            return
        if sys.stderr.isatty():
            width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
            print("\r" + text[:width].ljust(width), end="", file=sys.stderr, flush=True)
            self._drawn = True
        elif _in_notebook():
            self._show({"text/plain": text})
        else:
            print(text, file=sys.stderr, flush=True)

    def _show(self, data: dict[str, str]) -> None:
        """In a notebook a line takes the place of the one before."""
        from IPython.display import display
        if self._display is None:
            self._display = display(data, raw=True, display_id=True)
        else:
            self._display.update(data, raw=True)

    # --- trials ---

    def look(self) -> None:
        for row in self._new_rows():
            if "config" in row and "outcome" in row:
                row["config"] = dict(zip(self._params or [], row["config"]))
                self._progress(row)

    def _new_rows(self) -> list[dict[str, Any]]:
        """The whole lines that were written since."""
        if not os.path.exists(self.journal):
            return []
        with open(self.journal, "rb") as file:
            file.seek(self._offset)
            text = file.read()
        end = text.rfind(b"\n") + 1
        self._offset += end
        rows = [json.loads(line) for line in text[:end].splitlines()]
        if rows and self._params is None:
            self._params = [param["name"] for param in rows.pop(0).get("params", [])]
        return rows


def _in_notebook() -> bool:
    """Others import IPython as well: there is a shell where it runs this process."""
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and get_shell() is not None


def _free_name(script: Any, device: Optional[str]) -> str:
    """FILE-DEVICE.jsonl, FILE being the script's, numbered where that exists. The program calls
    it by the kernel and the device that it finds, which are not known before it runs."""
    if script is None:
        raise UsageError("progress by a function follows the journal: name one (journal=) for a "
                         "run without a script")
    stem: str = os.path.splitext(os.path.basename(os.fspath(script)))[0]
    begin = stem + "-" + re.sub(r"[^A-Za-z0-9]+", "_", device or "auto")
    number, name = 1, begin + ".jsonl"
    while os.path.exists(name):
        number += 1
        name = f"{begin}-{number}.jsonl"
    return name
