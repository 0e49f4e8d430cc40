#!/usr/bin/env bash
# Scripts beside the program, as their first user calls them: scripts.sh BUILD SOURCE.
set -eu
command -v python3 >/dev/null || exit 77
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() { echo "$1"; cat "$root/log"; exit 1; }

# 1. an example without its argument says what it wants
code=0
python3 "$2/examples/python/multiply.py" >"$root/log" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q '^usage: ' "$root/log" || fail "multiply.py ended with $code"

# 2. a recording whose problem is a number becomes a cache of Kernel Tuner
printf '%s\n' '{"hone":1,"kind":"journal","kernel":"k","params":[{"name":"A","values":[1]}],
"problem":{"size":20000000},"device":{"name":"D"}}' | tr -d '\n' >"$root/k.jsonl"
printf '\n%s\n' '{"config":[1],"outcome":"valid","time_us":2}' >>"$root/k.jsonl"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$2/bench python3 -c "
from simulate_kernel_tuner import convert
assert convert('$root/k.jsonl', '$root').problem == (20000000,)" >"$root/log" 2>&1 || fail "a number"

# 3. the build of quickstart.sh serves; without any, nothing is installed before that is said
mkdir -p "$root/tree/bench" "$root/venv/bin"
cp "$2/bench/kernel_tuner.sh" "$root/tree/bench/"
printf '#!/bin/sh\necho "$@"\n' >"$root/venv/bin/python"
chmod +x "$root/venv/bin/python"
code=0
env -u HONE KERNEL_TUNER_VENV="$root/venv" "$root/tree/bench/kernel_tuner.sh" x >"$root/log" 2>&1 || code=$?
[ "$code" = 2 ] && grep -q 'quickstart.sh makes one' "$root/log" || fail "without a program: $code"
mkdir -p "$root/tree/build/quickstart"
cp "$root/venv/bin/python" "$root/tree/build/quickstart/hone"
env -u HONE KERNEL_TUNER_VENV="$root/venv" "$root/tree/bench/kernel_tuner.sh" x >"$root/log" 2>&1 || fail "with a program"
grep -q 'build/quickstart/hone x$' "$root/log" || fail "another program"
