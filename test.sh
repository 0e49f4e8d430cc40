#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors and runs all tests, those that read
# untrusted bytes or lack memory under the address and undefined behaviour sanitizers.
# The last line is 'N passed, N failed, N skipped'; the exit code is that of the tests.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_dir/scripts/setup.sh"

passed=0 failed=0 skipped=0

# run_tests FOLDER [CTEST OPTIONS...]: adds to the counts; ctest's own summary takes a skipped
# test for a passed one, its report tells them apart.
run_tests() {
    local folder=$1 log=$1/tests.log report=$1/tests.xml result=0
    shift
    say "Running the tests (log: $log)"
    # One more than there are cores: some wait for processes that hang.
    ctest --test-dir "$folder" --output-on-failure -j $(($(nproc) + 1)) --output-junit "$report" "$@" \
        >"$log" 2>&1 || result=$?
    grep -E '\(Failed\)|\*\*\*(Failed|Timeout|Exception|Skipped)|SEGFAULT' "$log" || true
    [ "$result" = 0 ] || tail -n 60 "$log"
    [ -s "$report" ] || die "ctest wrote no report: $log"
    local total bad left
    total=$(attribute "$report" tests) bad=$(attribute "$report" failures)
    left=$(attribute "$report" skipped)
    [ "$total" -gt 0 ] || die "no tests were found in $folder"
    [ "$result" = 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + total - bad - left)) failed=$((failed + bad)) skipped=$((skipped + left))
}
attribute() {
    tr '\n' ' ' <"$1" | sed -n "s/.*<testsuite [^>]*$2=\"\([0-9]*\)\".*/\1/p"
}

need_build_packages
need_test_packages
install_packages
find_cuda
# Debug information of lines alone: reports name them, and to write all of it takes a fifth of the
# build.
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo)
flags=-DCMAKE_C_FLAGS_RELWITHDEBINFO

# Those that read untrusted bytes or lack memory: under sanitizers, and with HONE_TESTS=long in the
# plain build, too.
suites=(unit.message unit.message_fuzz unit.emu_fuzz unit.expr unit.record unit.exchange lua.script
    lua.script_whole unit.files unit.compiler_options unit.shipped unit.campaign
    unit.campaign_hostile unit.campaign_trust)
for file in "$source_dir"/tests/oom/test_*.c; do
    suites+=("oom.$(basename "${file#*/oom/test_}" .c)")
done
sanitized="^($(IFS='|' && echo "${suites[*]//./\\.}")|fuzz)\."

tree=$source_dir/build/test
configure "$tree" "${options[@]}" "$flags=-O2 -g1" -DHONE_WERROR=ON
build "$tree"
# A million messages; HONE_TESTS=long also takes all of what the test run takes a part of.
export HONE_CACHE=$tree/cache HONE_FUZZ_FRAMES=1000000
if [ "${HONE_TESTS:-}" = long ]; then run_tests "$tree"; else run_tests "$tree" -E "$sanitized"; fi

tree=$source_dir/build/sanitized
# To optimise the sanitizers' checks takes longer than it saves in these tests. GCC's manual warns
# of -Werror with sanitizers, which bring false warnings.
configure "$tree" "${options[@]}" "$flags=-O1 -g1" -DHONE_WERROR=OFF \
    -DHONE_SANITIZE=address,undefined
targets=("${suites[@]/#/test_}")
build "$tree" "${targets[@]//./_}" fuzz_targets
run_tests "$tree" -R "$sanitized"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
