#!/bin/sh
# small_disk.sh SIZE FULL FOLDER COMMAND...: runs a command in FOLDER, which is a disk of so many
# bytes for it alone, and filled first where FULL is yes. What it leaves but that is in FOLDER
# afterwards. 77: this kernel gives the user no such disk.
set -u
size=$1 full=$2 folder=$3
shift 3
if [ -z "${HONE_SMALL_DISK:-}" ]; then
    user=
    [ "$(id -u)" = 0 ] || user=-r
    # shellcheck disable=SC2086 # no word where it is empty
    unshare -m $user true 2>/dev/null || exit 77
    # shellcheck disable=SC2086
    HONE_SMALL_DISK=1 exec unshare -m $user "$0" "$size" "$full" "$folder" "$@"
fi
kept=$(mktemp -d) || exit 77
mkdir "$kept/disk"
mount -t tmpfs -o "size=$size" none "$kept/disk" 2>/dev/null || {
    rm -rf "$kept"
    exit 77
}
cd "$kept/disk" || exit 77
[ "$full" = no ] || dd if=/dev/zero of=filler bs=1k status=none 2>/dev/null
code=0
HONE_LOCKS=$PWD TMPDIR=$PWD "$@" || code=$?
rm -f filler
cp -a . "$folder"
cd / && umount "$kept/disk" && rm -rf "$kept"
exit "$code"
