#!/usr/bin/env bash
# From a fresh Debian or Ubuntu machine to a tuned kernel: installs what is missing, builds hone,
# tunes an SGEMM on the best device present (a GPU, else the emulator) and shows the header, used by
# a C program that prints its launch geometry.
#
#   ./quickstart.sh [BUDGET]      evaluations [40 with a GPU, 24 emulated]
set -euo pipefail
source_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_dir/scripts/setup.sh"

need_build_packages
install_packages
find_cuda
configure "$source_dir/build/quickstart" -DCMAKE_BUILD_TYPE=Release -DHONE_BUILD_TESTS=OFF \
    -DHONE_BUILD_BENCH=OFF
build "$source_dir/build/quickstart"
hone=$source_dir/build/quickstart/hone
out=$source_dir/build/quickstart/out
rm -rf "$out"
mkdir -p "$out"
export HONE_CACHE=$source_dir/build/quickstart/cache

if "$hone" devices | grep '^cuda:0 ' | grep -qv 'not available'; then
    device=cuda:0 budget=${1:-40} accept=""
    say "Tuning SGEMM on the GPU (measured times)"
else
    device=emu:h200 budget=${1:-24} accept=--accept-predicted
    say "No GPU here: tuning SGEMM on the emulator. Results are verified, times are predicted."
fi
# shellcheck disable=SC2086
"$hone" tune "$source_dir/kernels/sgemm.lua" --device "$device" --budget "$budget" \
    --set M=1024 --set N=1024 --set K=1024 --journal "$out/sgemm.jsonl" -o "$out/sgemm_tuned.h" $accept

say "
The header (first lines):"
head -n 40 "$out/sgemm_tuned.h"
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$out" "$source_dir/examples/geometry.c" \
    -o "$out/geometry"
say "
A C program that includes it:"
"$out/geometry"
say "
Header: $out/sgemm_tuned.h
Journal: $out/sgemm.jsonl
Next: $hone help tune"
