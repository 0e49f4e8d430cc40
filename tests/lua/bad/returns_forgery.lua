-- expect: 0: the script must return hone.kernel {...}, hone.space {...}, hone.strategy {...} or hone.campaign {...}
return { kind = "kernel", name = "k" }
