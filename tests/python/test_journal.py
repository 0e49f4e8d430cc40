"""Journals as tables, held to their own lines."""
import json
import os
import tempfile
import unittest

from support import golden, recording

import hone

try:
    import pandas
except ImportError:
    pandas = None
try:
    import pyarrow.parquet
except ImportError:
    pyarrow = None


def lines_of(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


class Tables(unittest.TestCase):
    def check_rows(self, rows, path):
        first, *trials = lines_of(path)
        names = [param["name"] for param in first["params"]]
        self.assertEqual(len(rows), len(trials))
        for row, trial in zip(rows, trials):
            self.assertEqual([row[name] for name in names], trial["config"])
            self.assertEqual(row["outcome"], trial["outcome"])
            self.assertEqual(row.get("time_us"), trial.get("time_us"))

    def test_a_row_is_a_trial_in_the_order_of_the_file(self):
        path = recording(".")
        rows = hone.read_journal(path, frame=False)
        self.check_rows(rows, path)
        self.assertEqual(rows.attrs, lines_of(path)[0])
        self.assertEqual({row["problem.N"] for row in rows}, {1024})

    def test_metrics_are_columns(self):
        rows = hone.read_journal(golden("odd.jsonl"), frame=False)
        self.assertEqual([row.get("metric.warm_us") for row in rows], [None, 1.25])
        self.assertIn("predicted_us",
                      hone.read_journal(golden("sgemm_emu.jsonl"), frame=False)[0])

    def test_counters_are_columns(self):
        lines = lines_of(golden("odd.jsonl"))
        lines[2]["counters"] = {"dram_read_bytes": {"value": 4096, "unit": "bytes"}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "counted.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
            rows = hone.read_journal(path, frame=False)
        self.assertEqual([row.get("counter.dram_read_bytes") for row in rows], [None, 4096])

    @unittest.skipUnless(pandas, "no pandas")
    def test_pandas_gets_a_frame(self):
        path = recording(".")
        frame = hone.read_journal(path)
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(frame.attrs["kernel"], "hill")
        self.assertEqual(list(frame["STAGES"]), [t["config"][3] for t in lines_of(path)[1:]])
        self.assertEqual(frame["time_us"].isna().sum(), (frame["outcome"] != "valid").sum())

    @unittest.skipIf(pandas, "pandas is there")
    def test_without_pandas_a_frame_is_refused_and_a_list_given(self):
        self.assertIsInstance(hone.read_journal(recording(".")), hone.Trials)
        with self.assertRaisesRegex(hone.UsageError, "pip install 'hone.pandas.'"):
            hone.read_journal(recording("."), frame=True)

    @unittest.skipUnless(pyarrow, "no pyarrow")
    def test_parquet_keeps_rows_and_the_first_line(self):
        path = recording(".")
        sources = [path, hone.read_journal(path, frame=False)]
        if pandas:
            sources.append(hone.read_journal(path, frame=True))
        for source in sources:
            hone.to_parquet(source, "trials.parquet")
            table = pyarrow.parquet.read_table("trials.parquet")
            kept = json.loads(table.schema.metadata[b"hone"])
            self.assertEqual(kept["kernel"], "hill")
            self.assertEqual(table.column("VEC").to_pylist(),
                             [t["config"][2] for t in lines_of(path)[1:]])

    def test_brackets_without_end_are_refused(self):
        for text in ("[" * 100000, '{"a":' * 50000):
            with open("deep.jsonl", "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(hone.HoneError):
                hone.read_journal("deep.jsonl", frame=False)

    def test_a_cache_of_kernel_tuner_is_read(self):
        hone.run("export", recording("."), to="kernel_tuner", output="cache.json")
        rows = hone.read_journal("cache.json", frame=False)
        trials = lines_of(recording("."))[1:]
        self.assertEqual(
            sorted(row["time_us"] for row in rows if row["outcome"] == "valid"),
            sorted(t["time_us"] for t in trials if t["outcome"] == "valid"))
        self.assertEqual(rows.attrs["kernel"], "hill")

    def test_what_is_no_journal_is_refused_in_the_program_s_words(self):
        with open("notes.txt", "w") as file:
            file.write("no journal\n")
        with self.assertRaises(hone.UsageError):
            hone.read_journal("notes.txt")
        with self.assertRaisesRegex(hone.UsageError, "cannot read 'absent'"):
            hone.read_journal("absent")


if __name__ == "__main__":
    unittest.main()
