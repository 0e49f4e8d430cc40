-- expect: 2: the script raised an empty error
error(" \n", 0)
