#!/usr/bin/env bash
# Kernel Tuner's strategies against Hone's on the same recordings.
#
#   bench/kernel_tuner.sh [--seeds N] [--strategies A,B] ... FILE.jsonl...
#
# Installs the pinned Kernel Tuner into a virtual environment (KERNEL_TUNER_VENV
# [build/kernel_tuner]) on first use. HONE names the program [build/release/hone,
# or that of build/dev, quickstart.sh or test.sh].
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
venv=${KERNEL_TUNER_VENV:-$top/build/kernel_tuner}
version=1.4.0

if [ -z "${HONE:-}" ]; then
    for HONE in "$top"/build/{release,dev,quickstart,test}/hone; do
        [ ! -x "$HONE" ] || break
    done
fi
[ -x "$HONE" ] || {
    echo "no program '$HONE': ./quickstart.sh makes one, or name it in HONE" >&2
    exit 2
}
if ! "$venv/bin/python" -c "import importlib.metadata as m; assert m.version('kernel_tuner') == '$version'" 2>/dev/null; then
    echo "installing kernel_tuner $version into $venv" >&2
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet "kernel_tuner==$version"
fi
exec "$venv/bin/python" "$top/bench/simulate_kernel_tuner.py" --hone "$HONE" "$@"
