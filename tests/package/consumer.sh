#!/usr/bin/env bash
# A project finds the installed library by CMake and by pkg-config, in a tree that was moved,
# with nothing in the environment: consumer.sh BUILD SOURCE.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
bare=(env -i PATH=/usr/bin:/bin HOME="$root")
cmake --install "$1" --prefix "$root/first" >/dev/null
mv "$root/first" "$root/prefix"

"${bare[@]}" cmake -S "$2/tests/package/consumer" -B "$root/build" \
    -DCMAKE_PREFIX_PATH="$root/prefix" -DCMAKE_C_FLAGS="-std=c99 -Wall -Wextra -Werror" >"$root/log"
"${bare[@]}" cmake --build "$root/build" >>"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
"${bare[@]}" cmake --install "$root/build" --prefix "$root/out" >/dev/null
"${bare[@]}" "$root/build/version" | grep -q '^0\.'
for variant in "" _static; do
    "${bare[@]}" "$root/build/online$variant" | grep '^block 64, 6 tried'
    "${bare[@]}" "$root/build/strategy$variant" | grep '^60 told, best 76'
    if readelf -d "$root/build/online$variant" | grep -q 'libhone\.so'; then
        [ -z "$variant" ]
    else
        [ -n "$variant" ]
    fi
    "${bare[@]}" "$root/build/tune$variant" "$2/tests/cli/scripts/scale.lua" "$2/tests/cli/scripts" \
        "$root/scaled.h" | tee "$root/said"
    if grep -q '^cancelled\|^stopped\|BLOCK=' "$root/said"; then
        "${bare[@]}" cc -std=c99 -Wall -Wextra -Werror -fsyntax-only -x c "$root/scaled.h" \
            -Wno-unused-function -Wno-unused-variable -Wno-unused-const-variable
        grep -q 'scaled_select' "$root/scaled.h"
    fi
    printf 'N=3000\nN=70\n' >"$root/problems"
    rm -f "$root/several.jsonl"
    "${bare[@]}" "$root/build/several$variant" "$2/tests/cli/scripts/scale.lua" \
        "$2/tests/cli/scripts" "$root/problems" "$root/several.jsonl" "$root/prefix/bin/hone" |
        tee "$root/said"
    if ! grep -q '^cannot build' "$root/said"; then
        [ "$(grep -c '^N=70: found' "$root/said")" = 2 ]
        grep -q '^a header of [1-9][0-9]* bytes' "$root/said"
    fi
done

pc() { "${bare[@]}" PKG_CONFIG_PATH="$(dirname "$(find "$root/prefix" -name hone.pc)")" pkg-config "$@"; }
[ "$(pc --modversion hone)" = "$("$root/prefix/bin/hone" version | head -n 1 | cut -d' ' -f2)" ]
# No system header to a compiler that goes by pkg-config: as strict as a user's may be.
strict=(-Wall -Wextra -Wpedantic -Werror)
printf '#include <%s>\n' hone/hone.h hone/online.h hone/exchange.h hone/tensor_map.h >"$root/all.c"
for cc in gcc clang-14; do
    command -v "$cc" >/dev/null || continue
    # shellcheck disable=SC2046
    "${bare[@]}" "$cc" -std=c99 "${strict[@]}" -fsyntax-only $(pc --cflags hone) "$root/all.c"
    # shellcheck disable=SC2046
    "${bare[@]}" "$cc" -std=c++11 "${strict[@]}" -fsyntax-only $(pc --cflags hone) -x c++ "$root/all.c"
done
# shellcheck disable=SC2046
"${bare[@]}" cc -std=c11 "$2/tests/package/consumer/online.c" -o "$root/by_pc" \
    $(pc --cflags --libs hone) -Wl,-rpath,"$(pc --variable=libdir hone)"
"${bare[@]}" "$root/by_pc" | grep '^block 64'
"$(pc --variable=program hone)" version
