# What others build with: libhone (shared with versioned symbols, and static), found by
# find_package(hone) or pkg-config, and Debian packages of it all by CPack.
include(CMakePackageConfigHelpers)
include(HoneSymbols)

# Until 1.0 each minor version may break the interface, so the name of the library has both numbers.
set(HONE_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

hone_floors_below(floors tuning partner warm score session emit pool evaluate search)
set(objects "")
foreach(floor ${floors})
    list(APPEND objects $<TARGET_OBJECTS:hone_${floor}>)
endforeach()

# Debian's archives of Lua and jansson are no position-independent code, so a portable build has
# no shared library.
set(libraries hone_static)
if(NOT HONE_STATIC_DEPS)
    list(APPEND libraries hone_shared)
    add_library(hone_shared SHARED ${objects})
    set(map ${PROJECT_BINARY_DIR}/hone.map)
    hone_version_script(${map} ${HONE_ABI})
    target_link_options(hone_shared PRIVATE LINKER:--version-script=${map})
    if(NOT HONE_SANITIZE) # whose functions the program brings
        target_link_options(hone_shared PRIVATE LINKER:-z,defs)
    endif()
    target_link_libraries(hone_shared PRIVATE hone_dep_lua hone_dep_jansson hone_dep_zlib
                          Threads::Threads m ${CMAKE_DL_LIBS})
    set(version ${PROJECT_VERSION})
    if(HONE_BUNDLE_DEPS) # a wheel holds no links, so one name must do
        set(version ${HONE_ABI})
    endif()
    set_target_properties(hone_shared PROPERTIES VERSION ${version} SOVERSION ${HONE_ABI}
                          EXPORT_NAME hone LINK_DEPENDS ${map})
endif()

# Names of libraries, not of files: the consumer's linker finds its own.
add_library(hone_static STATIC ${objects})
target_link_libraries(hone_static INTERFACE ${LUA_LIBRARIES} ${JANSSON_LIBRARIES}
                      ${ZLIB_LIBRARIES} Threads::Threads m ${CMAKE_DL_LIBS})

foreach(library ${libraries})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME hone LINKER_LANGUAGE C)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(hone_static PROPERTIES EXPORT_NAME hone_static)

install(TARGETS ${libraries} EXPORT hone-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        NAMELINK_COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# What a machine without these packages lacks; zlib every Python has (PEP 513).
if(HONE_BUNDLE_DEPS)
    foreach(dependency LUA JANSSON)
        list(GET ${dependency}_LIBRARIES 0 name)
        find_library(${dependency}_SHARED NAMES lib${name}.so HINTS ${${dependency}_LIBRARY_DIRS}
                     REQUIRED)
        execute_process(COMMAND ${CMAKE_READELF} -d ${${dependency}_SHARED}
                        OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
        string(REGEX MATCH "soname: \\[([^]]*)" soname "${dynamic}")
        set(soname ${CMAKE_MATCH_1})
        file(REAL_PATH ${${dependency}_SHARED} file)
        install(PROGRAMS ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME ${soname}
                COMPONENT library)
    endforeach()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hone DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hone)
install(EXPORT hone-targets NAMESPACE hone:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hone-config.cmake.in
    ${PROJECT_BINARY_DIR}/hone-config.cmake INSTALL_DESTINATION ${package}
    PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hone-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hone-config.cmake
        ${PROJECT_BINARY_DIR}/hone-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cmake/HoneAddHeader.cmake
        DESTINATION ${package} COMPONENT development)

# The folder of hone.pc is two below the prefix, so that a moved tree stays whole.
file(RELATIVE_PATH HONE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/hone.pc.in ${PROJECT_BINARY_DIR}/hone.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hone.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Hone developers <hone@localhost>")
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME hone)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhone${HONE_ABI})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhone-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libhone${HONE_ABI} (= ${PROJECT_VERSION}), liblua5.4-dev, libjansson-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "hone (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "tunes CUDA kernels and emits C headers
 The program hone with its kernels and templates.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
    "tunes CUDA kernels: the shared library
 For programs that tune while they run.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "tunes CUDA kernels: headers, static library, CMake module
 What is needed to build with libhone.")
include(CPack)
