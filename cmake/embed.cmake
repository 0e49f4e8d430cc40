file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT}
     "#include <stddef.h>\n"
     "extern const unsigned char ${SYMBOL}[];\nextern const size_t ${SYMBOL}_size;\n"
     "const unsigned char ${SYMBOL}[] = {${bytes}0};\n"
     "const size_t ${SYMBOL}_size = sizeof ${SYMBOL} - 1;\n")
