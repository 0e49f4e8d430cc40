-- expect: 2: the script raised a table value
error({})
