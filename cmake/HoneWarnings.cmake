# Warnings, sanitizers and feature macros that every target of the project is built with.
add_library(hone_warnings INTERFACE)
target_compile_definitions(hone_warnings INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(hone_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wold-style-definition -Wvla -Wwrite-strings -Wpointer-arith
    -Wcast-qual -Wundef -Wformat=2 -Wswitch-enum -Wimplicit-fallthrough -Wdouble-promotion
    -Wnull-dereference)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(hone_warnings INTERFACE
        -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wjump-misses-init)
endif()
if(HONE_WERROR)
    target_compile_options(hone_warnings INTERFACE -Werror)
endif()
if(HONE_SANITIZE)
    add_compile_options(-fsanitize=${HONE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${HONE_SANITIZE})
endif()
