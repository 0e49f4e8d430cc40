#!/usr/bin/env bash
# The rooms of the emulator in their order: each includes what earlier ones offer, never a later one
# and never a header that a room keeps for itself. What stands beside the rooms includes all of them.
set -u
cd "$(dirname "$0")/../../tuner/device/emu" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77

# room, and the headers that it offers to later ones
rooms='ptx      ptx.h
decode   emu_code.h
memory   emu_memory.h emu_shape.h
async    units.h
exec     emu_exec.h
watch    check.h far.h fidelity.h judge.h snapshot.h watched.h
launch   emu_device.h
predict  steer.h
.'

# Why a file of room $1 may not include "$2"; nothing when it may.
refused() {
    local from=$1 to=${2%/*} header=${2##*/}
    [ "$to" != "$2" ] || to=$from
    [ "$to" != "$from" ] || return
    awk -v from="$from" -v to="$to" -v header="$header" '
        $1 == to { at = NR; for (i = 2; i <= NF; i++) if ($i == header) offered = 1 }
        $1 == from { own = NR }
        END {
            if (!at) exit # no room: a header of the floor, or of one below
            if (!own) print "is in no room of the list"
            else if (at > own) print "comes before " to
            else if (!offered) print "is not offered " header " by " to
        }' <<<"$rooms"
}

bad=0
# The check itself refuses what it is for.
[ -n "$(refused ptx exec/emu_exec.h)" ] && [ -n "$(refused exec watch/far.h)" ] &&
    [ -n "$(refused exec ptx/ptx_parser.h)" ] && [ -z "$(refused exec decode/emu_code.h)" ] ||
    { echo "rooms.sh: the check refuses nothing"; bad=1; }

while IFS=: read -r file include; do
    include=${include#*\"} include=${include%\"*}
    room=${file%/*}
    [ "$room" != "$file" ] || room=.
    why=$(refused "$room" "$include")
    [ -z "$why" ] || { echo "$file includes $include: $room $why"; bad=1; }
done < <(git ls-files -co --exclude-standard -- '*.c' '*.h' '*.inc' | xargs grep -E '^#include "' /dev/null)
exit $bad
