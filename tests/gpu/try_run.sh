#!/usr/bin/env bash
# run.sh on the fake driver: its order, limits, what a later sitting leaves out, the pack
# and the summary. try_run.sh OUTDIR CASE, in the environment of a fake GPU.
set -eu
out=$1 case=$2
cd "$(dirname "$0")/../.."
rm -rf "$out" && mkdir -p "$out"
export HONE_RESULTS=$out/results HONE_KERNELS=reduction HONE_SIZES=N=50000
gpu=fake-gpu-0
run() { tests/gpu/run.sh "$@" >"$out/log" 2>&1; }
fails() { ! "$@"; }
of_summary() { grep -o "\"stage\":\"$1\",.*" "$2/summary.json" | cut -d'"' -f 12; }

case $case in
the_stages_of_most_worth_come_first)
    order=$(tests/gpu/run.sh --list | awk '{ print $2 }' | paste -sd' ')
    [[ $order = facts\ device\ *clocks\ questions\ verify\ *tune-*compare\ *record-* ]] ;;
a_sitting_leaves_out_what_has_no_time)
    run --seconds 30 "$out/work"
    grep -q 'no time was left for facts device .* tune-mla_decode: run the same again' \
        "$out/log" ;;
# The stage is stopped while most of its builds wait.
a_stage_stopped_by_its_limit_keeps_what_it_made)
    export HONE_FAKE_DELAYS=compile=0.1,reduction=1 HONE_CACHE=$out/cache
    fails env HONE_LIMIT=8 tests/gpu/run.sh --stage tune-reduction --pack "$out/pack.tar.gz" \
        "$out/work" >"$out/log" 2>&1
    [ "$(of_summary tune-reduction "$out/work")" = stopped ]
    kept=$(grep -c '"outcome":"valid"' "$out/work/reduction.jsonl")
    [ "$kept" -gt 0 ] && [ -s "$out/work/reduction.h" ] && [ -s "$out/work/reduction.json" ]
    tar -tzf "$out/pack.tar.gz" | grep -qx "$gpu/reduction.jsonl"
    # On another machine, from what was committed, it goes on where it was.
    mkdir -p "$HONE_RESULTS" && tar -xzf "$out/pack.tar.gz" -C "$HONE_RESULTS"
    unset HONE_FAKE_DELAYS
    run --stage tune-reduction "$out/other"
    [ "$(of_summary tune-reduction "$out/other")" = ok ]
    lines=$(wc -l <"$out/work/reduction.jsonl")
    cmp <(head -n "$((lines / 2))" "$out/work/reduction.jsonl") \
        <(head -n "$((lines / 2))" "$out/other/reduction.jsonl") ;;
what_is_done_is_left_out_in_a_later_sitting)
    run --stage facts --pack "$out/new/folder/pack.tar.gz" "$out/work"
    mkdir -p "$HONE_RESULTS" && tar -xzf "$out/new/folder/pack.tar.gz" -C "$HONE_RESULTS"
    run --set checks --seconds 30 --pack "$out/pack.tar.gz" "$out/other"
    grep -q 'no time was left for device' "$out/log"
    [ "$(of_summary facts "$out/other")" = ok ]
    run --again --set checks --seconds 30 "$out/other"
    grep -q 'no time was left for facts device' "$out/log" ;;
a_pack_that_is_too_large_comes_in_parts)
    export HONE_PACK_BYTES=700
    run --stage facts --pack "$out/pack.tar.gz" "$out/work"
    [ ! -e "$out/pack.tar.gz" ] && [ ! -e "$out/pack.tar.gz.new" ]
    [ "$(stat -c %s "$out/pack.tar.gz.part00")" = 700 ]
    grep -q "the pack has [0-9]* bytes, more than 700: cat $out/pack.tar.gz.part" "$out/log"
    cat "$out"/pack.tar.gz.part* | tar -tzf - | grep -qx "$gpu/summary.json"
    unset HONE_PACK_BYTES
    run --stage facts --pack "$out/pack.tar.gz" "$out/work"
    [ ! -e "$out/pack.tar.gz.part00" ]
    tar -tzf "$out/pack.tar.gz" | grep -qx "$gpu/summary.json" ;;
the_summary_is_json_beside_the_table)
    run --stage facts "$out/work"
    grep -q '^facts  *ok' "$out/work/table.txt"
    grep -q '^{"gpu":"fake-gpu-0","name":"Fake GPU 0","commit":' "$out/work/summary.json"
    ! command -v python3 >/dev/null || python3 -m json.tool "$out/work/summary.json" ;;
the_driver_is_held_open_meanwhile)
    mkdir "$out/dev" && touch "$out/dev/nvidia0" "$out/dev/nvidiactl"
    HONE_GPU_NODES=$out/dev run --stage facts "$out/work"
    grep -q "^held open: $out/dev/nvidia0\$" "$out/work/run.log" ;;
nothing_is_written_into_the_repository)
    touch "$out/stamp"
    run --stage facts "$out/work"
    run --stage verify --pack "$out/pack.tar.gz" "$out/work"
    written=$(find tests/gpu tests/faults kernels templates results -newer "$out/stamp" 2>&1 |
        grep -v 'results.: No such') || true
    [ -z "$written" ] || { echo "$written"; exit 1; } ;;
*) echo "no case '$case'"; exit 2 ;;
esac
