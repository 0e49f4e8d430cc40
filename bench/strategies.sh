#!/usr/bin/env bash
# The figures of the README on search strategies: on the whole recorded spaces, cold and
# warm, with the convergence plot, and against Kernel Tuner on five of them.
#
#   bench/strategies.sh [FOLDER OF RECORDINGS [OUTPUT FOLDER]]
#
# REPEATS [25] runs each; STRATEGIES [all]; HONE names the program [build/release/hone,
# or that of build/dev, quickstart.sh or test.sh]. Without Kernel Tuner: KERNEL_TUNER=no.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
recorded=${1:-$top/../shared/recorded}
out=${2:-$top/build/strategies}
repeats=${REPEATS:-25}
if [ -z "${HONE:-}" ]; then
    for HONE in "$top"/build/{release,dev,quickstart,test}/hone; do
        [ ! -x "$HONE" ] || break
    done
fi
[ -x "$HONE" ] || {
    echo "no program '$HONE': ./quickstart.sh makes one, or name it in HONE" >&2
    exit 2
}
compgen -G "$recorded/convolution_*.jsonl" >/dev/null || {
    echo "no recordings in $recorded: hone import makes some of another tuner's caches" >&2
    exit 2
}
mkdir -p "$out"

spaces=("$recorded"/convolution_*.jsonl "$recorded"/dedispersion_*.jsonl "$recorded"/gemm_*.jsonl)
chosen=(${STRATEGIES:+--strategies "$STRATEGIES"})
echo "== cold: ${#spaces[@]} recordings, $repeats runs each"
"$HONE" bench strategies "${spaces[@]}" "${chosen[@]}" --repeats "$repeats" \
    --plot "$out/cold.svg" | tee "$out/cold.txt"
echo "== warm: begun with the recordings of other devices"
"$HONE" bench strategies "${spaces[@]}" "${chosen[@]}" --repeats "$repeats" \
    --warm "${spaces[@]}" --plot "$out/warm.svg" | tee "$out/warm.txt"
[ "${KERNEL_TUNER:-yes}" != no ] || exit 0
echo "== against Kernel Tuner"
HONE=$HONE "$top/bench/kernel_tuner.sh" --seeds 20 ${STRATEGIES:+--hone-strategies "$STRATEGIES"} \
    "$recorded"/{convolution_milo_A100,convolution_RTX_3090,gemm_RTX_3090,gemm_RTX_2080_Ti,dedispersion_milo_MI250X}.jsonl |
    tee "$out/kernel_tuner.txt"
