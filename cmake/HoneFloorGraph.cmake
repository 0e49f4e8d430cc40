# Writes the floors as DEPENDS of hone_floor has them, a picture (mermaid) and a table, to compare
# with docs/maintain/floors.md (tests/lint/floors.sh).
include_guard()

# What a floor or the program names, less what it sees through another one that it names.
function(hone_direct_floors out_var target)
    get_property(named TARGET ${target} PROPERTY HONE_FLOORS)
    set(direct ${named})
    foreach(floor ${named})
        hone_floors_below(below ${floor})
        list(REMOVE_ITEM below ${floor})
        list(REMOVE_ITEM direct ${below})
    endforeach()
    list(SORT direct)
    set(${out_var} ${direct} PARENT_SCOPE)
endfunction()

# hone_write_floors(FILE PROGRAM): the floors that PROGRAM is linked of, the highest first.
function(hone_write_floors file program)
    get_property(floors GLOBAL PROPERTY HONE_FLOORS)
    list(REVERSE floors)
    set(picture "")
    set(table "")
    foreach(floor cli ${floors})
        set(target hone_${floor})
        if(floor STREQUAL "cli")
            set(target ${program})
        endif()
        hone_direct_floors(direct ${target})
        hone_floors_below(below ${direct})
        get_property(folder TARGET ${target} PROPERTY SOURCE_DIR)
        file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
        get_property(public TARGET ${target} PROPERTY HONE_PUBLIC)
        foreach(lower ${direct})
            string(APPEND picture "    ${floor} --> ${lower}\n")
        endforeach()
        list(LENGTH below count)
        list(JOIN direct " " direct)
        list(JOIN public " " public)
        string(APPEND table "| ${floor} | ${folder} | ${direct} | ${count} | ${public} |\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "```mermaid
graph TD
@picture@```

| floor | folder | directly below | floors below | public headers (include/hone) |
|---|---|---|---|---|
@table@")
endfunction()
