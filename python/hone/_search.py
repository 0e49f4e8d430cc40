"""What a strategy in Python sees of a search: the space, the trials, questions to the engine.

Each search has an object of its own and a thread of its own; messages are those of
docs/protocol.md."""
from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Optional, Union, cast

Value = Union[int, float, str, bool]
Config = dict[str, Value]
Proposal = Union[Config, Sequence[Value], int]


class Trial(dict[str, Any]):
    """One measurement: `config` by names, `outcome`, `cost` (microseconds, or what else is
    minimised; None unless it is valid), `reason`, `index` (None where constraints forbid it)."""

    @property
    def config(self) -> Config:
        return cast(Config, self["config"])

    @property
    def outcome(self) -> str:
        return cast(str, self["outcome"])

    @property
    def cost(self) -> Optional[float]:
        return self.get("cost")

    @property
    def reason(self) -> Optional[str]:
        return self.get("reason")

    @property
    def index(self) -> Optional[int]:
        return self.get("index")


KNOWN_MOST = 1000  # calls in a row that measure nothing new, until the engine has its turn


class SearchEnded(BaseException):
    """The budget is spent: unwinds a function that is in the middle of its search."""


class Exhausted(SearchEnded):
    """Every configuration was proposed: that too ends the search where nobody catches it."""


class Search:
    """A search that is under way. Configurations are dictionaries of values by name; where one
    is asked for, a list in the order of `params` or an index will do."""

    def __init__(self, reader: IO[str], writer: IO[str]) -> None:
        self._reader, self._writer = reader, writer
        self.info: dict[str, Any] = json.loads(reader.readline())  # a journal's first line
        self.kernel: str = self.info["kernel"]
        self.params: dict[str, list[Value]] = {
            param["name"]: param["values"] for param in self.info["params"]}
        self.seed: int = self.info["seed"]
        self.count: int = self.info["space_count"]  # valid configurations
        self.budget: Optional[int] = self.info.get("budget")  # None: a time is the budget
        self.rng = random.Random(self.seed)
        self.trials: list[Trial] = []
        self._known: dict[Any, Trial] = {}  # by index and by values
        self._idle = 0  # calls in a row that measured nothing new
        self.room = 0  # how many configurations the engine has asked for

    @property
    def best(self) -> Optional[Trial]:
        valid = [trial for trial in self.trials if trial.cost is not None]
        return min(valid, key=lambda trial: trial["cost"], default=None)

    @property
    def left(self) -> Optional[int]:
        """Evaluations left; None where the budget is a time."""
        if self.budget is None:
            return None
        return max(0, self.budget - len({trial.index for trial in self.trials} - {None}))

    def valid(self, configs: Iterable[Proposal]) -> list[bool]:
        """Whether the constraints allow each."""
        asked = {"query": "valid", "configs": [self.values(config) for config in configs]}
        return cast("list[bool]", self._query(asked)["valid"])

    def random(self) -> Config:
        """A configuration that was not proposed before; Exhausted where all were."""
        configs = self.randoms(1)
        if not configs:
            raise Exhausted
        return configs[0]

    def randoms(self, n: int) -> list[Config]:
        """Up to n of these."""
        return self._named(self._query({"query": "random", "n": n})["configs"])

    def neighbours(self, config: Proposal, kind: str = "hamming") -> list[Config]:
        """Valid ones that differ in one parameter; "adjacent": there by the next valid value."""
        asked = {"query": "neighbours", "config": self.values(config), "kind": kind}
        return self._named(self._query(asked)["configs"])

    def measure(self, config: Proposal) -> Trial:
        """A trial of this configuration, which is waited for unless it is known: for a strategy
        that is a function."""
        return self.measure_all([config])[0]

    def measure_all(self, configs: Iterable[Proposal]) -> list[Trial]:
        """The same of several, which are measured at once where the device has workers."""
        wanted = [self.values(config) for config in configs]
        keys = [self._key(values) for values in wanted]
        if all(key in self._known for key in keys):
            self._pass_now_and_then()
        else:
            self._idle = 0
        answer: dict[str, Any] = {
            "propose": [values for values, key in zip(wanted, keys) if key not in self._known]}
        while not all(key in self._known for key in keys):
            self._say(answer)
            self.await_turn()
            answer = {"wait": True}
        return [self._known[key] for key in keys]

    def _pass_now_and_then(self) -> None:
        """So that the budget's end, which the engine tells, reaches who asks for nothing new."""
        self._idle += 1
        if self._idle >= KNOWN_MOST:
            self._idle = 0
            self.propose([])
            self.await_turn()

    # --- the talk, for _serve.py ---

    def await_turn(self) -> list[Trial]:
        """The trials told until the engine asks; SearchEnded when it is over instead."""
        new: list[Trial] = []
        for line in self._reader:
            message = json.loads(line)
            for told in message.get("tell", ()):
                values = told["config"]
                told["config"] = dict(zip(self.params, values))
                new.append(Trial(told))
                self.trials.append(new[-1])
                self._known[new[-1].index] = self._known[self._key(values)] = new[-1]
            if "ask" in message:
                self.room = message["ask"]
                return new
            if message.get("stop"):
                break
        raise SearchEnded

    def propose(self, configs: Optional[Iterable[Proposal]]) -> None:
        """None: there are no more ideas."""
        self._say({"done": True} if configs is None else
                  {"propose": [self.values(config) for config in configs]})

    def values(self, config: Proposal) -> Any:
        """As the engine wants it: values in order, or an index."""
        if isinstance(config, Mapping):
            missing = [name for name in self.params if name not in config]
            if missing:
                raise ValueError(f"a configuration without {', '.join(missing)}")
            return [config[name] for name in self.params]
        return list(config) if isinstance(config, Iterable) else config

    @staticmethod
    def _key(values: Any) -> Any:
        return tuple(values) if isinstance(values, list) else int(values)

    def _named(self, configs: list[list[Value]]) -> list[Config]:
        return [dict(zip(self.params, config)) for config in configs]

    def _query(self, message: dict[str, Any]) -> dict[str, Any]:
        self._say(message)
        line = self._reader.readline()
        if not line:
            raise SearchEnded
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._writer.write(json.dumps(message, default=_plain) + "\n")
            self._writer.flush()
        except (BrokenPipeError, ConnectionError):
            raise SearchEnded from None


def _plain(value: Any) -> Any:
    """Numbers of numpy and the like."""
    return value.item()


class Strategy:
    """A search strategy to be derived from: made anew for each search. What else has these two
    methods will do as well, and so does a function that measures by itself:

        def climb(search):
            while True:
                here = search.measure(search.random())
                ...
    """

    def __init__(self, search: Search) -> None:
        self.search = search

    def ask(self, n: int) -> Optional[Iterable[Proposal]]:
        """Up to n configurations to measure. An empty list: the engine fills in at random;
        None: it shall do so from now on."""
        raise NotImplementedError

    def tell(self, trials: Sequence[Trial]) -> None:
        """What was measured since, also what was not asked for."""
