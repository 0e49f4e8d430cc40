-- expect: 0: the script raised an empty error
error(" \n", 0)
