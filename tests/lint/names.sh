#!/usr/bin/env bash
# A name means one thing: a tag, an include guard and the name that a header is included by belong to
# one header, and none of ours has the name of one of the system's. Two would compile until somebody
# includes both, and then the order of includes decides.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77
headers=$(git ls-files 'include/*.h' 'tuner/*.h' 'search/*.h' 'lua/*.h')
bad=0
# What each kind of device makes of the device floor's own type.
of_each_device='^struct hone_module$'
once() {
    local what=$1 pattern=$2 twice
    # shellcheck disable=SC2086
    twice=$(grep -ohE "$pattern" $headers | sed 's/ {$//' | sort | uniq -d |
        grep -vE "$of_each_device")
    [ -z "$twice" ] || { echo "$what in two headers:" "$twice"; bad=1; }
}
once "a tag" '^(struct|enum|union) [a-z_0-9]+ \{$'
once "a guard" '^#ifndef HONE_[A-Z_0-9]+_H$'
# Public headers are included as hone/NAME.h, a floor's interface as FLOOR/NAME.h.
twice=$(printf '%s\n' $headers | grep -vE '(^|/)include/' | sed 's|.*/||' | sort | uniq -d)
[ -z "$twice" ] || { echo "a name of two private headers:" $twice; bad=1; }
# #include <memory.h> would find ours, where it is in the path of an include folder.
for header in $headers; do
    case $header in include/* | */include/*) continue ;; esac
    [ ! -e "/usr/include/${header##*/}" ] || { echo "$header has a system header's name"; bad=1; }
done
# grep and gdb find functions by name: one that a fourth file would define has its file's word in it.
# Growing memory is to be one function of base.
many=$(git ls-files 'tuner/*.c' 'search/*.c' 'lua/*.c' |
    xargs awk '/^static / && match($0, /[a-z_0-9]+\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        if (!seen[FILENAME, name]++) count[name]++
    }
    END { for (name in count) if (count[name] > 3) print count[name], name }' |
    grep -vE ' (__attribute__|no_memory|out_of_memory|grow|make_room|reserve)$')
[ -z "$many" ] || { echo "static functions of one name in so many files:" "$many"; bad=1; }
exit $bad
