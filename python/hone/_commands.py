"""The program's commands as functions: options by name, results as dictionaries."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union

from ._errors import HoneError, Interrupted, StrategyError, UsageError
from ._process import WARNING, Finished, execute

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Iterable[Path]]
Value = Union[int, float, bool, str]


class Result(dict[str, Any]):
    """What the program prints as JSON: result["best"] is result.best, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no '{name}' here: {', '.join(self)}") from None


def run(command: str, *args: Path, **options: Any) -> Any:
    """Any command of the program: run("import", "cache.json", kernel="gemm", json=True).

    An option --max-configs is max_configs: True for one without a value, a list for one that
    may be repeated, a dictionary for NAME=VALUE, None and False for none. What the program
    prints is returned: parsed where it is JSON, else as text. HoneError or UsageError where it
    fails."""
    done = execute(command_line(command, args, options))
    if done.exit_code:
        raise failure(done)
    return _parsed(done) if options.get("json") else done.output


def tune(script: Optional[Path] = None, *, device: Optional[str] = None,
         set: Optional[Mapping[str, Value]] = None,
         budget: Union[int, str, None] = None, strategy: Any = None,
         seed: Optional[int] = None, journal: Optional[Path] = None, resume: bool = False,
         output: Optional[Path] = None, warm: Optional[Paths] = None,
         progress: Union[bool, Callable[[dict[str, Any]], object]] = True,
         on_interrupt: str = "raise", **options: Any) -> Result:
    """Search the best configuration, as `hone tune` does; other options of it by their names.

    script: a kernel script; None with device="replay:JOURNAL". set: problem sizes, or
    parameters to pin. budget: evaluations, or a time ("5m"). strategy: a name, a file .lua,
    "exec:COMMAND", or an object or function in Python (see hone.Strategy). progress: True
    for a line on the terminal or in the notebook, False for none, or a function that is
    called with each trial as the journal has it, `config` by name.

    Ctrl-C ends the run in order, with a journal and a header of what was found, and raises
    Interrupted, whose `result` sums it up; on_interrupt="return" returns that. A second one
    ends it at once."""
    if on_interrupt not in ("raise", "return"):
        raise UsageError(f"on_interrupt is 'raise' or 'return', not '{on_interrupt}'")
    from ._watch import Watch
    named = {"device": device, "set": set, "budget": budget, "seed": seed,
             "resume": resume, "output": output, "warm": _paths(warm), **options}
    with _Strategies(named) as strategies, Watch(progress, script, device, journal) as watch:
        named["strategy"] = strategies.add(strategy)
        named["journal"] = watch.journal
        done = execute(command_line("tune", _paths(script), {**named, "json": True}), watch,
                       keeps=True)
        strategies.check()
    result = _parsed(done) if done.output.strip() else None
    if done.interrupted and on_interrupt == "raise":
        raise Interrupted(_interruption(result), result)
    if done.exit_code and not (done.interrupted and result is not None):
        raise failure(done)
    result = result if result is not None else Result()
    result["interrupted"] = done.interrupted
    return result


def check(script: Path, *, device: Optional[str] = None,
          set: Optional[Mapping[str, Value]] = None, sample: Optional[int] = None,
          all: bool = False, **options: Any) -> Result:
    """Build and verify configurations, as `hone check` does. `ok` in the result says whether
    all are right; what is wrong with the others is in `not_valid`."""
    named = {"device": device, "set": set, "sample": sample, "all": all, **options}
    done = execute(command_line("check", [script], {**named, "quiet": True, "json": True}))
    if done.exit_code not in (0, 1) or not done.output.strip():
        raise failure(done)
    result: Result = _parsed(done)
    result["ok"] = done.exit_code == 0
    return result


def emit(journals: Paths, output: Optional[Path] = None, **options: Any) -> Any:
    """Write the best configurations of journals as a C header, as `hone emit` does. The text
    of the header, or, where output names a file, what was written there."""
    if output is None:
        return run("emit", *_paths(journals), **options)
    return run("emit", *_paths(journals), output=output, json=True, **options)


def show(journal: Path, *, top: Optional[int] = None, **options: Any) -> Any:
    """What a journal holds and its best configurations, as `hone show` does: a Result, or a
    list of them where the journal is of several problems."""
    return run("show", journal, top=top, json=True, **options)


def bench(recordings: Paths, strategies: Any, *,
          repeats: Optional[int] = None, seed: Optional[int] = None,
          budget: Optional[int] = None, **options: Any) -> Result:
    """Compare strategies on recorded spaces, as `hone bench strategies` does.

    strategies: names, objects and functions in Python, one or several; a dictionary names them
    itself.
    Each strategy in the result has its `score`, the mean over the spaces that are scored (None
    where none is): 0 is random search, 1 one that knows the optimum."""
    if not isinstance(strategies, Mapping):
        strategies = _by_name(strategies)
    named = {"repeats": repeats, "seed": seed, "budget": budget, **options}
    with _Strategies(named) as served:
        commands = {name: served.add(strategy) for name, strategy in strategies.items()}
        named["strategies"] = list(commands.values())
        done = execute(command_line("bench", ["strategies", *_paths(recordings)],
                                    {**named, "json": True}))
        served.check()
    if done.exit_code:
        raise failure(done)
    result: Result = _parsed(done)
    for name, entry in zip(commands, result["strategies"]):  # which are in the order asked
        entry["strategy"] = name
        scores = [space["score"] for space in entry["spaces"] if space.get("scored", True)]
        entry["score"] = sum(scores) / len(scores) if scores else None
    return result


# --- the command line ---

def command_line(command: str, args: Iterable[Path], options: Mapping[str, Any]) -> list[str]:
    words = [command]
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        for item in _items(value):
            words += [option, os.fspath(item) if isinstance(item, os.PathLike) else str(item)]
    paths = [os.fspath(arg) for arg in args]
    return words[:1] + [_no_option(path) for path in paths] + words[1:]


def _no_option(path: str) -> str:
    return "./" + path if path.startswith("-") and path != "-" else path


def _items(value: Any) -> Iterable[Any]:
    """What an option says, once or again and again: {"N": 4} is N=4."""
    if isinstance(value, Mapping):
        return [f"{name}={str(given).lower() if isinstance(given, bool) else given}"
                for name, given in value.items()]
    if isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Iterable):
        return [value]
    return value


def _paths(paths: Optional[Paths]) -> list[Path]:
    if paths is None:
        return []
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


# --- what came back ---

def failure(done: Finished) -> HoneError:
    """The program's own message: what it printed after "hone: ", else its last lines."""
    lines = done.errors.strip().splitlines()
    said = [line for line in lines if line.startswith("hone: ") and not line.startswith(WARNING)]
    begin = lines.index(said[-1]) if said else max(0, len(lines) - 5)
    text = "\n".join(lines[begin:]).replace("hone: ", "", 1)
    kind = UsageError if done.exit_code == 2 else HoneError
    return kind(text or f"hone ended with {done.exit_code} and said nothing", done.exit_code)


def _parsed(done: Finished) -> Any:
    try:
        return json.loads(done.output, object_hook=Result)
    except ValueError as error:
        raise HoneError(f"hone {done.command} printed no JSON: {error}") from None


def _interruption(result: Optional[Result]) -> str:
    if not result:
        return "interrupted before anything was found"
    return f"interrupted after {result['trials']} trials, which {result['journal']} keeps"


def _name_of(strategy: Any) -> str:
    return getattr(strategy, "__name__", None) or type(strategy).__name__


def _by_name(strategies: Any) -> dict[str, Any]:
    named: dict[str, Any] = {}
    several = isinstance(strategies, Iterable) and not isinstance(strategies, str)
    for strategy in strategies if several else [strategies]:
        name = strategy if isinstance(strategy, str) else _name_of(strategy)
        if name in named:
            raise UsageError(f"two strategies are called '{name}': give a dictionary, which names "
                             "each itself")
        named[name] = strategy
    return named


class _Strategies:
    """Strategies in Python, served while the program runs; loads nothing for those by name."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self._server: Any = None

    def __enter__(self) -> _Strategies:
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            self._server.close()

    def add(self, strategy: Any) -> Optional[str]:
        if strategy is None or isinstance(strategy, str):
            return strategy
        if not self._server:
            from ._serve import Server
            self._server = Server()
            self._options.setdefault("on_strategy_error", "stop")
        return str(self._server.add(strategy))

    def check(self) -> None:
        """What a strategy raised, unless the search was to go on without it."""
        error = self._server.error if self._server else None
        if error is None:
            return
        if self._options["on_strategy_error"] == "random":
            import warnings
            warnings.warn(f"the search went on at random: {error!r}", stacklevel=3)
        else:
            raise StrategyError(f"the strategy raised {error!r}") from error
