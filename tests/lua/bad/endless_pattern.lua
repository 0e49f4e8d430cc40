-- expect: 2: this pattern on this string could take 2.4304050270009e+23 steps, over the limit of 1000000000.0
string.find(string.rep("a", 30000), ".-.-.-.-b")
