"""One run of the program: its output, its warnings and errors, Ctrl-C."""
from __future__ import annotations

import os
import signal
import subprocess
import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Optional, Protocol

from ._errors import HoneWarning
from ._program import environment, program

LOOK = 0.1  # seconds between two looks at a journal that grows
WARNING = "hone: warning: "


class Watcher(Protocol):
    """Who wants to know how it goes: lines of standard error, or a look now and then."""

    wants_lines: bool
    follows: bool

    def line(self, text: str) -> None: ...

    def look(self) -> None: ...


@dataclass
class Finished:
    command: str
    exit_code: int  # below 0: the signal that ended it
    output: str
    errors: str
    interrupted: bool


def execute(words: Sequence[str], watcher: Optional[Watcher] = None,
            keeps: bool = False) -> Finished:
    """Run it to its end. It has a session of its own, so that Ctrl-C reaches it from here alone:
    a notebook interrupts just this process, a terminal would interrupt both. Ctrl-C is raised
    once the program has ended, unless the caller keeps what was done until then."""
    process = subprocess.Popen(
        [program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
        env=environment(), start_new_session=True)
    output: list[str] = []
    errors: list[str] = []
    tell = watcher.line if watcher and watcher.wants_lines else None
    readers = [threading.Thread(target=_read, args=task, daemon=True) for task in
               ((process.stdout, output, None), (process.stderr, errors, tell))]
    for reader in readers:
        reader.start()
    interrupted = _wait(process, watcher.look if watcher and watcher.follows else None)
    for reader in readers:
        reader.join()
    if interrupted and not keeps:
        raise KeyboardInterrupt
    for line in errors:
        if line.startswith(WARNING):
            warnings.warn(line[len(WARNING):].strip(), HoneWarning, stacklevel=3)
    return Finished(words[0], process.returncode, "".join(output), "".join(errors), interrupted)


def _read(stream: IO[str], kept: list[str], tell: Optional[Callable[[str], None]]) -> None:
    """To its end whatever becomes of telling: the program waits where nobody reads."""
    for line in stream:
        kept.append(line)
        try:
            if tell:
                tell(line.rstrip("\n"))
        except Exception:  # of a terminal or notebook that shows progress no more
            tell = None
    stream.close()


def _wait(process: subprocess.Popen[str], look: Optional[Callable[[], None]]) -> bool:
    """Whether Ctrl-C came meanwhile: the first ends the program in order, a second one at once."""
    interrupted = False
    while True:
        try:
            ended = _ended(process, LOOK if look else None)
            if look:
                look()
            if ended:
                return interrupted
        except KeyboardInterrupt:
            _end(process, signal.SIGKILL if interrupted else signal.SIGINT)
            if interrupted:
                raise
            interrupted = True
        except BaseException:  # what a function of the caller raised
            _end(process, signal.SIGINT)
            process.wait()
            raise


def _ended(process: subprocess.Popen[str], seconds: Optional[float]) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[str], number: int) -> None:
    """The program; by SIGKILL with all that it has started."""
    if process.poll() is not None:
        return
    if number == signal.SIGKILL:
        os.killpg(process.pid, number)
        process.wait()
    else:
        process.send_signal(number)
