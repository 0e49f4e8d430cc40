"""Strategies of this process, to which the program talks by _relay.py."""
from __future__ import annotations

import copy
import os
import shlex
import shutil
import socket
import sys
import tempfile
import threading
from typing import Any, Optional

from ._errors import UsageError
from ._search import Exhausted, Search, SearchEnded

ADDRESS_MOST = 80  # a socket's path may have 107 bytes


class Server:
    """Serves each strategy at a socket of its own, each search in a thread of its own."""

    def __init__(self) -> None:
        self.error: Optional[BaseException] = None  # the first that a strategy raised
        self._folder = tempfile.mkdtemp(prefix="hone")
        if len(self._folder) > ADDRESS_MOST:
            os.rmdir(self._folder)
            self._folder = tempfile.mkdtemp(prefix="hone", dir="/tmp")
        self._doors: list[socket.socket] = []

    def add(self, strategy: Any) -> str:
        """Its command, for --strategy."""
        if not (callable(strategy) or _asks(strategy)):
            raise UsageError(f"{strategy!r} is no strategy: a name, a function of the search, or "
                             "something with ask(n) and tell(trials)")
        path = os.path.join(self._folder, str(len(self._doors)))
        door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        door.bind(path)
        door.listen()
        self._doors.append(door)
        threading.Thread(target=self._accept, args=(door, strategy), daemon=True).start()
        relay = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_relay.py")
        return "exec:" + shlex.join([sys.executable, "-I", "-S", relay, path])

    def close(self) -> None:
        for door in self._doors:
            try:
                door.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            door.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self, door: socket.socket, strategy: Any) -> None:
        while True:
            try:
                connection, _ = door.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(connection, strategy),
                             daemon=True).start()

    def _serve(self, connection: socket.socket, strategy: Any) -> None:
        try:
            with connection, connection.makefile("r", encoding="utf-8") as reader, \
                    connection.makefile("w", encoding="utf-8") as writer:
                try:
                    _run(Search(reader, writer), strategy)
                except SearchEnded:
                    pass
                except BaseException as error:
                    self.error = self.error or error
        except ConnectionError:  # what was not sent before the program had ended
            pass


def _asks(strategy: Any) -> bool:
    return hasattr(strategy, "ask") and hasattr(strategy, "tell")


def _run(search: Search, strategy: Any) -> None:
    """To the end of the search, by SearchEnded, or of a function's ideas."""
    first = search.await_turn()
    try:  # each search has its own
        own = strategy(search) if callable(strategy) else copy.deepcopy(strategy)
        if _asks(own):
            _run_asked(search, own, first)
    except Exhausted:
        pass
    while True:
        search.propose(None)
        search.await_turn()


def _run_asked(search: Search, strategy: Any, trials: Any) -> None:
    while True:
        if trials:
            strategy.tell(trials)
        configs = strategy.ask(search.room)
        search.propose(configs)
        trials = search.await_turn()
