#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors and runs all tests.
# The last line is 'N passed, N failed, N skipped'; the exit code is that of the tests.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_dir/scripts/setup.sh"

need_build_packages
need_test_packages
install_packages
find_cuda
build=$source_dir/build/test
configure_and_build "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g" -DHONE_WERROR=ON

say "Running the tests (log: $build/tests.log)"
export HONE_CACHE=$build/cache
result=0
ctest --test-dir "$build" --output-on-failure -j "$(nproc)" --output-junit "$build/tests.xml" \
    >"$build/tests.log" 2>&1 || result=$?
grep -E '\(Failed\)|\*\*\*(Failed|Timeout|Exception)|SEGFAULT' "$build/tests.log" || true
[ "$result" = 0 ] || tail -n 60 "$build/tests.log"

# ctest's own summary counts a skipped test as passed; its report tells them apart.
attribute() {
    tr '\n' ' ' <"$build/tests.xml" | sed -n "s/.*<testsuite [^>]*$1=\"\([0-9]*\)\".*/\1/p"
}
total=$(attribute tests) failed=$(attribute failures) skipped=$(attribute skipped)
grep -E '\*\*\*Skipped' "$build/tests.log" || true
echo "$((total - failed - skipped)) passed, $failed failed, $skipped skipped"
exit "$result"
