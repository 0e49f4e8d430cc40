"""Commands as functions: results, messages as exceptions, progress, Ctrl-C."""
import json
import os
import pty
import signal
import subprocess
import sys
import types
import unittest
from unittest import mock

from support import DEVICE, golden, new_kernel, printed, recording

import hone
from hone._commands import command_line


class Words(unittest.TestCase):
    def test_options_become_the_program_s(self):
        self.assertEqual(command_line("tune", ["k.lua"], {
            "set": ["N=1"], "accept_predicted": True, "resume": False, "seed": 0,
            "budget": None, "warm": ("a", "b")}),
            ["tune", "k.lua", "--set", "N=1", "--accept-predicted", "--seed", "0",
             "--warm", "a", "--warm", "b"])

    def test_a_dictionary_is_name_and_value(self):
        self.assertEqual(command_line("explain", ["j"], {"config": {"BLOCK": 64, "FAST": True}}),
                         ["explain", "j", "--config", "BLOCK=64", "--config", "FAST=true"])

    def test_whatever_holds_items_is_a_list(self):
        self.assertEqual(command_line("bench", [], {"x": (n for n in (1, 2)), "y": range(2)}),
                         ["bench", "--x", "1", "--x", "2", "--y", "0", "--y", "1"])

    def test_a_file_is_never_an_option(self):
        self.assertEqual(command_line("show", ["-x"], {}), ["show", "./-x"])


class Failures(unittest.TestCase):
    def test_bad_input_has_the_program_s_words(self):
        with self.assertRaisesRegex(hone.UsageError, "^cannot read 'nofile': No such") as caught:
            hone.show("nofile")
        self.assertEqual(caught.exception.exit_code, 2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_an_unknown_option_is_named(self):
        with self.assertRaisesRegex(hone.UsageError, "unknown option '--max-confgs'"):
            hone.emit(golden("sgemm_a100.jsonl"), max_confgs=3)

    def test_work_that_fails_is_another_exception(self):
        script = new_kernel()
        with open("saxpy.cu") as file:
            text = file.read()
        with open("broken.cu", "w") as file:
            file.write("#error nothing builds\n" + text)
        with open(script) as file:
            text = file.read().replace('template = "saxpy.cu"', 'template = "broken.cu"')
        with open("broken.lua", "w") as file:
            file.write(text)
        with self.assertRaises(hone.HoneError) as caught:
            hone.tune("broken.lua", device=DEVICE, budget=2, progress=False, journal="b.jsonl")
        self.assertNotIsInstance(caught.exception, hone.UsageError)
        self.assertEqual(caught.exception.exit_code, 1)
        self.assertIn("nothing builds", str(caught.exception))

    def test_a_missing_program_is_told_with_the_way_out(self):
        with mock.patch.dict(os.environ, HONE_PROGRAM="/nowhere/hone"):
            with self.assertRaisesRegex(hone.HoneError, "no program '/nowhere/hone'.*pip"):
                hone.show("x")


class Replays(unittest.TestCase):
    def test_a_recording_is_searched(self):
        path = recording(".")
        result = hone.tune(device="replay:" + path, budget=30, progress=False, seed=4,
                           journal="found.jsonl")
        self.assertEqual(result.trials, 30)
        self.assertEqual(result.best.outcome, "valid")
        self.assertFalse(result.interrupted)
        self.assertEqual(hone.show("found.jsonl", top=1).best[0].config, result.best.config)

    def test_a_journal_of_several_problems_is_a_list(self):
        first = {"hone": 1, "kind": "journal", "kernel": "k", "problem": {"N": 1},
                 "problems": [{"N": 1}, {"N": 2}], "params": [{"name": "B", "values": [1, 2]}],
                 "device": {"name": "A GPU"}, "clock": "event", "objective": "time_us"}
        trials = [{"config": [1], "outcome": "valid", "time_us": 5.0 + p, "problem": p}
                  for p in (0, 1)]
        with open("several.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in [first, *trials])
        self.assertEqual([part.problem.N for part in hone.show("several.jsonl")], [1, 2])

    def test_a_header_is_text_or_a_file(self):
        text = hone.emit(golden("sgemm_a100.jsonl"))
        self.assertIn("sgemm_select", text)
        hone.emit([golden("sgemm_a100.jsonl")], "sgemm.h")
        with open("sgemm.h") as file:
            self.assertEqual(file.read(), text)

    def test_warnings_of_the_program_are_warnings(self):
        with open("warner", "w") as file:
            file.write("#!/bin/sh\necho 'hone: warning: the clock is odd' >&2\necho '{}'\n")
        os.chmod("warner", 0o700)
        with mock.patch.dict(os.environ, HONE_PROGRAM=os.path.abspath("warner")):
            with self.assertWarnsRegex(hone.HoneWarning, "^the clock is odd$"):
                self.assertEqual(hone.show("any"), {})


class OnTheEmulator(unittest.TestCase):
    def test_a_kernel_is_checked(self):
        result = hone.check(new_kernel(), device=DEVICE, sample=2, set={"N": 4096})
        self.assertTrue(result.ok)
        self.assertEqual(result.outcomes.valid, 2)

    def test_a_wrong_kernel_is_no_exception_but_not_ok(self):
        new_kernel()
        with open("saxpy.cu") as file:
            text = file.read()
        self.assertIn("alpha", text)
        with open("wrong.cu", "w") as file:
            file.write(text.replace("alpha *", "2.0f * alpha *").replace(
                "fmaf(alpha", "fmaf(2.0f * alpha"))
        with open("saxpy.lua") as file:
            script = file.read()
        with open("wrong.lua", "w") as file:
            file.write(script.replace('template = "saxpy.cu"', 'template = "wrong.cu"'))
        result = hone.check("wrong.lua", device=DEVICE, sample=1)
        self.assertFalse(result.ok)
        self.assertEqual(result.not_valid[0].outcome, "wrong_result")

    def test_each_trial_is_told(self):
        trials = []
        result = hone.tune(new_kernel(), device=DEVICE, budget=3, progress=trials.append)
        self.assertEqual(len([t for t in trials if "compared" not in t]), 3)
        self.assertEqual(set(trials[0]["config"]), {"BLOCK", "ITEMS", "VEC"})
        self.assertTrue(os.path.exists(result.journal))

    def test_what_a_progress_function_raises_ends_the_run_and_comes_through(self):
        def stop(trial):
            raise LookupError("enough")
        with self.assertRaisesRegex(LookupError, "enough"):
            hone.tune(new_kernel(), device=DEVICE, budget=50, progress=stop, journal="r.jsonl")
        self.assertLess(len(hone.read_journal("r.jsonl", frame=False)), 50)

    def test_ctrl_c_keeps_what_was_found(self):
        new_kernel()
        for way in "raise", "return":
            seen = []

            def interrupt(trial):
                seen.append(trial)
                if len(seen) == 2:
                    signal.raise_signal(signal.SIGINT)

            options = dict(device=DEVICE, budget=60, accept_predicted=True, journal=way + ".jsonl",
                           output=way + ".h", progress=interrupt, on_interrupt=way)
            if way == "raise":
                with self.assertRaisesRegex(hone.Interrupted, "raise.jsonl keeps") as caught:
                    hone.tune("saxpy.lua", **options)
                self.assertIsInstance(caught.exception, KeyboardInterrupt)
                result = caught.exception.result
            else:
                result = hone.tune("saxpy.lua", **options)
                self.assertTrue(result.interrupted)
            self.assertTrue(2 <= result.trials < 60)
            self.assertTrue(os.path.exists(way + ".h"))
            self.assertEqual(len(hone.read_journal(way + ".jsonl", frame=False)), result.trials)


    def test_ctrl_c_is_raised_by_every_command_once_the_program_has_ended(self):
        with open("slow", "w") as file:
            file.write("#!/bin/sh\nsleep 0.2\nkill -INT $PPID\nexec sleep 20\n")
        os.chmod("slow", 0o700)
        commands = {"check": lambda: hone.check("k.lua"), "show": lambda: hone.show("j"),
                    "bench": lambda: hone.bench("j", ["random"]), "emit": lambda: hone.emit("j"),
                    "run": lambda: hone.run("kernels")}
        with mock.patch.dict(os.environ, HONE_PROGRAM=os.path.abspath("slow")):
            for name, command in commands.items():
                with self.subTest(name), self.assertRaises(KeyboardInterrupt):
                    command()


class Progress(unittest.TestCase):
    def tune(self):
        hone.tune(device="replay:" + recording("."), budget=20, strategy="random")

    def test_lines_go_to_standard_error(self):
        with printed() as text:
            self.tune()
        self.assertRegex(text.getvalue(), r"(?m)^20/20  best .* us")

    def test_a_terminal_has_one_line_that_is_drawn_again(self):
        seen, own = pty.openpty()
        code = ("import hone; hone.tune(device='replay:' + %r, budget=20, strategy='random')"
                % recording("."))
        process = subprocess.Popen([sys.executable, "-c", code], stderr=own)
        os.close(own)
        text = b""
        try:
            while data := os.read(seen, 4096):
                text += data
        except OSError:  # the other end is closed
            pass
        os.close(seen)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(text.count(b"\n"), 1)
        self.assertTrue(all(len(line) < 80 for line in text.split(b"\r")))
        self.assertIn(b"\r20/20  best", text)

    def test_a_notebook_has_one_line_that_changes(self):
        shown = []

        class Handle:
            def update(self, data, raw):
                shown.append(("update", data))

        def display(data, raw, display_id):
            shown.append(("display", data))
            return Handle()

        fake = types.ModuleType("IPython")
        fake.display = types.ModuleType("IPython.display")
        fake.display.display = display
        fake.get_ipython = object
        with mock.patch.dict(sys.modules, {"IPython": fake, "IPython.display": fake.display}):
            with printed() as text:
                self.tune()
        self.assertEqual(text.getvalue(), "")
        self.assertEqual([kind for kind, _ in shown].count("display"), 1)
        self.assertRegex(shown[-1][1]["text/plain"], "^20/20 ")

        fake.get_ipython = lambda: None  # imported by somebody, and no notebook
        with mock.patch.dict(sys.modules, {"IPython": fake, "IPython.display": fake.display}):
            with printed() as text:
                self.tune()
        self.assertRegex(text.getvalue(), "(?m)^20/20 ")

    def test_a_run_ends_where_progress_cannot_be_shown(self):
        class Closed:
            def isatty(self):
                raise ValueError("I/O operation on closed file")

        with open("talker", "w") as file:
            file.write("#!/bin/sh\nfor i in $(seq 9999); do echo \"$i/9999  best 1.5 us"
                       "\" >&2; done\necho '{\"trials\": 3}'\n")
        os.chmod("talker", 0o700)
        with mock.patch.dict(os.environ, HONE_PROGRAM=os.path.abspath("talker")):
            with mock.patch.object(sys, "stderr", Closed()):
                self.assertEqual(hone.tune("k.lua").trials, 3)

    def test_none_is_none(self):
        with printed() as text:
            hone.tune(device="replay:" + recording("."), budget=20, progress=False)
        self.assertEqual(text.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
