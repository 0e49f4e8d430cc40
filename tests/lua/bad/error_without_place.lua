-- expect: 2: told without a place
error("told without a place", 0)
