-- expect: 0: the script raised a table value
error({})
