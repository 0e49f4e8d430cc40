#!/usr/bin/env bash
# Makes the wheel and installs it in a fresh venv below the build folder: install.sh BUILD SOURCE
# PYTHON. The wheel's tree is what this build installs; with HONE_TESTS=long pip compiles it as a
# user's would. Skipped (77) where pip, venv or the index is missing.
set -eu
build=$1 source=$2 python=$3
folder=$build/python
rm -rf "$folder"
mkdir -p "$folder"
log=$folder/install.log
export PIP_DISABLE_PIP_VERSION_CHECK=1
skip() { echo "skipped: $1"; tail -n 5 "$log"; exit 77; }
fail() { echo "$1"; tail -n 40 "$log"; exit 1; }

"$python" -m venv "$folder/venv" >"$log" 2>&1 || skip "no venv with pip (Debian: python3-venv)"
pip=$folder/venv/bin/pip
"$pip" download --no-deps -q -d "$folder/index" 'scikit-build-core>=0.10' >"$log" 2>&1 ||
    skip "pip reaches no package index"

options=()
if [ "${HONE_TESTS:-}" != long ]; then
    for component in program library; do
        cmake --install "$build" --prefix "$folder/tree" --component $component >>"$log" 2>&1 ||
            fail "cmake --install"
    done
    find "$folder/tree" -type l -delete # a wheel holds no links
    rm -rf "$folder"/tree/share/{man,bash-completion,fish,zsh}
    options=(-C "cmake.source-dir=$source/tests/python/prebuilt"
             -C "cmake.define.HONE_TREE=$folder/tree" -C install.strip=false)
fi
"$pip" wheel "$source" --no-deps -w "$folder" -C "build-dir=$folder/build" "${options[@]}" \
    >>"$log" 2>&1 || fail "pip wheel"
ls -l "$folder"/hone-*.whl
"$pip" install --no-compile "$folder"/hone-*.whl >>"$log" 2>&1 || fail "pip install"

# What examples and tests use besides; what is not there, they say that they lack.
others=(pandas)
[ "${HONE_TESTS:-}" != long ] || others+=(pyarrow optuna nevergrad triton mypy)
"$pip" install --no-compile "${others[@]}" >>"$log" 2>&1 || { echo "not installed: ${others[*]}"; tail -n 3 "$log"; }
