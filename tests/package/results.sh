#!/usr/bin/env bash
# One kernel of results/ made anew is the same, byte for byte.
#   results.sh BUILD_FOLDER SOURCE_FOLDER
set -eu
build=$1 source=$2
shipped=$source/results/h100/transpose-M1024-N1024.predicted.jsonl
pinned=$(grep -o '"nvrtc_version":"[^"]*"' "$shipped")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/results" "$folder/build"
ln -s "$source/kernels" "$source/templates" "$folder"
cp "$source/results/campaign.lua" "$folder/results"
cd "$folder/results"
run=$("$build/hone" campaign plan campaign.lua |
    sed -n 's/^\([0-9a-f]*\)  waiting *transpose *emu:h100 *M=1024 N=1024 .*/\1/p')
"$build/hone" campaign run campaign.lua --run "$run" || {
    grep -qi 'nvrtc' ../build/results.runs/*/log || exit 1
    echo "skipped: no NVRTC"
    exit 77
}
"$build/hone" campaign merge campaign.lua --rows 8 --accept-predicted
made=h100/${shipped##*/}
grep -qF "$pinned" "$made" || { echo "skipped: made with another NVRTC than $pinned"; exit 77; }
cmp "$made" "$shipped"
# The header is of all journals of the kernel, this one among them.
for journal in "${shipped%/*}"/transpose-*.predicted.jsonl; do
    [ "$journal" = "$shipped" ] || cp "$journal" h100
done
"$build/hone" emit h100/transpose-*.predicted.jsonl --accept-predicted -o header.h
cmp header.h "${shipped%/*}/transpose.predicted.h"
