"""The examples of docs/python.md are run as they stand, each in the state that those before left.

    ```python           is run
    ```python needs X   is run where X can be imported, X being modules with commas between, nvrtc,
                        emulated_driver, or gpu, which the tests never have
    ```lua FILE, ```cuda FILE, ```c FILE    is written to that file
    ```text             is what the example before has printed, "..." standing for anything
    other fences        are not for this test
"""
import contextlib
import io
import os
import re
import shutil
import sys
import unittest
import warnings

from fences import page
from support import BUILD, SOURCE, has_nvrtc

def lacks(need):
    if need == "nvrtc":
        return not has_nvrtc()
    if need == "emulated_driver":
        os.environ["HONE_LIBCUDA"] = os.path.join(BUILD, "tests", "fake", "emu_cuda.so")
        return not os.path.exists(os.environ["HONE_LIBCUDA"])
    if need == "gpu":
        return True
    try:
        __import__(need)
    except ImportError:
        return True
    return False


def pattern(text):
    """A regular expression: "..." is anything, spaces are as many as there are."""
    words = [".*?".join(map(re.escape, word.split("..."))) for word in text.split()]
    return r"\s*" + r"\s+".join(words) + r"\s*"


def to_gpu(values):
    """On the emulated driver."""
    from gpu import Driver, Interface
    return Interface(Driver(), values)


class Page(unittest.TestCase):
    def test_every_example_does_what_the_page_says(self):
        if not has_nvrtc():
            self.skipTest("no NVRTC")
        state = {"__name__": "page", "to_gpu": to_gpu}
        sys.path.insert(0, os.getcwd())
        shutil.copy(os.path.join(SOURCE, "examples", "triton", "softmax.py"), "triton_kernel.py")
        shutil.copy(os.path.join(SOURCE, "examples", "triton", "softmax_reference.cu"), ".")
        said, ran, skipped = "", 0, {}
        for language, words, text, line in page(SOURCE):
            where = f"docs/python.md:{line}"
            if language in ("lua", "cuda", "c") and words:
                with open(words, "w") as file:
                    file.write(text)
            elif language == "text" and said is not None:
                self.assertTrue(re.fullmatch(pattern(text), said, re.S),
                                f"{where}: printed\n{said}not\n{text}")
            elif language == "python":
                needs = words.removeprefix("needs").strip()
                missing = [need for need in needs.split(", ") if need and lacks(need)]
                if missing:
                    skipped[line], said = missing, None
                    continue
                out = io.StringIO()
                with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), \
                        warnings.catch_warnings(), self.subTest(where):
                    warnings.simplefilter("ignore")
                    # line numbers of the page
                    exec(compile("\n" * (line - 1) + text, "docs/python.md", "exec"), state)
                said, ran = out.getvalue(), ran + 1
        for line, missing in skipped.items():
            print(f"docs/python.md:{line}: not run, it needs {', '.join(missing)}")
        self.assertGreaterEqual(ran, 8)


if __name__ == "__main__":
    unittest.main()
