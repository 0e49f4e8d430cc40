# Lua 5.4, jansson, zlib and xxHash from the system; CUDA headers from a toolkit or from the Python
# wheels that scripts/setup.sh unpacks. The CUDA libraries themselves are opened at run time.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# hone_pkg(LUA lua5.4): an interface target hone_lua, static where HONE_STATIC_DEPS is on.
function(hone_pkg name module)
    pkg_check_modules(${name} REQUIRED ${module})
    string(TOLOWER hone_dep_${name} target)
    add_library(${target} INTERFACE)
    target_include_directories(${target} SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
    if(HONE_STATIC_DEPS)
        list(GET ${name}_LIBRARIES 0 library)
        find_library(${name}_ARCHIVE NAMES lib${library}.a HINTS ${${name}_LIBRARY_DIRS} REQUIRED)
        target_link_libraries(${target} INTERFACE ${${name}_ARCHIVE} m ${CMAKE_DL_LIBS})
    else()
        target_link_directories(${target} INTERFACE ${${name}_LIBRARY_DIRS})
        target_link_libraries(${target} INTERFACE ${${name}_LIBRARIES})
    endif()
endfunction()

hone_pkg(LUA lua5.4)
hone_pkg(JANSSON jansson)
hone_pkg(ZLIB zlib)

find_path(HONE_XXHASH_INCLUDE xxhash.h REQUIRED)
add_library(hone_dep_xxhash INTERFACE)
target_include_directories(hone_dep_xxhash SYSTEM INTERFACE ${HONE_XXHASH_INCLUDE})

# nvrtc.h, cuda.h, cupti.h and cuda_occupancy.h: headers only, never linked.
set(HONE_CUDA_ROOT "" CACHE PATH "Folder whose include/ holds the CUDA headers")
find_path(HONE_CUDA_INCLUDE cuda.h
          HINTS ${HONE_CUDA_ROOT}/include $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/include
                /usr/local/cuda/include ${PROJECT_SOURCE_DIR}/build/cuda/include REQUIRED)
find_path(HONE_CUPTI_INCLUDE cupti.h
          HINTS ${HONE_CUDA_INCLUDE} ${HONE_CUDA_INCLUDE}/../extras/CUPTI/include REQUIRED)
add_library(hone_dep_cuda INTERFACE)
target_include_directories(hone_dep_cuda SYSTEM INTERFACE ${HONE_CUDA_INCLUDE}
                           ${HONE_CUPTI_INCLUDE})
