#!/usr/bin/env bash
# The examples are built by each of their build systems and run on the libcuda over the emulator:
# examples.sh BUILD SOURCE. Kernels need NVRTC; without it only the builds are checked.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$1" --prefix "$root/prefix" >/dev/null
hone=$root/prefix/bin/hone examples=$2/examples
export HONE_LIBCUDA=$1/tests/fake/emu_cuda.so HONE_EMU_GPU=h200
fail() { echo "$1"; cat "$root/log"; exit 1; }

runs=yes
(cd "$root" && "$hone" check "$examples/blas/kernels/gemm.lua" --device emu:h200 --sample 1 --cache '' \
    >"$root/log" 2>&1) || { echo "no NVRTC: nothing is run"; runs=no; }
is_right() { # folder, how it is tuned
    [ "$runs" = yes ] || return 0
    "$root/$1/check" >"$root/log" 2>&1 || fail "$1/check"
    [ "$(grep -c "($2): right" "$root/log")" = 3 ] || fail "$1/check is not right"
}

cmake -S "$examples/blas" -B "$root/cmake" -DCMAKE_PREFIX_PATH="$root/prefix" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Werror" >"$root/log"
cmake --build "$root/cmake" >"$root/log" 2>&1 || fail "CMake"
is_right cmake "tuned for this GPU"
HONE_EMU_GPU=a100 is_right cmake "not tuned for this GPU"
if ldd "$root/cmake/libblas.so" | grep -iE 'cuda|nvrtc'; then fail "linked with CUDA"; fi

mkdir "$root/make"
make -s -C "$root/make" -f "$examples/blas/Makefile" HONE="$hone" >"$root/log" 2>&1 || fail "make"
is_right make "tuned for this GPU"
make -C "$root/make" -f "$examples/blas/Makefile" HONE="$hone" | grep -q 'Nothing to be done' ||
    fail "make builds again"

if command -v meson >/dev/null; then
    meson setup "$root/meson" "$examples/blas" -Dhone="$hone" >"$root/log" 2>&1 &&
        meson compile -C "$root/meson" >"$root/log" 2>&1 || fail "meson"
    is_right meson "tuned for this GPU"
fi

if [ "$runs" = yes ] && command -v python3 >/dev/null; then
    python3 "$examples/python/multiply.py" "$root/cmake/libblas.so" >"$root/log" 2>&1 || fail python
    grep -q right "$root/log"
fi

# tuned at installation: without a GPU, and on the emulator
install_at() { # folder, options
    local folder=$1
    shift
    cmake -S "$examples/tune_at_install" -B "$root/$folder" -DCMAKE_PREFIX_PATH="$root/prefix" \
        "$@" >"$root/log" && cmake --install "$root/$folder" --prefix "$root/$folder/out" \
        >"$root/log" 2>&1 || fail "installing in $folder"
}
HONE_LIBCUDA=/nowhere install_at plain
grep -q 'NOT TUNED' "$root/plain/out/include/gemm_tuned.h"
if [ "$runs" = yes ]; then
    install_at tuned -DGEMM_DEVICE=emu:h200 -DGEMM_FLAGS=--accept-predicted -DGEMM_BUDGET=10s
    grep -q 'PREDICTED' "$root/tuned/out/include/gemm_tuned.h"
    cp "$root/tuned/out/include/gemm_tuned.h.jsonl" "$root/first"
    install_at tuned # again: nothing is tuned
    cmp "$root/first" "$root/tuned/out/include/gemm_tuned.h.jsonl"
fi
