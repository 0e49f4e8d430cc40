#!/usr/bin/env bash
# tests/fuzz/run.sh [-j N] [SECONDS] [NAME...]: builds the fuzz targets with clang and libFuzzer and
# runs each, or those named, for so many seconds (60), N of them at a time (1). What is new in a
# corpus, the logs and what was found stay in HONE_FUZZ_FOLDER (~/.cache/hone-fuzz), so that the
# next run goes on from there. An input is a finding when it crashes, breaks a promise of its
# target, leaks, needs over 2 seconds or 512 MB. Exit code 1 where something was found.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
tree=$source_dir/build/fuzz
folder=${HONE_FUZZ_FOLDER:-$HOME/.cache/hone-fuzz}
jobs=1 seconds=60
if [ "${1:-}" = -j ]; then
    jobs=$2
    shift 2
fi
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi
[ -f "$tree/build.ninja" ] || cmake -S "$source_dir" --preset fuzz -G Ninja >/dev/null
mkdir -p "$folder/log"
names=("$@")
if [ ${#names[@]} = 0 ]; then
    for file in "$source_dir"/tests/fuzz/fuzz_*.c; do
        name=${file##*/fuzz_}
        names+=("${name%.c}")
    done
fi
cmake --build "$tree" --target "${names[@]/#/fuzz_}" >"$folder/log/build" 2>&1 || {
    tail -n 30 "$folder/log/build"
    exit 2
}

fuzz() {
    local name=$1 bin=$tree/tests/fuzz/fuzz_$1 options=()
    mkdir -p "$folder/corpus/$name" "$folder/found/$name"
    mapfile -t options <"$bin.options"
    [ ! -s "$bin.seeds" ] || options+=("-seed_inputs=@$bin.seeds")
    ASAN_OPTIONS=quarantine_size_mb=16:${ASAN_OPTIONS:-} \
        "$bin" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=512 -print_final_stats=1 \
        -artifact_prefix="$folder/found/$name/" "${options[@]}" \
        "$folder/corpus/$name" "$source_dir/tests/fuzz/corpus/$name" >"$folder/log/$name" 2>&1
}

# The figures of a log: executions, seconds, edges at the start and at the end.
report() {
    local name=$1 log=$folder/log/$1 word=none
    local runs took first last
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    took=$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$log")
    first=$(sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p' "$log" | head -n 1)
    last=$(sed -n 's/^#[0-9]*.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
    # The artifact of this run is newer than its log's first line.
    if [ "$(cat "$folder/log/$name.rc")" != 0 ]; then
        word=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        word="FOUND ${word:-see $log}"
        touch "$folder/log/found"
    fi
    printf '%-10s %12s %8s %10s %8s %8s  %s\n' "$name" "${runs:--}" "${took:--}" \
        "$([ "${took:-0}" -gt 0 ] && echo $((runs / took)) || echo -)" "${last:--}" \
        "$([ -n "$first" ] && echo "+$((last - first))" || echo -)" "$word"
}

rm -f "$folder/log/found"
printf '%-10s %12s %8s %10s %8s %8s  %s\n' target executions seconds per_s edges new found
running=0
for name in "${names[@]}"; do
    (
        rc=0
        fuzz "$name" || rc=$?
        echo "$rc" >"$folder/log/$name.rc"
        report "$name"
    ) &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait -n
        running=$((running - 1))
    fi
done
wait
case " ${names[*]} " in
*" expr "*) # what it found new in expressions, as C
    cmake --build "$tree" --target fuzz_printed >>"$folder/log/build" 2>&1
    "$source_dir/tests/fuzz/printed.sh" "$tree/tests/fuzz/fuzz_printed" \
        "$folder/corpus/expr" "$source_dir/tests/fuzz/corpus/expr" || touch "$folder/log/found"
    ;;
esac
[ ! -e "$folder/log/found" ]
