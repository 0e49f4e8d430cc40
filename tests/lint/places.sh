#!/usr/bin/env bash
# What the pages for maintainers point at is there. `FILE` and `FOLDER/` exist; `FILE:name()` is
# defined in FILE, as a C function (its name and '(' in a line that begins at the margin and does not
# end with ';') or as one of Lua, shell, CMake; `FILE:name` is a word of FILE.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0
missing() { echo "$page: $1"; bad=1; }
defines() {
    case $1 in
    *.lua) grep -qE "function ([a-z_]+[.:])?$2\(" "$1" ;;
    *.py) grep -qE "^ *(def|class) $2\\b" "$1" ;;
    *.sh) grep -qE "^ *$2\(\)" "$1" ;;
    *.cmake | */CMakeLists.txt) grep -qE "^(function|macro)\($2[ )]" "$1" ;;
    *) grep -E "^[a-z].*\b$2\(" "$1" | grep -qv ';$' ;;
    esac
}
count=0
for page in "${@:-CONTRIBUTING.md docs/design.md docs/versions.md docs/platforms.md docs/maintain/*.md}"; do
    for page in $page; do
        while read -r place; do
            count=$((count + 1))
            file=${place%%:*}
            [ -e "$file" ] || { missing "no file $file"; continue; }
            case $place in
            *:*\(\)) name=${place#*:}; defines "$file" "${name%()}" || missing "$file defines no $name" ;;
            *:*) grep -qwF -- "${place#*:}" "$file" || missing "$file has no ${place#*:}" ;;
            esac
        done < <(grep -oE '`(bench|cmake|docs|include|kernels|lua|python|scripts|search|templates|tests|tuner)/[^` *<]*`' \
            "$page" | tr -d '`' | grep -vE '[A-Z]{3,}[_.A-Z]*$|[A-Z]{4,}[./_]' | sort -u)
    done
done
[ "$count" -ge 100 ] || [ $# -gt 0 ] || { echo "only $count places found"; bad=1; }
exit $bad
