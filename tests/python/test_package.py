"""What is installed, and what `import hone` costs."""
import os
import subprocess
import sys
import sysconfig
import unittest
import zipfile
from glob import glob

from support import BUILD, SOURCE

import hone

# Heavy ones, and those of the package itself that only some need.
HEAVY = ["pandas", "numpy", "pyarrow", "torch", "cupy", "triton", "optuna", "nevergrad", "IPython",
         "ctypes", "subprocess", "json", "tempfile", "importlib.metadata"]


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=True).stdout.split()


class Package(unittest.TestCase):
    def test_importing_loads_nothing_that_is_not_used(self):
        bare = set(run_python("import sys; print(*sys.modules)"))
        loaded = set(run_python("import hone, sys; print(*sys.modules)")) - bare
        self.assertIn("hone", loaded)
        self.assertEqual(sorted(loaded.intersection(HEAVY)), [])
        self.assertEqual([name for name in loaded if name.startswith("hone.")], [])

    def test_every_name_that_is_offered_is_there(self):
        for name in hone.__all__:
            self.assertIsNotNone(getattr(hone, name), name)
        with self.assertRaisesRegex(AttributeError, "no attribute 'nonsense'"):
            hone.nonsense

    def test_the_program_is_the_package_s_own(self):
        self.assertTrue(hone.program().startswith(sysconfig.get_path("purelib")))
        script = os.path.join(os.path.dirname(sys.executable), "hone")
        said = subprocess.run([script, "version"], capture_output=True, text=True, check=True)
        self.assertIn(hone.__version__, said.stdout)
        module = subprocess.run([sys.executable, "-m", "hone", "show", "nofile"],
                                capture_output=True, text=True)
        self.assertEqual(module.returncode, 2)

    def test_kernels_and_templates_are_found_in_the_package(self):
        self.assertIn("sgemm", hone.run("kernels"))
        tree = os.path.dirname(os.path.dirname(hone.program()))
        script = os.path.join(tree, "share", "hone", "kernels", "sgemm.lua")
        self.assertIn("BM", hone.run("space", script, device="emu:a100"))

    def test_the_library_opens(self):
        import ctypes
        ctypes.CDLL(hone.library()).hone_tuning_open

    def test_a_wheel_that_pip_has_built_needs_neither_lua_nor_jansson(self):
        tree = os.path.dirname(os.path.dirname(hone.program()))
        if not glob(os.path.join(tree, "lib", "liblua*")):
            self.skipTest("the tree is of a build for this machine (HONE_TESTS=long has another)")
        for file in hone.program(), hone.library():
            needs = subprocess.run(["ldd", file], capture_output=True, text=True).stdout
            for name in "liblua", "libjansson":
                line, = [line for line in needs.splitlines() if name in line]
                self.assertEqual(os.path.realpath(line.split()[2]).partition(name)[0],
                                 os.path.join(os.path.realpath(tree), "lib", ""))

    def test_the_wheel_holds_types_and_no_sources(self):
        wheel, = glob(os.path.join(BUILD, "python", "hone-*.whl"))
        self.assertRegex(wheel, r"py3-none-.*linux.*\.whl$")
        names = zipfile.ZipFile(wheel).namelist()
        self.assertIn("hone/py.typed", names)
        self.assertIn("hone/_tree/bin/hone", names)
        self.assertTrue(any(name.startswith("hone/_tree/lib") and "libhone.so" in name
                            for name in names))
        self.assertFalse([name for name in names if name.endswith((".c", ".a", "__pycache__"))])
        self.assertLess(os.path.getsize(wheel), 20 << 20)

    def test_the_package_has_the_project_s_version(self):
        with open(os.path.join(SOURCE, "CMakeLists.txt")) as file:
            self.assertIn(f"project(hone VERSION {hone.__version__} ", file.read())

    def test_nvidia_s_wheels_are_found_and_the_environment_comes_first(self):
        code = """if True:
            import os, sys
            from hone import _program as program
            def lib(package, name):
                os.makedirs(f"site/nvidia/{package}/lib", exist_ok=True)
                open(f"site/nvidia/{package}/lib/{name}", "w").close()
            lib("cuda_nvrtc", "libnvrtc.so.12")
            lib("cu13", "libnvrtc.so.13")
            lib("cu13", "libnvrtc-builtins.so.13.0")
            lib("cu13", "libcupti.so.13")
            sys.path.insert(0, os.path.abspath("site"))
            for driver in None, 12, 13:
                program._driver_major = lambda: driver
                env = program.environment()
                print(os.path.basename(env["HONE_NVRTC"]), os.path.basename(env["HONE_CUPTI"]))
            os.environ["HONE_NVRTC"] = "mine"
            print(program.environment()["HONE_NVRTC"])
        """
        self.assertEqual(run_python(code), [
            "libnvrtc.so.13", "libcupti.so.13", "libnvrtc.so.12", "libcupti.so.13",
            "libnvrtc.so.13", "libcupti.so.13", "mine"])

    def test_types_are_consistent(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("no mypy (HONE_TESTS=long installs it)")
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict",
                               "--ignore-missing-imports", "-p", "hone"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
