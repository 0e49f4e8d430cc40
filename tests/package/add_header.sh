#!/usr/bin/env bash
# hone_add_header in a project that is configured, built and installed with an empty environment and
# no GPU, driver or CUDA: add_header.sh BUILD SOURCE.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$1" --prefix "$root/prefix" >/dev/null
mkdir "$root/kernels"
cp "$2"/tests/cli/scripts/scale*.{lua,cu} "$root/kernels"
project=$2/tests/package/add_header

# what a container has: compilers and CMake, no driver and no CUDA libraries
bare=(env -i PATH=/usr/bin:/bin HOME="$root" HONE_LIBCUDA=/nowhere HONE_NVRTC=/nowhere)
fail() { echo "$1"; cat "$root/log"; exit 1; }
configure() { # folder, options
    local folder=$1
    shift
    "${bare[@]}" cmake -S "$project" -B "$root/$folder" -DCMAKE_PREFIX_PATH="$root/prefix" \
        -DKERNELS="$root/kernels" "$@" >"$root/log" 2>&1
}
build() { "${bare[@]}" cmake --build "$root/$1" >"$root/log" 2>&1; }
tells() { # folder, text
    [ "$("$root/$1/tell")" = "$2" ] || fail "$1 tells $("$root/$1/tell"), not $2"
}

# 1. nothing but hone: the author's default
configure plain -DHONE_TUNE=ON && build plain || fail "without results"
tells plain "BLOCK=32 default"
"${bare[@]}" cmake --install "$root/plain" --prefix "$root/out" >/dev/null
[ "$("$root/out/bin/tell")" = "BLOCK=32 default" ]

# what is no name of a header is told while configuring
configure path -DOUTPUT="$root/scale_tuned.h" && fail "a path as OUTPUT"
grep -q "OUTPUT '$root/scale_tuned.h'" "$root/log" || fail "no word of OUTPUT"

# 2. a second build does nothing; a changed script makes the header again
build plain && ! grep -q 'Writing scale_tuned.h' "$root/log" || fail "made again without a reason"
sed -i 's/BLOCK = 32, MODE/BLOCK = 64, MODE/' "$root/kernels/scale.lua"
build plain || fail "after a change"
tells plain "BLOCK=64 default"
sed -i 's|^// .*|&!|' "$root/kernels/scale.cu" && build plain || fail "after a change of the template"
grep -q 'Writing scale_tuned.h' "$root/log" || fail "a changed template went unseen"

# 3. the same with Ninja, whose paths in a depfile are a policy of CMake 3.20 (CMP0116), in a project
# of its own and as a part of another one
knows() { cmake --version | grep -Eq ' (3\.(2[89]|[3-9][0-9])|[4-9])'; }
newest=3.18...3.28
! knows || newest=3.28
mkdir "$root/whole"
printf '%s\n' 'cmake_minimum_required(VERSION ${MINIMUM})' 'project(whole LANGUAGES C)' \
    'add_subdirectory(${PART} part)' >"$root/whole/CMakeLists.txt"
for minimum in $(command -v ninja >/dev/null && echo 3.18 "$newest"); do
    for top in "$project" "$root/whole"; do
        rm -rf "$root/ninja"
        project=$top configure ninja -G Ninja -DMINIMUM="$minimum" -DPART="$project" &&
            build ninja && build ninja || fail "with Ninja, $minimum"
        grep -q 'no work to do' "$root/log" || fail "Ninja works without a reason, $minimum, $top"
        sed -i 's|^// .*|&!|' "$root/kernels/scale.cu" && build ninja || fail "with Ninja"
        grep -q 'Writing scale_tuned.h' "$root/log" || fail "Ninja has not seen a changed template"
    done
done

# a table with overrides is two files: one that is gone is made again, and both are kept
configure runtime -DSHAPE=runtime && build runtime || fail "a header with overrides"
headers=$root/runtime/hone_headers/scaled
SCALE_CONFIG=BLOCK=128 tells runtime "BLOCK=128 default"
rm "$headers/scale_tuned_runtime.h"
build runtime && [ -f "$headers/scale_tuned_runtime.h" ] || fail "without its second file"
cp "$headers/scale_tuned.h" "$root/kept.h" && cp "$headers/scale_tuned_runtime.h" "$root/kept_runtime.h"

# 4. required and not there: an error that says so
configure required -DHONE_REQUIRE_TUNED=ON || fail "configuring"
if build required; then fail "an untuned header passed"; fi
grep -q 'scale.lua is not tuned' "$root/log" || fail "no reason"

# 5. results that are kept with the sources (made here by the emulator, which needs NVRTC)
if (cd "$root" && prefix/bin/hone tune kernels/scale.lua --device emu:h200 --strategy grid --quiet \
    --budget 16 --cache '' --journal kept.jsonl >/dev/null 2>&1); then
    mkdir "$root/kernels/results" && cp "$root/kept.jsonl" "$root/kernels/results/"
    configure required -DHONE_REQUIRE_TUNED=ON && build required || fail "with results"
    best=$("$root/prefix/bin/hone" show "$root/kept.jsonl" | grep -o 'BLOCK=[0-9]*' | head -n 1)
    tells required "$best tuned"
    build plain && tells plain "$best tuned" # a new journal is seen without configuring
    echo '// changed' >>"$root/kernels/scale.cu"
    build plain || fail "with a result of another template"
    grep -q 'its template hash is' "$root/log" || fail "a stale result was used"
    tells plain "BLOCK=64 default"
else
    echo "no NVRTC: kept results are not tried"
fi

# 6. a cross build runs the program of this machine
cat >"$root/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR other)
set(CMAKE_FIND_ROOT_PATH $root/prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
END
configure cross -DCMAKE_TOOLCHAIN_FILE="$root/toolchain.cmake" \
    -DHONE_PROGRAM="$root/prefix/bin/hone" && build cross || fail "a cross build"
grep -q 'NOT TUNED' "$root/cross/hone_headers/scaled/scale_tuned.h"

# 7. no hone at all, only the module: the header that is kept with the sources
configure alone -DCMAKE_PREFIX_PATH= -DHONE_MODULE="$2/cmake/HoneAddHeader.cmake" && build alone || fail "without hone"
tells alone "BLOCK=1024 tuned"
configure two -DCMAKE_PREFIX_PATH= -DHONE_MODULE="$2/cmake/HoneAddHeader.cmake" -DSHAPE=runtime \
    -DKEPT="$root/kept.h" && build two || fail "two files without hone"
SCALE_CONFIG=BLOCK=128 tells two "BLOCK=128 default"
