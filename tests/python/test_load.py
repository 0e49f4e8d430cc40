"""Headers and journals as functions of arrays on the GPU, over the emulated driver."""
import os
import shutil
import struct
import threading
import types
import unittest
from unittest import mock

from gpu import LIBRARY, Capsule, Driver, Interface
from support import has_nvrtc

import hone
from hone import _load
from hone._arrays import view
from hone._sizes import evaluate

SCRIPT = """
local hone = require "hone"
return hone.kernel {
    name = "mix", template = "mix.cu", problem = { M = 64, N = 100 },
    tune = { BLOCK = { 64, 128 }, PARTS = { 0, 2 } }, default = { BLOCK = 64, PARTS = 2 },
    launch = { grid = "ceil_div(M * N, BLOCK)", block = "BLOCK" },
    args = { hone.input("x", "f32", "M * N"), hone.inout("y", "f32", "N * M"),
             hone.constant("w", "f32", "2"), hone.workspace("room", "f32", "PARTS * N"),
             hone.f32("alpha", "1.5"), hone.bf16("beta", "0.5"), hone.i32("N") },
}
"""
TEMPLATE = """
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef PARTS
#define PARTS 0
#endif
struct Two { float w[2]; };
extern "C" __global__ void mix(const float *x, float *y, Two w, float *room, float alpha,
                               unsigned short beta, int N)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (PARTS && i < N) room[i] = y[i];
    if (i < SIZE) y[i] = alpha * w.w[i & 1] * x[i] + __uint_as_float((unsigned)beta << 16) * y[i];
}
"""


def setUpModule():
    if not os.path.exists(LIBRARY):
        raise unittest.SkipTest("no emulated driver")
    if not has_nvrtc():
        raise unittest.SkipTest("no NVRTC")
    if not (os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")):
        raise unittest.SkipTest("no C compiler")
    os.environ["HONE_EMU_GPU"] = "a100"
    for name, text in ("mix.lua", SCRIPT), ("mix.cu", TEMPLATE.replace("SIZE", "6400")):
        with open(name, "w") as file:
            file.write(text)
    hone.tune("mix.lua", device="emu:a100", budget=4, no_verify=True, progress=False,
              journal="mix.jsonl", no_finals=True)
    global driver, kernel
    driver = Driver()
    hone.emit("mix.jsonl", "mix.h", script="mix.lua", payload="ptx", accept_predicted=True)
    kernel = hone.load("mix.h")


def arrays(kind=Interface, count=6400):
    x = kind(driver, [float(i % 17) for i in range(count)])
    y = kind(driver, [float(i % 5) for i in range(count)])
    return x, y, kind(driver, [0.0] * 200)


def expected(alpha=1.5, beta=0.5, w=(1.0, 2.0), count=6400):
    return [alpha * w[i & 1] * (i % 17) + beta * (i % 5) for i in range(count)]


class Calls(unittest.TestCase):
    def test_what_it_takes_is_told(self):
        self.assertEqual(kernel.args, ["x", "y", "w", "room", "alpha", "beta"])
        self.assertEqual(kernel.sizes, ["M", "N"])
        self.assertEqual(repr(kernel), "<hone.Kernel mix(x, y, w, room, alpha, beta, M, N)>")

    def test_arrays_of_either_protocol_are_computed_on(self):
        for kind in Interface, Capsule:
            x, y, room = arrays(kind)
            kernel(x, y, [1, 2], room, 1.5, beta=0.5, N=100)
            self.assertEqual(y.values(), expected())

    def test_values_travel_as_they_are_given(self):
        x, y, room = arrays()
        kernel(x=x, y=y, w=struct.pack("<2f", 1, 3),
               room=room.pointer, alpha=-2.0, beta=b"\x80\x3e", M=64)
        self.assertEqual(y.values(), expected(alpha=-2.0, beta=0.25, w=(1.0, 3.0)))

    def test_an_integer_is_a_number_of_whatever_type(self):
        x, y, room = arrays()
        kernel(x, y, (1, 2), room, 2, beta=1, N=100)
        self.assertEqual(y.values()[:20], expected(alpha=2.0, beta=1.0)[:20])

    def test_sizes_follow_from_arrays_as_far_as_they_do(self):
        x, y, room = arrays()
        class Theirs:  # an integer of another package
            def __index__(self):
                return 64

        kernel(x, y, [1, 2], room, 1.5, 0.5, M=Theirs())
        self.assertEqual(y.values(), expected())
        with self.assertRaisesRegex(hone.UsageError, "mix: M, N does not follow.*name it, as M="):
            kernel(x, y, [1, 2], room, 1.5, 0.5)

    def test_choices_are_told(self):
        choice = kernel.choose(M=64, N=100)
        self.assertEqual(choice.tier, "exact")
        self.assertEqual(set(choice.config), {"BLOCK", "PARTS"})
        self.assertEqual(kernel.choose(M=64, N=99).tier, "same_device")
        self.assertEqual(kernel.workspaces(M=64, N=100),
                         {"room": 4 * 100 * choice.config["PARTS"]})

    def test_a_choice_has_the_parameters_alone_by_their_types(self):
        script = SCRIPT.replace('problem = { M = 64, N = 100 }', """
            problem = { M = 64, N = 100, OUT = "unsigned char", PAD = true },
            defines = { "OUT", "PAD" }""").replace("PARTS = { 0, 2 } }", """
            PARTS = { 0, 2 }, ACT = { "x * 2", "it's" }, RATE = { 1, 2.5 } }""")
        script = script.replace("PARTS = 2 }", 'PARTS = 2, ACT = "it\'s", RATE = 2.5 }')
        with open("typed.lua", "w") as file:
            file.write(script)
        hone.tune("typed.lua", device="emu:a100", budget=1, no_verify=True, progress=False,
                  journal="typed.jsonl", no_finals=True, strategy="grid")
        choice = hone.load("typed.jsonl", script="typed.lua", payload="ptx",
                           accept_predicted=True).choose(M=64, N=100)
        self.assertEqual(choice.config, {"BLOCK": 64, "PARTS": 2, "ACT": "it's", "RATE": 2.5})

    def test_a_journal_is_loaded_by_its_script(self):
        loaded = hone.load("mix.jsonl", script="mix.lua", payload="source", accept_predicted=True)
        self.assertEqual(loaded.args, kernel.args)

    def test_the_second_file_of_a_header_is_found(self):
        for name in "apart.h", "other.hpp", "third":
            hone.emit("mix.jsonl", name, script="mix.lua", payload="ptx", shape="runtime",
                      accept_predicted=True)
            x, y, room = arrays()
            hone.load(name)(x, y, [1, 2], room, 1.5, 0.5, M=64)
            self.assertEqual(y.values()[:20], expected()[:20])


    def test_sizes_may_be_rounded_up(self):
        self.assertEqual(evaluate("round_up(N + 1, 64) * 2", {"N": 100}), 256)
        self.assertEqual(evaluate("round_up(N, 64)", {"N": 128}), 128)
        self.assertIsNone(evaluate("round_up(N, 0)", {"N": 128}))


class Streams(unittest.TestCase):
    def launch(self, x=None, **named):
        own, y, room = arrays()
        driver.calls()
        kernel(x or own, y, [1, 2], room, 1.5, 0.5, M=64, **named)
        return driver.calls()

    def test_a_loaded_kernel_does_nothing_but_launch(self):
        kernel.load(M=64, N=100)
        self.assertEqual(self.launch(stream=0x1234), ["cuLaunchKernel 0x1234"])

    def test_what_was_not_loaded_is_loaded_by_the_first_launch_or_ahead(self):
        kernel.unload()
        self.assertEqual(self.launch(), ["cuModuleLoadDataEx (nil)", "cuLaunchKernel (nil)"])
        kernel.unload()
        driver.calls()
        kernel.load()
        loads = driver.calls()
        self.assertEqual(set(loads), {"cuModuleLoadDataEx (nil)"})
        self.assertEqual(self.launch(), ["cuLaunchKernel (nil)"])

    def test_streams_of_packages_are_known(self):
        torch = types.SimpleNamespace(cuda_stream=0x10)
        cupy = types.SimpleNamespace(ptr=0x20)

        class Core:
            def __cuda_stream__(self):
                return 0, 0x30

        for stream, handle in (torch, "0x10"), (cupy, "0x20"), (Core(), "0x30"), (0x40, "0x40"):
            self.assertEqual(self.launch(stream=stream), [f"cuLaunchKernel {handle}"])
        with self.assertRaisesRegex(hone.UsageError, "is no stream"):
            self.launch(stream="fast")

    def test_the_current_stream_of_the_arrays_package_is_taken(self):
        x, _, _ = arrays()
        torch = types.SimpleNamespace(cuda=types.SimpleNamespace(
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=0x50 + device)))
        cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(
            get_current_stream=lambda: types.SimpleNamespace(ptr=0x60)))
        for name, module, handle in ("torch", torch, "0x52"), ("cupy", cupy, "0x60"):
            theirs = type("Theirs", (Interface,), {"__module__": name + "._tensor", "device": 2})
            array = theirs(driver, [1.0] * 6400)
            with mock.patch.dict("sys.modules", {name: module}):
                self.assertEqual(self.launch(array), [f"cuLaunchKernel {handle}"])

    def test_the_stream_that_an_array_names_is_taken(self):
        x, _, _ = arrays()
        x.stream = 0x70
        self.assertEqual(self.launch(x), ["cuLaunchKernel 0x70"])

    def test_makers_of_capsules_are_asked_not_to_wait(self):
        x, _, _ = arrays(Capsule)
        self.launch(x)
        self.assertEqual(x.asked, -1)


class Refusals(unittest.TestCase):
    def refuse(self, words, *values, **named):
        x, y, room = arrays()
        given = {"x": x, "y": y, "w": [1, 2], "room": room, "alpha": 1.5, "beta": 0.5, "M": 64}
        given.update(named)
        with self.assertRaisesRegex(hone.HoneError, words):
            kernel(*values, **{n: v for n, v in given.items() if v is not Ellipsis})

    def test_arguments_are_named(self):
        self.refuse("needs alpha, too", alpha=...)
        self.refuse("has no argument 'gamma'", gamma=1)
        self.refuse("'x' is given twice", arrays()[0])
        self.refuse("takes 6 arguments", *range(7))
        self.refuse("'alpha' takes a number of f32, not 'large'", alpha="large")

    def test_constants_have_all_their_bytes(self):
        for few, count in ([1], 4), ([], 0), (b"\0", 1), ([1, 2, 3], 12):
            self.refuse(f"'w' has {count} bytes, the kernel takes 8: 2 elements of f32", w=few)
        for no_list in 5, 2.0, None:
            self.refuse(f"'w' takes numbers of f32, as a list, or bytes, not {no_list}", w=no_list)
        self.refuse("'w' takes a number of f32, not 'a'", w="ab")

    def test_numbers_that_do_not_fit_are_refused(self):
        self.refuse("'beta' takes a number of bf16, not 1e.39: it does not fit", beta=1e39)
        self.refuse("'alpha' takes a number of f32, not 1e.39: it does not fit", alpha=1e39)
        self.refuse("'beta' takes a number of bf16, not b'1'", beta=b"1")
        for dtype, value in ("u8", 300), ("i32", 1 << 31), ("i64", 1.5), ("u32", -1), ("e4m3", 1):
            with self.subTest(dtype), self.assertRaisesRegex(hone.UsageError, "'n' takes"):
                _load._bits(types.SimpleNamespace(name="n", dtype=dtype), value)

    def test_arrays_that_do_not_fit_are_refused(self):
        self.refuse("'x' has elements of f64, the kernel takes f32",
                    x=Interface(driver, [1.0] * 6400, "d"))
        self.refuse("'y' has 64 elements, N . M is 6400", y=Interface(driver, [1.0] * 64), N=100)
        self.refuse("'x' is a list: wanted is an array on the GPU", x=[1.0])
        apart = Interface(driver, [1.0] * 6400)
        apart.strides = (8,)
        self.refuse("'x' is not contiguous", x=apart)
        fixed = Interface(driver, [1.0] * 6400)
        fixed.read_only = True
        self.refuse("'y' is read-only", y=fixed)
        host = Capsule(driver, [1.0] * 6400)
        host.device_type = 1
        self.refuse("'x' does not lie on a CUDA device", x=host)
        class Host:  # as NumPy has it
            def __dlpack__(self, stream=None):
                raise RuntimeError("NumPy only supports stream=None.")

        self.refuse("'x' gives no capsule of DLPack: NumPy only", x=Host())
        Host.__dlpack_device__ = lambda self: (1, 0)
        self.refuse("'x' does not lie on a CUDA device", x=Host())
        half = Capsule(driver, [1] * 6400, "H")
        half.dlpack = (4, 16)
        self.refuse("'x' has elements of bf16", x=half)

    def test_pairs_of_floats_are_no_doubles(self):
        doubles = types.SimpleNamespace(name="x", dtype="f64", kind="input", pointers=False)
        pair = Capsule(driver, [1.0] * 6400, "d")
        pair.dlpack = (5, 64)
        named = types.SimpleNamespace(__cuda_array_interface__={
            "shape": (2,), "typestr": "<c8", "data": (16, False)})
        for array in pair, named:
            with self.assertRaisesRegex(hone.UsageError, "'x' has elements of c64"):
                _load._check_array(doubles, view(array, "x"))

    def test_packed_arrays_of_more_axes_pass(self):
        packed = Interface(driver, [1.0] * 6400, shape=(64, 1, 100))
        packed.strides = (400, 12345, 4)
        _, y, room = arrays()
        kernel(packed, y, [1, 2], room, 1.5, 0.5, M=64)

    def test_the_header_s_codes_are_told_in_words(self):
        self.refuse("no configuration may run", M=0, N=0, y=arrays()[1])
        with self.assertRaisesRegex(hone.LaunchError, "no configuration may run"):
            kernel.workspaces(M=0, N=0)
        failed = []

        def elsewhere():
            try:
                x, y, room = [1, 2, 3]
                kernel(x, y, [1, 2], room, 1.5, 0.5, M=64, N=100)
            except hone.LaunchError as error:
                failed.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        self.assertIn("no current CUDA context", str(failed[0]))
        self.assertEqual(failed[0].exit_code, -2)

    def test_headers_without_a_payload_are_refused(self):
        hone.emit("mix.jsonl", "bare.h", accept_predicted=True)
        with self.assertRaisesRegex(hone.UsageError, "'bare.h' has no payload"):
            hone.load("bare.h")
        with self.assertRaisesRegex(hone.UsageError, "'mix.cu' is no header"):
            hone.load("mix.cu")
        with self.assertRaisesRegex(hone.UsageError, "cannot read 'nofile'"):
            hone.load("nofile")

    def test_a_header_that_does_not_compile_is_told_by_the_compiler(self):
        with open("mix.h") as file:
            text = file.read()
        with open("torn.h", "w") as file:
            file.write(text.replace("static const mix_config", "static const mix_confg"))
        with self.assertRaisesRegex(hone.HoneError, "does not compile .*torn.h(.|\\n)*mix_confg"):
            hone.load("torn.h")
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            with self.assertRaisesRegex(hone.UsageError, "no C compiler"):
                hone.load("mix.h")


if __name__ == "__main__":
    unittest.main()
