#!/usr/bin/env python3
"""Optuna's tree-structured Parzen estimator (Bergstra et al. 2011) as a strategy of hone:
pip install optuna, then hone tune --strategy "exec:python3 optuna_tpe.py".

Optuna does not know which combinations the constraints allow: it is asked again until it
suggests one that is valid and new. The protocol is described in docs/strategies.md.
"""
import json
import sys

import optuna
from optuna.distributions import IntDistribution
from optuna.trial import TrialState, create_trial

TRIES = 32


def send(message):
    print(json.dumps(message), flush=True)


def ask_engine(message):
    send(message)
    return json.loads(sys.stdin.readline())


class Tpe:
    def __init__(self, space):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.params = space["params"]
        # Value numbers: all parameters of a tuning space are lists in their order.
        self.numbers = {p["name"]: IntDistribution(0, len(p["values"]) - 1)
                        for p in self.params}
        sampler = optuna.samplers.TPESampler(seed=space["seed"] % 2**32,
                                             multivariate=True)
        self.study = optuna.create_study(sampler=sampler)
        self.known = {}    # configuration -> cost, None where it failed
        self.running = {}  # configuration -> Optuna's trial

    def config(self, numbers):
        return tuple(p["values"][numbers[p["name"]]] for p in self.params)

    def tell(self, trial):
        config, cost = tuple(trial["config"]), trial.get("cost")
        self.known[config] = cost
        if config in self.running:
            own = self.running.pop(config)
            self.study.tell(own, cost, state=None if cost else TrialState.FAIL)
        elif cost:
            numbers = {p["name"]: p["values"].index(v)
                       for p, v in zip(self.params, config)}
            self.study.add_trial(create_trial(params=numbers, value=cost,
                                              distributions=self.numbers))

    def suggest(self):
        for _ in range(TRIES):
            trial = self.study.ask(self.numbers)
            config = self.config(trial.params)
            if config in self.known and self.known[config]:
                self.study.tell(trial, self.known[config])
            elif (config not in self.known and config not in self.running and
                  ask_engine({"query": "valid", "configs": [config]})["valid"][0]):
                self.running[config] = trial
                return config
            else:
                self.study.tell(trial, state=TrialState.FAIL)
        return None


def main():
    tpe = Tpe(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        message = json.loads(line)
        for trial in message.get("tell", []):
            tpe.tell(trial)
        if "ask" in message:
            config = tpe.suggest()
            send({"propose": [config] if config else []})


if __name__ == "__main__":
    main()
