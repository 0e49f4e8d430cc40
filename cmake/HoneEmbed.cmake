# hone_embed(out_var symbol file): a C file that defines
#   const unsigned char SYMBOL[]; const size_t SYMBOL_size;   (NUL-terminated, size without it)
# Byte arrays, since C11 promises only 4095 characters for a string literal.
function(hone_embed out_var symbol file)
    set(c_file ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    add_custom_command(
        OUTPUT ${c_file}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${c_file} -DSYMBOL=${symbol}
                -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        COMMENT "Embedding ${file}" VERBATIM)
    set(${out_var} ${c_file} PARENT_SCOPE)
endfunction()
