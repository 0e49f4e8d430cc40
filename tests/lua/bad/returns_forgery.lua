-- expect: 0: the script must return hone.kernel {...} or hone.space {...}
return { kind = "kernel", name = "k" }
