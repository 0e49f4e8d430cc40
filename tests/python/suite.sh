#!/usr/bin/env bash
# Runs tests/python/test_NAME.py in the venv, away from the sources: suite.sh BUILD SOURCE NAME.
set -eu
build=$1 source=$2 name=$3
python=$build/python/venv/bin/python
[ -x "$build/python/venv/bin/hone" ] || { echo "skipped: the package is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset PYTHONPATH HONE_PROGRAM HONE_LIBCUDA
export HONE_SOURCE=$source HONE_BUILD=$build HONE_CACHE=${HONE_CACHE:-$build/python/cache}
export PYTHONDONTWRITEBYTECODE=1
"$python" -X faulthandler -W error::ResourceWarning "$source/tests/python/test_$name.py" -v
