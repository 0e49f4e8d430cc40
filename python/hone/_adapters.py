"""Optimizers of others as strategies. They do not know constraints, so they are told that what is
forbidden has failed, and asked again."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ._search import Config, Search, Strategy, Trial

TRIES = 32  # until a suggestion is valid and new; then the engine fills in


def optuna_strategy(sampler: Optional[Callable[[int], Any]] = None) -> Callable[[Search], Strategy]:
    """Optuna's sampler, made by a function of the seed: hone.optuna_strategy(lambda seed:
    optuna.samplers.TPESampler(seed=seed)); TPE, multivariate, where it is None."""

    def optuna(search: Search) -> Strategy:
        return _Optuna(search, sampler)

    return optuna


def nevergrad_strategy(name: str = "DiscreteOnePlusOne") -> Callable[[Search], Strategy]:
    """An optimizer of nevergrad by its name in ng.optimizers.registry."""

    def nevergrad(search: Search) -> Strategy:
        return _Nevergrad(search, name)

    nevergrad.__name__ = name
    return nevergrad


class _Adapter(Strategy):
    """suggest() gives a handle and a configuration; answer() gets the handle's cost, or None."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.handles: dict[Any, Any] = {}
        self.known: dict[Any, Optional[float]] = {}

    def suggest(self) -> tuple[Any, Config]:
        raise NotImplementedError

    def answer(self, handle: Any, cost: Optional[float]) -> None:
        raise NotImplementedError

    def tell(self, trials: Any) -> None:
        for trial in trials:
            key = tuple(trial.config.values())
            self.known[key] = trial.cost
            if key in self.handles:
                self.answer(self.handles.pop(key), trial.cost)
            else:
                self.learn(trial)

    def learn(self, trial: Trial) -> None:
        """What it did not suggest."""

    def ask(self, n: int) -> list[Config]:
        for _ in range(TRIES):
            handle, config = self.suggest()
            key = tuple(config[name] for name in self.search.params)
            if key in self.known:
                self.answer(handle, self.known[key])
            elif key not in self.handles and self.search.valid([config])[0]:
                self.handles[key] = handle
                return [config]
            else:
                self.answer(handle, None)
        return []


class _Optuna(_Adapter):
    def __init__(self, search: Search, sampler: Optional[Callable[[int], Any]]) -> None:
        import optuna

        super().__init__(search)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        seed = search.seed % 2**32
        self.study = optuna.create_study(
            sampler=sampler(seed) if sampler else
            optuna.samplers.TPESampler(seed=seed, multivariate=True))
        self.spaces: Any = {name: optuna.distributions.IntDistribution(0, len(values) - 1)
                            for name, values in search.params.items()}

    def suggest(self) -> tuple[Any, Config]:
        trial = self.study.ask(self.spaces)
        return trial, {name: values[trial.params[name]]
                       for name, values in self.search.params.items()}

    def answer(self, handle: Any, cost: Optional[float]) -> None:
        from optuna.trial import TrialState
        self.study.tell(handle, cost, state=TrialState.FAIL if cost is None else None)

    def learn(self, trial: Trial) -> None:
        from optuna.trial import create_trial
        if trial.cost is not None:
            numbers = {name: values.index(trial.config[name])
                       for name, values in self.search.params.items()}
            self.study.add_trial(create_trial(params=numbers, distributions=self.spaces,
                                              value=trial.cost))


class _Nevergrad(_Adapter):
    def __init__(self, search: Search, name: str) -> None:
        import nevergrad as ng

        super().__init__(search)
        space = ng.p.Dict(**{name: ng.p.TransitionChoice(values)
                             for name, values in search.params.items()})
        space.random_state.seed(search.seed % 2**32)
        self.optimizer = ng.optimizers.registry[name](
            space, budget=search.budget or search.count, num_workers=1)

    def suggest(self) -> tuple[Any, Config]:
        candidate = self.optimizer.ask()
        return candidate, dict(candidate.value)

    def answer(self, handle: Any, cost: Optional[float]) -> None:
        worst = max((c for c in self.known.values() if c is not None), default=1.0)
        self.optimizer.tell(handle, 2 * worst if cost is None else cost)

    def learn(self, trial: Trial) -> None:
        if trial.cost is not None:
            child = self.optimizer.parametrization.spawn_child(new_value=dict(trial.config))
            self.optimizer.tell(child, trial.cost)
