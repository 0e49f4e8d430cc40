"""Kernels of Triton as templates. Where Triton is not installed a stand-in hands out PTX that it
made before (tests/ptx/triton); what it makes now is tried where it is."""
import importlib.util
import os
import shutil
import sys
import types
import unittest
import warnings
from unittest import mock

from support import SOURCE, has_nvrtc

import hone
from hone import _triton

EXAMPLE = os.path.join(SOURCE, "examples", "triton")
SIGNATURE = {"x": "*fp32", "y": "*fp32", "columns": "i32"}


def kernel(*constants):
    return types.SimpleNamespace(__name__="softmax", arg_names=[*SIGNATURE, *constants])


def ptx(name="softmax"):
    with open(os.path.join(SOURCE, "tests", "ptx", "triton", name + ".ptx")) as file:
        return file.read()


def stand_in(text, seen=None, shared=16):
    """Modules that answer each configuration with that PTX."""
    def compile(source, target, options):
        if seen is not None:
            seen.append((source, target, options))
        made = text(source, options) if callable(text) else text
        return types.SimpleNamespace(asm={"ptx": made}, metadata=types.SimpleNamespace(
            shared=shared(target) if callable(shared) else shared,
            num_ctas=options.get("num_ctas", 1)))

    def module(name, **names):
        made = types.ModuleType(name)
        made.__dict__.update(names)
        return made

    return mock.patch.dict(sys.modules, {
        "triton": module("triton", compile=compile, __version__="0"),
        "triton.backends": module("triton.backends"),
        "triton.backends.compiler": module("triton.backends.compiler",
                                           GPUTarget=lambda *args: args),
        "triton.compiler": module("triton.compiler", ASTSource=types.SimpleNamespace)})


def export(text=None, configs=({"BLOCK": 1024},), seen=None, shared=16, **options):
    options = {"arch": 90, **options}
    with stand_in(text or ptx(), seen, shared):
        return hone.export_triton(kernel("BLOCK"), list(configs), options.pop(
            "signature", SIGNATURE), **options)


def read(path):
    with open(path) as file:
        return file.read()


class Exports(unittest.TestCase):
    def test_triton_is_asked_for_each_configuration(self):
        seen = []
        config = types.SimpleNamespace(kwargs={"BLOCK": 512}, num_warps=8, num_stages=2)
        export(configs=[{"BLOCK": 1024}, config], seen=seen, arch=[80, 90])
        self.assertEqual([target for _, target, _ in seen],
                         [("cuda", 90, 32)] * 2 + [("cuda", 80, 32)] * 2)
        source, _, options = seen[1]
        self.assertEqual(options, {"num_warps": 8, "num_stages": 2})
        self.assertEqual(source.constexprs, {"BLOCK": 512})
        self.assertEqual(source.signature, {**SIGNATURE, "BLOCK": "constexpr"})
        self.assertEqual(source.attrs, {(i,): [["tt.divisibility", 16]] for i in (0, 1)})

    def test_shared_memory_is_enough_for_every_architecture(self):
        for least in 80, 120:
            _, space = export(configs=[{"BLOCK": 1024}, {"BLOCK": 512}], arch=[80, 120],
                              shared=lambda target: 16 if target[1] == least else 64)
            self.assertIn('shared = "64"', read(space))
        values = {"BLOCK": 512}
        variants = [_triton.Variant(values, arch, [], threads, 0, 16)
                    for arch, threads in ((90, 128), (80, 256))]
        with self.assertRaisesRegex(hone.UsageError, "k: Triton wants different blocks"):
            _triton._space("k", [values], variants)

    def test_arguments_are_in_the_kernel_s_order(self):
        path, _ = export(signature={n: SIGNATURE[n] for n in ("columns", "y", "x")})
        self.assertIn("softmax(float *x, float *y, int columns)", read(path))

    def test_bounds_of_registers_reach_triton_and_the_kernel(self):
        seen = []
        config = types.SimpleNamespace(kwargs={"BLOCK": 512}, num_warps=4, num_stages=3,
                                       maxnreg=64, num_ctas=1)
        bounded = ptx().replace(".reqntid 128", ".reqntid 128\n.maxnreg 64", 1)
        self.assertIn(".maxnreg", bounded)
        path, space = export(
            lambda source, options: bounded if "maxnreg" in options else ptx(),
            [config, {"BLOCK": 512}], seen)
        self.assertEqual([options.get("maxnreg") for _, _, options in seen], [64, None])
        self.assertIn("maxnreg = { 0, 64 }", read(space))
        self.assertRegex(read(path), r"void __maxnreg__\(64\) softmax")
        self.assertRegex(read(path), r"void __launch_bounds__\(128\) softmax")

    def test_names_that_there_are_not_are_refused(self):
        for words, options in (
                ("no argument 'BLOK'.*num_warps", {"configs": [{"BLOK": 1024}]}),
                ("no argument 'z'", {"signature": {**SIGNATURE, "z": "i32"}}),
                ("no argument 'z'", {"aligned": ["z"]}),
                ("no argument 'z'", {"constants": {"z": 1}}),
                ("'columns' is tuned", {"configs": [{"BLOCK": 512, "columns": 8}]}),
                ("BLOCK: some configurations", {"configs": [{"BLOCK": 512}, {"num_warps": 8}]}),
                ("clusters", {"configs": [{"BLOCK": 512, "num_ctas": 2}]})):
            with self.subTest(words), self.assertRaisesRegex(hone.UsageError, words):
                export(**options)

    def test_configurations_of_one_code_share_it(self):
        path, _ = export(configs=[{"BLOCK": 1024, "num_stages": n} for n in (1, 2, 3)])
        self.assertEqual(read(path).count('extern "C"'), 1)

    def test_figures_depend_on_as_few_parameters_as_tell_them(self):
        configs = [({"A": a, "B": b}, 32 * b) for a in (1, 2) for b in (1, 2)]
        self.assertEqual(_triton._by_config(configs), "(B == 2) and 64 or 32")
        self.assertEqual(_triton._by_config([(values, 7) for values, _ in configs]), "7")

    def test_a_list_that_is_no_product_becomes_a_constraint(self):
        _, space = export(configs=[{"BLOCK": 1024, "num_warps": 4}, {"BLOCK": 512, "num_warps": 8}])
        self.assertIn('where = { "(BLOCK == 1024 and num_warps == 4 and num_stages == 3) or '
                      '(BLOCK == 512 and num_warps == 8 and num_stages == 3)" }', read(space))
        _, space = export()
        self.assertIn("where = {  }", read(space))

    def test_what_a_template_cannot_say_is_refused(self):
        for words, options in (
                ("scratch memory", {"text": ptx().replace("softmax_param_2]", "softmax_param_3]")}),
                ("no entry", {"text": "// nothing"}),
                ("functions or variables", {"text": ".global .b8 table[4];\n" + ptx().replace(
                    "mov.u32 \t%r20, %tid.x;", "mov.u32 %r20, table;", 1)}),
                ("functions or variables", {"text": ".func (.param .b32 r) f(.param .b32 a);\n" +
                                            ptx().replace("ret;", "call (r), f, (a); ret;")}),
                ("'x' of type tensordesc", {"signature": {**SIGNATURE, "x": "tensordesc<f16>"}}),
                ("is an integer", {"configs": [{"BLOCK": "large"}]}),
                ("a configuration at least", {"configs": []})):
            with self.subTest(words), self.assertRaisesRegex(hone.UsageError, words):
                export(**options)


@unittest.skipUnless(has_nvrtc(), "no NVRTC")
class OnTheEmulator(unittest.TestCase):
    def prepare(self, most=None):
        """The example's script; of the stand-in's code a row has up to 1024 columns."""
        for name in "softmax.lua", "softmax_reference.cu":
            shutil.copy(os.path.join(EXAMPLE, name), name)
        if most:
            text = read("softmax.lua").replace("columns = 8192", f"columns = {most}")
            with open("softmax.lua", "w") as file:
                file.write(text.replace("columns = 4097", f"columns = {most - 3}"))

    def test_it_is_verified_and_tuned(self):
        self.prepare(1000)
        export()
        result = hone.check("softmax.lua", device="emu:h100", all=True)
        self.assertTrue(result.ok, result)
        self.assertEqual(result.outcomes.valid, 1)
        found = hone.tune("softmax.lua", device="emu:h100", budget=2, progress=False,
                          no_finals=True, journal="stand_in.jsonl", set={"rows": 4})
        self.assertEqual(found.best.config, {"BLOCK": 1024, "num_warps": 4, "num_stages": 3})

    def test_a_bound_of_registers_builds(self):
        self.prepare(1000)
        export(ptx().replace(".reqntid 128", ".reqntid 128\n.maxnreg 64", 1))
        self.assertIn(".maxnreg 64", hone.run("check", "softmax.lua", device="emu:h100",
                                              dump="ptx", quiet=True))

    def test_a_wrong_one_is_found(self):
        self.prepare(1000)
        export(ptx().replace("div.full.f32", "mul.f32", 1))
        result = hone.check("softmax.lua", device="emu:h100", all=True)
        self.assertEqual(result.not_valid[0].outcome, "wrong_result")

    def test_kernels_with_loops_tiles_and_shared_memory_build(self):
        for name, signature in (("layer_norm", {
                "x": "*fp32", "weight": "*fp32", "bias": "*fp32", "y": "*fp32", "columns": "i32",
                "epsilon": "fp32"}), ("matmul", {
                    "a": "*fp16", "b": "*fp16", "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"})):
            with stand_in(ptx(name)):
                arguments = types.SimpleNamespace(__name__=name, arg_names=list(signature))
                hone.export_triton(arguments, [{"num_warps": 4}], signature, arch=90)
            sizes = ", ".join(f'hone.input("{n}", "{k[1:].replace("fp", "f")}", "4096")'
                              if k[0] == "*" else f'hone.{k.replace("fp", "f")}("{n}", "16")'
                              for n, k in signature.items())
            with open(name + ".lua", "w") as file:
                file.write(f"""local hone, triton = require "hone", require "{name}_space"
                    return hone.kernel {{
                        name = "{name}", template = "{name}.cu", tune = triton.tune,
                        launch = {{ grid = 1, block = triton.block, shared = 65536 }},
                        args = {{ {sizes} }} }}""")
            self.assertIn(".entry " + name, hone.run("check", name + ".lua", device="emu:h100",
                                                     dump="ptx", quiet=True))

    @unittest.skipUnless(importlib.util.find_spec("triton"), "no triton (HONE_TESTS=long)")
    def test_what_triton_makes_now_is_tuned_end_to_end(self):
        self.prepare()
        sys.path.insert(0, EXAMPLE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import softmax
            softmax.export(".")
        result = hone.tune("softmax.lua", device="emu:a100", budget=18, progress=False,
                           journal="softmax.jsonl")
        self.assertEqual(result.outcomes.valid, 18)
        self.assertGreater(result.gain_over_default, 1)
        self.assertIn(result.best.config["BLOCK"], (256, 1024, 4096))


if __name__ == "__main__":
    unittest.main()
