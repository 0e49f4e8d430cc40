#!/usr/bin/env bash
# What an emitted header costs its user: lines, compiling it, and one selection of 200 rows
# on five devices. With a second program, of another version, the headers of both are
# measured in turn.
# Usage: bench/header.sh [HONE [OTHER_HONE]], from anywhere; needs the compilers of
# COMPILERS ("gcc clang"). ROWS: of each device (40). FULL=1: journals have L2 and memory, too.
# COUNT=1: instead of times, the instructions of a selection, by valgrind.
set -eu
programs=("$(realpath "${1:-$(dirname "$0")/../build/dev/hone}")")
if [ $# -gt 1 ]; then programs+=("$(realpath "$2")"); fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# journal DEVICE MAJOR MINOR SMS MEMORY: every one of 8 tiles on every problem.
journal() {
    awk -v name="$1" -v major="$2" -v minor="$3" -v sms="$4" -v n="${ROWS:-40}" \
        -v more="${FULL:+$5}" 'BEGIN {
        printf "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"tile\",\"params\":[{\"name\":\"BM\",\"values\":[16,32,64,128]},{\"name\":\"BN\",\"values\":[32,64]}],"
        printf "\"where\":[\"(BM + BN) * 512 <= device.max_shared_bytes\"],\"launch\":{\"grid\":[\"ceil_div(M, BM)\",\"ceil_div(N, BN)\"],\"block\":[\"BM * 2\"],\"shared\":\"(BM + BN) * 512\"},"
        for (p = 0; p < n; p++) { m[p] = 64 + 97 * (p % 20); k[p] = 32 + 61 * int(p / 20) }
        printf "\"problem\":{\"M\":%d,\"N\":%d},\"problems\":[", m[0], k[0]
        for (p = 0; p < n; p++) printf "%s{\"M\":%d,\"N\":%d}", p ? "," : "", m[p], k[p]
        printf "],\"clock\":\"cupti\",\"objective\":\"time_us\",\"device\":{\"name\":\"%s\",\"limits\":{\"name\":\"%s\",\"arch\":\"sm_%d%d\",\"cc_major\":%d,\"cc_minor\":%d,\"sm_count\":%d,%s\"max_shared_bytes\":101376}}}\n", name, name, major, minor, major, minor, sms, more
        for (p = 0; p < n; p++) for (bm = 16; bm <= 128; bm *= 2) for (bn = 32; bn <= 64; bn *= 2) {
            blocks = (int((m[p] - 1) / bm) + 1) * (int((k[p] - 1) / bn) + 1)
            printf "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%.6g,\"problem\":%d}\n", bm, bn, (int((blocks - 1) / sms) + 1) * bm * bn * (1 + 600 / (bm * bn)) / 100 + 1, p
        } }'
}
# memory L2_MIB MEMORY_GIB: of a device.
memory() { echo "\"l2_bytes\":$(($1 << 20)),\"memory_bytes\":$(($2 << 30)),"; }
journal A30 8 0 56 "$(memory 24 24)" >1.jsonl
journal A100 8 0 108 "$(memory 40 80)" >2.jsonl
journal RTX4090 8 9 128 "$(memory 72 24)" >3.jsonl
journal H100 9 0 114 "$(memory 50 80)" >4.jsonl
journal H200 9 0 132 "$(memory 60 141)" >5.jsonl

echo '#include "tile.h"
int main(void) { return tile_select(9, 0, 132, 64, 32, 0) == 0; }' >one.c
cat >ns.c <<'END'
#define _POSIX_C_SOURCE 200809L
#include "tile.h"
#include <stdio.h>
#include <time.h>
enum { N = 4096 };
static long long sizes[N][2];
static int rounds = 200;
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
__attribute__((noinline)) long batch(const tile_gpu *gpu)
{
    long used = 0;
    for (int i = 0; i < N; i++) {
        const tile_config *config = tile_select_for(gpu, sizes[i][0], sizes[i][1], 0);
        used += config ? config->BM : 0;
    }
    return used;
}
static void measure(const char *what, int major, int minor, int sms)
{
    double best = 1;
    long used = 0;
    const tile_gpu gpu = tile_gpu_of(major, minor, sms);
    for (int r = 0; r < rounds; r++) {
        const double begin = seconds();
        used += batch(&gpu);
        const double t = (seconds() - begin) / N;
        if (t < best) best = t;
    }
    printf("%s, %d.%d with %d SMs:%.2f:%ld\n", what, major, minor, sms, best * 1e9, used % 10);
}
static unsigned number(void)
{
    static unsigned seed = 1;
    return (seed = seed * 1103515245u + 12345u) / 65536;
}
/* With an argument, one of the queries once. */
int main(int argc, char **argv)
{
    const int only = argc > 1 ? argv[1][0] - '0' : -1;
    static const int gpus[][3] = {{8, 0, 56}, {8, 0, 108}, {8, 9, 128}, {9, 0, 114}, {9, 0, 132}};
    for (int i = 0; i < N; i++) {
        const tile_row *row = &tile_rows[number() % TILE_ROWS];
        sizes[i][0] = row->problem.M;
        sizes[i][1] = row->problem.N;
    }
    if (only >= 0) rounds = 1;
    for (int g = 0; g < 5 && (only < 0 || only == 0); g++)
        measure("rows", gpus[g][0], gpus[g][1], gpus[g][2]);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) sizes[i][k] = 1 + number() % 4096;
    for (int g = 0; g < 5 && (only < 0 || only == 1); g++)
        measure("other sizes", gpus[g][0], gpus[g][1], gpus[g][2]);
    if (only < 0 || only == 2) measure("another minor version", 8, 6, 84);
    if (only < 0 || only == 3) measure("another GPU", 7, 5, 72);
    return 0;
}
END

for i in "${!programs[@]}"; do
    mkdir "$i"
    "${programs[i]}" emit ?.jsonl -o "$i/tile.h" >/dev/null
    echo "${programs[i]}: $(grep -o 'TILE_ROWS = [0-9]*' "$i/tile.h"), $(wc -l <"$i/tile.h") lines"
done
if [ "${COUNT:-}" ]; then
    kinds=("rows, over 5 devices" "other sizes, over 5 devices" "another minor version" "another GPU")
    for compiler in ${COMPILERS:-gcc clang}; do
        for kind in 0 1 2 3; do
            printf '%-46s' "${kinds[kind]}, $compiler (instructions):"
            for i in "${!programs[@]}"; do
                "$compiler" -std=c99 -O2 "-I$i" ns.c -o counted
                valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=batch \
                    ./counted "$kind" 2>&1 >/dev/null |
                    awk -v n=$((kind < 2 ? 5 * 4096 : 4096)) '/Collected/ { printf " %7.1f", $NF / n }'
            done
            echo
        done
    done
    exit
fi
# Compiling: the least user time of 9, in turn. Selections: the least of 5 runs, in turn.
for compiler in ${COMPILERS:-gcc clang}; do
    for turn in 1 2 3 4 5 6 7 8 9; do
        for i in "${!programs[@]}"; do
            TIMEFORMAT=%U
            { time "$compiler" -std=c99 -O2 "-I$i" -c one.c -o one.o; } 2>>"$i/compiling.$compiler"
            [ -x "$i/ns.$compiler" ] || "$compiler" -std=c99 -O2 "-I$i" ns.c -o "$i/ns.$compiler"
            if [ "$turn" -le 5 ]; then "$i/ns.$compiler" >>"$i/runs.$compiler"; fi
        done
    done
    for i in "${!programs[@]}"; do
        echo "compiling, $compiler -O2 (s):$(sort -n "$i/compiling.$compiler" | head -n 1)" >"$i/least"
        awk -F: -v c="$compiler" '
            !($1 in least) { order[++n] = $1; least[$1] = $2 }
            $2 < least[$1] { least[$1] = $2 }
            END { for (i = 1; i <= n; i++) printf "%s, %s (ns):%.1f\n", order[i], c, least[order[i]] }
        ' "$i/runs.$compiler" >>"$i/least"
    done
    paste -d: */least | awk -F: '{ printf "%-46s", $1; for (i = 2; i <= NF; i += 2) printf " %7s", $i; print "" }'
done
