error("not today", 0)
