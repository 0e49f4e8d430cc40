"""The operator of torch in docs/python.md, with a function of torch in the place of the kernel,
which needs a GPU. Skipped (77) where the interpreter has no torch; Hone itself is not needed."""
import os
import sys
import types
import unittest

from fences import page

try:
    import torch
except ImportError:
    print("skipped: torch is not installed")
    sys.exit(77)

launches = 0


def scale(x, y, factor):
    """What the kernel does, which sees memory and no strides."""
    global launches
    launches += 1
    assert x.is_contiguous() and y.is_contiguous(), (x.stride(), y.stride())
    y.view(-1).copy_(x.view(-1) * factor)


def operator():
    examples = [(text, line) for language, _, text, line in page(os.environ["HONE_SOURCE"])
                if language == "python" and "torch.library.custom_op" in text]
    assert len(examples) == 1, examples
    text, line = examples[0]
    state = {"hone": types.SimpleNamespace(load=lambda path: scale)}
    exec(compile("\n" * (line - 1) + text, "docs/python.md", "exec"), state)
    return state["scale_op"]


scale_op = operator()


def layouts():
    values = torch.arange(2 * 4 * 6 * 8, dtype=torch.float32).reshape(2, 4, 6, 8)
    yield "contiguous", values.clone()
    yield "transposed", values.reshape(48, 8).clone().t()
    yield "strided", values.clone()[:, ::2]
    yield "channels last", values.clone().contiguous(memory_format=torch.channels_last)


class Operator(unittest.TestCase):
    def test_each_layout_is_scaled(self):
        for name, x in layouts():
            with self.subTest(name):
                before = launches
                self.assertTrue(torch.equal(scale_op(x, 2.5), x * 2.5))
                self.assertEqual(launches, before + 1)

    def test_torch_finds_nothing_to_object(self):
        for name, x in layouts():
            with self.subTest(name):
                torch.library.opcheck(scale_op, (x.requires_grad_(), 2.5))

    def test_gradients_are_scaled_too(self):
        for name, x in layouts():
            with self.subTest(name):
                x = x.detach().requires_grad_()
                weights = torch.rand_like(x)
                (scale_op(x, 2.5) * weights).sum().backward()
                self.assertTrue(torch.equal(x.grad, weights * 2.5))

    def test_a_compiled_function_holds_it_whole(self):
        def twice(x):
            return scale_op(scale_op(x, 2.0), 3.0) + 1

        compiled = torch.compile(twice, fullgraph=True, backend="aot_eager")
        for name, x in layouts():
            with self.subTest(name):
                self.assertTrue(torch.equal(compiled(x), x * 6 + 1))


if __name__ == "__main__":
    unittest.main()
