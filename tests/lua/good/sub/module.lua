local name = ... return { name = name }
