#!/usr/bin/env bash
# portable.sh PROGRAM...: do programs run on a machine that has nothing but a glibc of 2.35?
set -u
status=0
for program in "$@"; do
    libraries=$(objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }' |
        grep -vE '^(libc|libm|libdl|libpthread|libcmocka|ld-linux.*)\.so') &&
        { echo "$program needs ${libraries//$'\n'/ }"; status=1; }
    newest=$(objdump -T "$program" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
    [ "$(printf '%s\nGLIBC_2.35\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.35 ] ||
        { echo "$program needs $newest"; status=1; }
done
exit $status
