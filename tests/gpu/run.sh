#!/usr/bin/env bash
# Everything that needs a GPU, in stages, on what is built already: nothing is compiled
# here but kernels. Carry the repository with build/gpu (preset gpu) to a machine with a
# GPU and run it.
#
#   tests/gpu/run.sh [--set NAME | --stage NAME] [--again] [--seconds N] [--pack FILE] [OUTDIR]
#   tests/gpu/run.sh --list
#
# The stages (stages.sh) stand in the order of their worth, in five sets, each for one
# sitting: checks, speed, recordings, more and decode; without --set all of them. A sitting ends
# before --seconds (570) are over: what does not fit is left for the next one. A stage is stopped
# at its limit, and keeps what it made.
#
# OUTDIR, anywhere ($TMPDIR/hone-GPU), gets run.log, table.txt, summary.json, the journals
# and the headers; nothing is written into the repository. --pack writes all of it as one
# tar.gz with the GPU's folder in it, anew after each stage: unpack it in results/. One of
# more than HONE_PACK_BYTES (16000000) is in parts, FILE.part00 and so on. A
# sitting begins with what results/GPU and OUTDIR hold: what is done there is left out, what
# was stopped goes on; --again does everything anew, --stage that stage alone: anew where
# it was done, else on.
#
# Exit code: 0 all stages passed, 1 a stage failed or was stopped, 2 wrong use, 77 there is
# no driver or no GPU.
#
# HONE_BUILD names another build folder than build/gpu, HONE_RESULTS another folder than
# results. For trying it without a GPU: HONE_SCALE divides all budgets, HONE_KERNELS are
# those to verify, HONE_SIZES (as "N=4096 M=64") goes after the sizes of all stages, and
# wins, HONE_OPTIONS are more of hone tune, and HONE_LIMIT is the limit of every stage.
set -u

die() { echo "run.sh: $1" >&2; exit 2; }

root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
# shellcheck source=tests/gpu/stages.sh
. "$root/tests/gpu/stages.sh"

list() {
    awk '{ printf "%-12s %-22s %4d s at most\n", $1, $2, $3 }' <<<"$stages"
    exit 0
}

set=
only=
outdir=
pack=
again=
seconds=570
parts=
while [ $# -gt 0 ]; do
    case $1 in
    --list) list ;;
    --stage | --set | --pack | --seconds) [ $# -ge 2 ] || die "$1 needs a value" ;;&
    --again) again=yes ;;
    --stage) only=$2; shift ;;
    --set) set=$2; shift ;;
    --pack) pack=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    -*) die "unknown option '$1'" ;;
    *) [ -z "$outdir" ] || die "one folder only, not '$outdir' and '$1'"; outdir=$1 ;;
    esac
    shift
done
if [ -n "$only" ] && ! grep -q "^[a-z]* $only " <<<"$stages"; then
    die "there is no stage '$only'; there are $(cut -d' ' -f2 <<<"$stages" | paste -sd' ')"
fi
[ -z "$set" ] || grep -q "^$set " <<<"$stages" ||
    die "there is no set '$set': checks, speed, recordings, more, decode"
case $seconds in '' | *[!0-9]*) die "--seconds needs a number, not '$seconds'" ;; esac

absolute() { case $1 in '' | /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
outdir=$(absolute "$outdir")
pack=$(absolute "$pack")
cd "$root" || exit 2
build=$(absolute "${HONE_BUILD:-build/gpu}")
results=$(absolute "${HONE_RESULTS:-results}")
hone=$build/hone
scale=${HONE_SCALE:-1}
pack_bytes=${HONE_PACK_BYTES:-16000000}
[ -x "$build/tests/gpu/test_gpu_device" ] ||
    die "'$build' holds no tests: cmake --preset gpu && cmake --build --preset gpu"
export PYTHONDONTWRITEBYTECODE=1

# A file of a Python wheel, where the loader and the toolkit's places have none.
wheel() {
    python3 -c 'import glob, sys
for folder in sys.path:
    for file in glob.glob(folder + "/nvidia/*/lib/" + sys.argv[1]):
        print(file); sys.exit()' "$1" 2>/dev/null
}
installed() { compgen -G "/usr/local/cuda/$1" >/dev/null; }
if [ -z "${HONE_NVRTC:-}" ] && ! installed 'lib64/libnvrtc.so*'; then
    found=$(wheel 'libnvrtc.so.1?') && [ -n "$found" ] && export HONE_NVRTC=$found
fi
if [ -z "${HONE_CUPTI:-}" ] && ! installed 'lib64/libcupti.so*' &&
    ! installed 'extras/CUPTI/lib64/libcupti.so*'; then
    found=$(wheel 'libcupti.so.1?') && [ -n "$found" ] && export HONE_CUPTI=$found
fi

# As long as somebody holds a GPU's node open the driver keeps it ready: without that, and
# without persistence mode, each of the many programs below waits 1 to 3 s for it.
held=
for node in "${HONE_GPU_NODES:-/dev}"/nvidia[0-9]*; do
    # shellcheck disable=SC2034 # open until the end
    { [ -r "$node" ] && exec {handle}<"$node"; } 2>/dev/null && held+=" $node"
done

# The first GPU's name as of a folder: h200 where the table of emulated GPUs knows it, or
# else made of its letters.
listing=$("$hone" devices 2>&1)
gpu_line=$(grep -m1 '^cuda:0 ' <<<"$listing")
case $gpu_line in
'') die "'$hone devices' shows no cuda:0: $listing" ;;
*'not available'*) echo "$gpu_line"; exit 77 ;;
esac
gpu_name=$(sed 's/^cuda:0  *//; s/  .*//; s/ sm_[0-9].*//' <<<"$gpu_line")
slug() {
    local known
    known=$(awk -v name="$1" 'index($0, "emu:") == 1 {
        line = $0; sub(/^emu:[^ ]* +/, "", line)
        rest = substr(line, length(name) + 1)
        if (index(line, name) == 1 && rest ~ /^ +sm_/) { print substr($1, 5); exit } }' \
        <<<"$listing")
    [ -n "$known" ] && { echo "$known"; return; }
    tr '[:upper:]' '[:lower:]' <<<"$1" | sed 's/nvidia//; s/[^a-z0-9]\{1,\}/-/g; s/^-//; s/-$//'
}
gpu=$(slug "$gpu_name")
outdir=${outdir:-${TMPDIR:-/tmp}/hone-$gpu}
mkdir -p "$outdir" || exit 2
# What an earlier sitting left, also that on another machine.
[ ! -d "$results/$gpu" ] ||
    tar -cf - -C "$results/$gpu" . | tar -xf - --skip-old-files -C "$outdir" || exit 2
log=$outdir/run.log
table=$outdir/table.txt
state=$outdir/stages.tsv # name, set, result, seconds, date, figure
touch "$log" "$state"
export build hone outdir scale held

# The result of a stage in an earlier sitting; nothing where it has not run.
result_of() { [ -n "$again" ] || awk -F'\t' -v name="$1" '$1 == name { print $3 }' "$state"; }

remember() {
    grep -v "^$1"$'\t' "$state" >"$state.new"
    (IFS=$'\t'; echo "$*") >>"$state.new"
    mv "$state.new" "$state"
}

quoted() { sed 's/[\\"]/\\&/g; s/.*/"&"/' <<<"$1" | tr -d '[:cntrl:]'; }

# The table, and the same for programs.
write_summary() {
    awk -F'\t' 'BEGIN { printf "%-22s %-8s %8s  %s\n", "stage", "result", "seconds", "figure" }
        { printf "%-22s %-8s %8s  %s\n", $1, $3, $4, $6 }' "$state" >"$table"
    {
        printf '{"gpu":%s,"name":%s,"commit":%s,"stages":[' "$(quoted "$gpu")" \
            "$(quoted "$gpu_name")" \
            "$(quoted "$(git rev-parse --short HEAD 2>/dev/null)")"
        local comma='' name of result took date figure
        while IFS=$'\t' read -r name of result took date figure; do
            printf '%s\n{"stage":"%s","set":"%s","result":"%s","seconds":%d,' \
                "$comma" "$name" "$of" "$result" "$took"
            printf '"date":"%s","figure":%s}' "$date" "$(quoted "$figure")"
            comma=,
        done <"$state"
        printf '\n]}\n'
    } >"$outdir/summary.json"
}

# Written aside first: a sitting that is cut short here keeps the one before. What is
# larger than a machine may give back goes in parts.
write_pack() {
    [ -n "$pack" ] || return 0
    local bytes
    mkdir -p "$(dirname "$pack")" &&
        tar -czf "$pack.new" -C "$outdir" --transform "s,^\.,$gpu," . || return 1
    bytes=$(stat -c %s "$pack.new")
    rm -f "$pack" "$pack".part[0-9]*
    parts=
    [ "$bytes" -gt "$pack_bytes" ] || { mv "$pack.new" "$pack"; return; }
    split -d -a 2 -b "$pack_bytes" "$pack.new" "$pack.part" && rm "$pack.new"
    parts="the pack has $bytes bytes, more than $pack_bytes: cat $pack.part* >$pack"
}

failed=0
part=$(mktemp)
trap 'rm -f "$part"' EXIT

run_stage() {
    local name=$1 of=$2 limit=$3 command=$4 started=$SECONDS result
    # A program of the stage that is stopped ends in order and keeps what it made; the
    # stage then begins no other.
    before=$(result_of "$name") stopped='' timeout -s INT -k 15 "$limit" \
        bash -c "trap 'stopped=yes' INT; $command" >"$part" 2>&1 </dev/null
    case $? in
    0) result=ok ;;
    77) result=skipped ;;
    75) result=part ;; # it goes on in the next sitting
    124 | 137) result=stopped; failed=1 ;;
    *) result=FAILED; failed=1 ;;
    esac
    { echo "=== $name: $result"; cat "$part"; } >>"$log"
    [ $result = ok ] || { echo "=== $name: $result"; tail -n 25 "$part"; }
    remember "$name" "$of" $result $((SECONDS - started)) "$(date -u +%F)" \
        "$(figure "$name" "$part")"
    write_summary
    write_pack
}

left_out=
while read -r of name limit command; do
    if [ -n "$only" ]; then
        [ "$name" = "$only" ] || continue
    else
        [ -z "$set" ] || [ "$of" = "$set" ] || continue
        [ -n "$again" ] || [ "$(result_of "$name")" != ok ] || continue
    fi
    # The last seconds are for a stage that is slow to end, and for packing.
    limit=${HONE_LIMIT:-$limit}
    room=$((seconds - 20 - SECONDS))
    [ $room -ge 15 ] || { left_out+=" $name"; continue; }
    run_stage "$name" "$of" $((limit < room ? limit : room)) "$command"
done <<<"$stages"
write_summary
write_pack

# Among the last things that are printed, since only the end of an output may be kept.
grep -E '^ .* us  [0-9.]+x|^[a-z0-9_]+: .* rounds$' "$log" | tail -n 60
cat "$table"
[ -z "$parts" ] || echo "$parts"
[ -z "$left_out" ] || echo "no time was left for$left_out: run the same again"
echo "$SECONDS of $seconds s, in $outdir"
exit $failed
