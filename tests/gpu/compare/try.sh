#!/usr/bin/env bash
# compare.py on the emulator: each kernel, tuned at a size that takes no time, computes what
# PyTorch computes. Needs PyTorch (any), else 77.
#
#   try.sh BUILD OUTDIR
set -eu
build=$1 out=$2
cd "$(dirname "$0")/../../.."
python3 -c 'import torch' 2>/dev/null || { echo 'there is no PyTorch here'; exit 77; }
rm -rf "$out"
mkdir -p "$out"

bundle() {
    local kernel=$1 name=$2 size sizes=()
    shift 2
    for size in "$@"; do sizes+=(--set "$size"); done
    "$build/hone" tune "kernels/$kernel.lua" "${sizes[@]}" --device emu:h200 --budget 1 \
        --quiet --journal "$out/$name.jsonl" >/dev/null
    "$build/hone_bench_bundle" "$out/$name.jsonl" "kernels/$kernel.lua" emu:h200 "$out/$name"
}
bundle sgemm sgemm M=128 N=96 K=64
bundle gemm_mma gemm_bf16 M=128 N=96 K=64
bundle gemm_sm90 gemm_sm90 M=128 N=96 K=64 CLUSTER_M=1 CLUSTER_N=1
bundle gemm_mma gemm_f16 TYPE=f16 M=128 N=96 K=64
bundle gemm_w4a16 gemm_w4a16 ZEROS=true M=16 N=96 K=256
bundle gemm_w4a16_sm90 gemm_w4a16_sm90 TYPE=bf16 M=16 N=96 K=256
bundle attention attention BATCH=1 SEQ_Q=64 SEQ_K=64 HEADS=4 KEY_HEADS=2
bundle attention_sm90 attention_sm90 BATCH=1 SEQ_Q=64 SEQ_K=64 HEADS=4 KEY_HEADS=2
bundle attention_decode attention_decode PAGE=0 BATCH=2 MORE=96 HEADS=8 KEY_HEADS=2
bundle softmax softmax rows=4 cols=512
bundle rmsnorm rmsnorm rows=8 cols=512
bundle layernorm layernorm rows=8 cols=512
bundle reduction reduction MODE=write N=50000
bundle transpose transpose M=128 N=192
HONE_LIBCUDA=$build/tests/fake/emu_cuda.so python3 tests/gpu/compare/compare.py \
    --seconds 0 "$out/compare.jsonl" "$out"/*.json
