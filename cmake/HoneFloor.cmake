# One object library a floor. Each floor has include folders of its own: its source folder for
# internal headers, and a folder of links to its public headers. A floor sees those of the floors
# it depends on, so an upward include does not compile.
#
#   hone_floor(expr SOURCES parse.c eval.c PUBLIC expr.h DEPENDS base [LIBRARIES m])
function(hone_floor name)
    cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;DEPENDS;LIBRARIES" ${ARGN})
    set(target hone_${name})
    set(links ${PROJECT_BINARY_DIR}/floors/${name})
    foreach(header ${arg_PUBLIC})
        file(MAKE_DIRECTORY ${links}/hone)
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/hone/${header} ${links}/hone/${header}
             SYMBOLIC)
    endforeach()
    add_library(${target} OBJECT ${arg_SOURCES})
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    if(arg_PUBLIC)
        target_include_directories(${target} PUBLIC ${links})
    endif()
    foreach(floor ${arg_DEPENDS})
        target_link_libraries(${target} PUBLIC hone_${floor})
    endforeach()
    target_link_libraries(${target} PUBLIC ${arg_LIBRARIES} PRIVATE hone_warnings)
    # Object files travel only one link deep; floors lists what an executable must name.
    set_property(TARGET ${target} PROPERTY HONE_FLOORS ${arg_DEPENDS})
endfunction()

# The named floors and all below them.
function(hone_floors_below out_var)
    set(todo ${ARGN})
    set(done "")
    while(todo)
        list(POP_FRONT todo floor)
        if(NOT floor IN_LIST done)
            list(APPEND done ${floor})
            get_property(below TARGET hone_${floor} PROPERTY HONE_FLOORS)
            list(APPEND todo ${below})
        endif()
    endwhile()
    set(${out_var} ${done} PARENT_SCOPE)
endfunction()

# Links an executable or library with the objects of the named floors and of all floors below.
function(hone_link_floors target)
    hone_floors_below(floors ${ARGN})
    list(TRANSFORM floors PREPEND hone_)
    target_link_libraries(${target} PRIVATE ${floors} hone_warnings)
endfunction()
