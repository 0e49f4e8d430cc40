# hone_add_header(TARGET lib KERNEL gemm.lua OUTPUT gemm_tuned.h
#                 [RESULTS folder] [FALLBACK header.h] [BUDGET 120s] [DEVICE auto] [NAME prefix]
#                 [PROBLEMS file] [STRATEGY name] [SET M=4096...] [TEMPLATES folder...]
#                 [PAYLOAD none|source|ptx|cubin] [ARCH sm_80...] [SHAPE table|macros|runtime]
#                 [DEPENDS file...]
#                 [ACCEPT_PREDICTED])
#
# Makes the header that TARGET includes, at build time (docs/cmake.md): of the journals in RESULTS
# while they are true, of a tuning where HONE_TUNE is on and there is a GPU that they lack, else of
# the author's default. Where there is no program hone, FALLBACK, an emitted header kept with the
# sources, is taken as it is. This file stands alone: a project may carry a copy of it.
include_guard(GLOBAL)
# A depfile names the header by its whole path, whatever the project's least CMake is; this ends with
# the file.
if(POLICY CMP0116)
    cmake_policy(SET CMP0116 NEW)
endif()

option(HONE_TUNE "Tune while building, where there is a GPU that no kept result is of" OFF)
option(HONE_REQUIRE_TUNED "Fail to build rather than fall back to an untuned header" OFF)
# The program of the machine that builds, also where another one is built for.
find_program(HONE_PROGRAM hone DOC "The program hone" NO_CMAKE_FIND_ROOT_PATH)

# The command line of arg_*: into out_var.
function(_hone_header_command out_var output)
    set(command ${HONE_PROGRAM} header ${kernel} -o ${output} --depfile ${output}.d)
    foreach(option RESULTS BUDGET DEVICE NAME PROBLEMS STRATEGY PAYLOAD SHAPE)
        if(arg_${option})
            string(TOLOWER ${option} name)
            list(APPEND command --${name} ${arg_${option}})
        endif()
    endforeach()
    foreach(arch ${arg_ARCH})
        list(APPEND command --arch ${arch})
    endforeach()
    foreach(pair ${arg_SET})
        list(APPEND command --set ${pair})
    endforeach()
    foreach(folder ${arg_TEMPLATES})
        get_filename_component(folder ${folder} ABSOLUTE)
        list(APPEND command --templates ${folder})
    endforeach()
    if(arg_ACCEPT_PREDICTED)
        list(APPEND command --accept-predicted)
    endif()
    if(HONE_TUNE)
        list(APPEND command --tune)
    endif()
    if(HONE_REQUIRE_TUNED)
        list(APPEND command --require-tuned)
    endif()
    set(${out_var} ${command} PARENT_SCOPE)
endfunction()

# The second file of --shape runtime beside a header: x_runtime.h of x.h.
function(_hone_second_header out_var header)
    string(REGEX REPLACE "\\.[^./]*$" "" stem ${header})
    set(${out_var} ${stem}_runtime.h PARENT_SCOPE)
endfunction()

function(hone_add_header)
    cmake_parse_arguments(PARSE_ARGV 0 arg "ACCEPT_PREDICTED"
        "TARGET;KERNEL;OUTPUT;RESULTS;FALLBACK;BUDGET;DEVICE;NAME;PROBLEMS;STRATEGY;PAYLOAD;SHAPE"
        "ARCH;SET;TEMPLATES;DEPENDS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "hone_add_header: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
    endif()
    foreach(needed TARGET KERNEL OUTPUT)
        if(NOT arg_${needed})
            message(FATAL_ERROR "hone_add_header: ${needed} is missing")
        endif()
    endforeach()
    if(IS_ABSOLUTE "${arg_OUTPUT}" OR arg_OUTPUT MATCHES "(^|/)\\.\\.(/|$)")
        message(FATAL_ERROR "hone_add_header: OUTPUT '${arg_OUTPUT}' is a folder and a name: the "
                            "header's name is wanted, as in #include; it is written in the build "
                            "folder")
    endif()
    get_filename_component(kernel ${arg_KERNEL} ABSOLUTE)
    foreach(file RESULTS FALLBACK PROBLEMS)
        if(arg_${file})
            get_filename_component(arg_${file} ${arg_${file}} ABSOLUTE)
        endif()
    endforeach()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/hone_headers/${arg_TARGET})
    set(output ${folder}/${arg_OUTPUT})
    # A table with overrides is two files; the table is the first, which a depfile speaks of.
    set(outputs ${output})
    set(second "")
    if(arg_SHAPE STREQUAL "runtime")
        _hone_second_header(second ${output})
        list(APPEND outputs ${second})
    endif()
    get_filename_component(output_folder ${output} DIRECTORY)
    file(MAKE_DIRECTORY ${output_folder})

    if(HONE_PROGRAM)
        # Before CMake 3.20 only Ninja takes a depfile, and as Ninja writes paths itself.
        set(written ${output})
        set(place "")
        if(CMAKE_GENERATOR MATCHES "Ninja" AND CMAKE_VERSION VERSION_LESS 3.20)
            file(RELATIVE_PATH written ${CMAKE_BINARY_DIR} ${output})
            set(place WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
        endif()
        _hone_header_command(command ${written})
        set(journals "")
        if(arg_RESULTS)
            file(GLOB journals CONFIGURE_DEPENDS ${arg_RESULTS}/*.jsonl)
        endif()
        set(depfile "")
        if(CMAKE_GENERATOR MATCHES "Ninja" OR
           (CMAKE_GENERATOR MATCHES "Makefiles" AND NOT CMAKE_VERSION VERSION_LESS 3.20))
            set(depfile DEPFILE ${output}.d)
        endif()
        add_custom_command(OUTPUT ${outputs} COMMAND ${command} VERBATIM
            DEPENDS ${kernel} ${journals} ${arg_PROBLEMS} ${arg_DEPENDS} ${HONE_PROGRAM}
            ${depfile} ${place} COMMENT "Writing ${arg_OUTPUT}")
    elseif(arg_FALLBACK)
        message(STATUS "hone is not here: ${arg_OUTPUT} is ${arg_FALLBACK}")
        set(kept ${arg_FALLBACK})
        set(copy_second "")
        if(second)
            _hone_second_header(kept_second ${arg_FALLBACK})
            list(APPEND kept ${kept_second})
            set(copy_second COMMAND ${CMAKE_COMMAND} -E copy ${kept_second} ${second})
        endif()
        add_custom_command(OUTPUT ${outputs} VERBATIM DEPENDS ${kept}
            COMMAND ${CMAKE_COMMAND} -E copy ${arg_FALLBACK} ${output} ${copy_second})
    else()
        message(FATAL_ERROR "hone_add_header: ${arg_OUTPUT} needs the program hone "
                            "(HONE_PROGRAM), or FALLBACK, a header kept with the sources")
    endif()

    string(MAKE_C_IDENTIFIER "hone_${arg_TARGET}_${arg_OUTPUT}" made)
    add_custom_target(${made} DEPENDS ${outputs})
    add_dependencies(${arg_TARGET} ${made})
    get_target_property(type ${arg_TARGET} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories(${arg_TARGET} INTERFACE $<BUILD_INTERFACE:${folder}>)
    else()
        target_include_directories(${arg_TARGET} PRIVATE ${folder})
    endif()
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY HONE_HEADERS ${outputs})
endfunction()
