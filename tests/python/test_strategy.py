"""Strategies in Python over the pipe: told, asked, ranked, and what becomes of their failures."""
import os
import tempfile
import threading
import unittest
from unittest import mock

from support import recording

import hone

RECORDING = recording(".")


def tune(strategy, **options):
    name = f"{id(strategy)}-{len(os.listdir('.'))}.jsonl"
    options = {"budget": 40, "seed": 3, "progress": False, "journal": name, **options}
    return hone.tune(device="replay:" + RECORDING, strategy=strategy, **options)


def climb(search):
    """From random places to the best neighbour, as long as there is a better one."""
    while True:
        here = search.measure(search.random())
        while True:
            around = search.measure_all(search.neighbours(here.config, "adjacent"))
            costs = [trial.cost for trial in around if trial.cost is not None]
            if here.cost is not None and (not costs or min(costs) >= here.cost):
                break
            if not costs:
                break
            here = min((t for t in around if t.cost is not None), key=lambda t: t.cost)


class Walk(hone.Strategy):
    """Asks for the configurations by their numbers, and keeps what it was told."""

    told = []

    def __init__(self, search):
        super().__init__(search)
        self.next = 0
        Walk.told = []

    def ask(self, n):
        first, self.next = self.next, self.next + n
        return range(first, self.next)

    def tell(self, trials):
        Walk.told += trials


class Talk(unittest.TestCase):
    def test_a_function_measures_what_it_wants(self):
        seen = []

        def follow(search):
            config = {"BM": 128, "BN": 64, "VEC": 4, "STAGES": 4}
            seen.append(search.measure(config))
            seen.append(search.measure(list(config.values())))
            seen.extend(search.measure_all([0, 1]))
            seen.append((search.count, search.budget, search.kernel, search.params["VEC"]))

        result = tune(follow)
        self.assertEqual(seen[0].config, {"BM": 128, "BN": 64, "VEC": 4, "STAGES": 4})
        self.assertEqual(seen[0], seen[1])
        self.assertTrue(106 <= seen[0].cost <= 107)
        self.assertEqual([trial.index for trial in seen[2:4]], [0, 1])
        self.assertEqual(seen[4], (450, 40, "hill", [1, 2, 4]))
        self.assertEqual(result.trials, 40)
        self.assertLessEqual(result.best.time_us, seen[0].cost)

    def test_all_that_is_measured_is_told_once(self):
        result = tune(Walk, budget=25)
        self.assertEqual(result.trials, 25)
        indices = [trial.index for trial in Walk.told]
        self.assertEqual(len(indices), len(set(indices)))
        self.assertGreaterEqual(len(indices), 20)
        self.assertTrue(all(t.cost or t.outcome != "valid" for t in Walk.told))

    def test_an_object_without_a_base_will_do_and_is_copied_for_each_search(self):
        class Plain:
            def __init__(self):
                self.calls = 0

            def ask(self, n):
                self.calls += 1
                return []

            def tell(self, trials):
                pass

        plain = Plain()
        tune(plain)
        self.assertEqual(plain.calls, 0)

    def test_questions_are_answered(self):
        answers = {}

        def ask(search):
            answers["random"] = search.randoms(3)
            config = {"BM": 16, "BN": 16, "VEC": 1, "STAGES": 1}
            answers["valid"] = search.valid([config, {**config, "VEC": 2}])
            answers["adjacent"] = search.neighbours(config, "adjacent")
            answers["left"] = search.left
            answers["best"] = search.best

        tune(ask)
        self.assertEqual(len(answers["random"]), 3)
        self.assertEqual(answers["valid"], [True, True])
        self.assertEqual(len(answers["adjacent"]), 4)
        for other in answers["adjacent"]:
            self.assertEqual(sum(other[n] != v for n, v in
                                 {"BM": 16, "BN": 16, "VEC": 1, "STAGES": 1}.items()), 1)
        self.assertLess(answers["left"], 40)
        self.assertIsNotNone(answers["best"].cost)

    def test_a_space_that_is_used_up_ends_the_search(self):
        def everything(search):
            while True:
                search.measure(search.random())

        self.assertEqual(tune(everything, budget=1000).trials, 450)

    def test_a_function_that_measures_nothing_new_ends_with_the_search(self):
        ended = threading.Event()

        def stays(search):
            try:
                while True:
                    search.measure(0)
            finally:
                ended.set()

        self.assertEqual(tune(stays, budget=20).trials, 20)
        self.assertTrue(ended.wait(20))

    def test_a_function_that_has_ended_leaves_the_rest_to_chance(self):
        self.assertEqual(tune(lambda search: None, budget=30).trials, 30)


class Failures(unittest.TestCase):
    def test_what_it_raises_is_the_cause_and_the_journal_is_kept(self):
        def breaks(search):
            search.measure(search.random())
            raise ZeroDivisionError("in the strategy")

        with self.assertRaisesRegex(hone.StrategyError, "in the strategy") as caught:
            tune(breaks, journal="broken.jsonl")
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        self.assertGreater(len(hone.read_journal("broken.jsonl", frame=False)), 0)

    def test_the_search_can_go_on_without_it(self):
        def breaks(search):
            raise ZeroDivisionError("in the strategy")

        with self.assertWarnsRegex(Warning, "ZeroDivisionError"):
            result = tune(breaks, on_strategy_error="random")
        self.assertEqual(result.trials, 40)

    def test_a_configuration_without_a_value_is_named(self):
        def forgets(search):
            search.measure({"BM": 16, "VEC": 1})

        with self.assertRaisesRegex(hone.StrategyError, "without BN, STAGES"):
            tune(forgets)

    def test_a_value_that_there_is_not_is_the_program_s_to_say(self):
        with self.assertRaisesRegex(hone.HoneError, "33 is no value of parameter 'BM'"):
            tune(lambda search: search.measure({"BM": 33, "BN": 16, "VEC": 1, "STAGES": 1}))

    def test_what_is_no_strategy_is_refused(self):
        with self.assertRaisesRegex(hone.UsageError, "is no strategy"):
            tune(42)

    def test_nothing_is_left_behind(self):
        folder = tempfile.mkdtemp(dir=".")
        with mock.patch.object(tempfile, "tempdir", os.path.abspath(folder)):
            tune(climb)
        self.assertEqual(os.listdir(folder), [])


class Ranking(unittest.TestCase):
    def test_bench_ranks_a_strategy_in_python(self):
        result = hone.bench([RECORDING, recording(".", seed=5)],
                            {"chance": "random", "climb": climb, "walk": Walk,
                             "cold": "sa:hot=0.1"}, repeats=2, seed=2, budget=80)
        scores = {entry.strategy: entry.score for entry in result.strategies}
        self.assertEqual(list(scores), ["chance", "climb", "walk", "cold"])
        self.assertGreater(scores["climb"], scores["chance"] + 0.2)
        self.assertEqual(len(result.strategies[0].spaces), 2)

    def test_one_strategy_needs_no_list(self):
        for strategy, name in (("random", "random"), (climb, "climb"), (Walk, "Walk")):
            result = hone.bench(RECORDING, strategy, repeats=1, budget=20)
            self.assertEqual([entry.strategy for entry in result.strategies], [name])

    def test_two_of_one_name_are_named_by_a_dictionary(self):
        with self.assertRaisesRegex(hone.UsageError, "called '<lambda>': give a dictionary"):
            hone.bench(RECORDING, [lambda search: None, lambda search: 1])

    def test_bench_stops_by_what_a_strategy_raises(self):
        def breaks(search):
            raise ZeroDivisionError("in the strategy")

        with self.assertRaises(hone.StrategyError):
            hone.bench(RECORDING, ["random", breaks], repeats=2)


class Adapters(unittest.TestCase):
    def check(self, module, strategy):
        try:
            __import__(module)
        except ImportError:
            self.skipTest(f"no {module}")
        result = hone.bench(RECORDING, {"theirs": strategy}, repeats=2, budget=40)
        self.assertIsNotNone(result.strategies[0].score)
        self.assertEqual(tune(strategy, budget=20).trials, 20)

    def test_optuna_searches(self):
        self.check("optuna", hone.optuna_strategy())

    def test_nevergrad_searches(self):
        self.check("nevergrad", hone.nevergrad_strategy("DiscreteOnePlusOne"))


if __name__ == "__main__":
    unittest.main()
