# One object library a floor. A floor has three kinds of headers: public ones in include/hone, seen
# through a folder of links; those for other floors in FLOOR/include/FLOOR, included as
# "FLOOR/NAME.h"; and private ones beside its sources, in its folder and the named ROOMS of it.
# A floor sees the first two kinds of the floors that it depends on: an upward include does not
# compile, nor does one of a private header.
#
#   hone_floor(expr SOURCES parse.c eval.c PUBLIC expr.h DEPENDS base [LIBRARIES m] [ROOMS sub])
function(hone_floor name)
    cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;DEPENDS;LIBRARIES;ROOMS" ${ARGN})
    set(target hone_${name})
    set(links ${PROJECT_BINARY_DIR}/floors/${name})
    foreach(header ${arg_PUBLIC})
        file(MAKE_DIRECTORY ${links}/hone)
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/hone/${header} ${links}/hone/${header}
             SYMBOLIC)
    endforeach()
    add_library(${target} OBJECT ${arg_SOURCES})
    set(private ${CMAKE_CURRENT_SOURCE_DIR})
    foreach(room ${arg_ROOMS})
        list(APPEND private ${CMAKE_CURRENT_SOURCE_DIR}/${room})
    endforeach()
    target_include_directories(${target} PRIVATE ${private})
    set_property(TARGET ${target} PROPERTY HONE_PRIVATE ${private})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
        target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
    endif()
    if(arg_PUBLIC)
        target_include_directories(${target} PUBLIC ${links})
    endif()
    foreach(floor ${arg_DEPENDS})
        target_link_libraries(${target} PUBLIC hone_${floor})
    endforeach()
    target_link_libraries(${target} PUBLIC ${arg_LIBRARIES} PRIVATE hone_warnings)
    # Object files travel only one link deep; floors lists what an executable must name.
    set_property(TARGET ${target} PROPERTY HONE_FLOORS ${arg_DEPENDS})
    set_property(TARGET ${target} PROPERTY HONE_PUBLIC ${arg_PUBLIC})
    set_property(GLOBAL APPEND PROPERTY HONE_FLOORS ${name})
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
    set_property(TARGET ${target} PROPERTY HONE_FLOORS ${ARGN})
endfunction()

# Lets a test or benchmark include the private headers of the named floors.
function(hone_see_inside target)
    foreach(floor ${ARGN})
        get_property(private TARGET hone_${floor} PROPERTY HONE_PRIVATE)
        target_include_directories(${target} PRIVATE ${private})
    endforeach()
endfunction()
