#!/usr/bin/env bash
# The sittings of run.sh on the fake driver, which takes the time that a real one would: do
# they fit, with a third to spare?
#
#   HONE_TESTS=long tests/gpu/dry_run.sh BUILD OUTDIR [SET...]
#
# Costs of starting are those of a card without persistence mode. A build takes twice the
# median CPU time of NVRTC 13.0 for sm_90 (AMD EPYC, 2026-11-23), as on cores that two
# threads share, and 16 threads build. Both are on the dear side. Kernels compute nothing
# and take what the fake says, so their times are of no kernel. The stages that look at the
# GPU itself may fail here.
set -u
[ "${HONE_TESTS:-}" = long ] || { echo 'takes minutes: HONE_TESTS=long'; exit 77; }
build=$(cd "$1" && pwd) && mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
[ $# -gt 0 ] || set -- checks speed recordings more decode
cd "$(dirname "$0")/../.." || exit 2
mkdir -p "$out/locks"
export HONE_BUILD=$build HONE_RESULTS=$out/none HONE_LOCKS=$out/locks HONE_SECONDS=4
export HONE_LIBCUDA=$build/tests/fake/fake_cuda.so HONE_NVML=$build/tests/fake/fake_nvml.so
export HONE_NVRTC=$build/tests/fake/fake_nvrtc.so HONE_CUPTI=$build/tests/fake/fake_cupti.so
export HONE_FAKE_CUDA=memory=8e9,profiler=1,noise=0.01 HONE_OPTIONS='--threads 16'
delays=start=1.5,context=0.4,module=0.003,device=1,flush=0.004,nvml=0.002,compile=0.4
delays+=,gemm_mma=0.9,gemm_sm90=1.6,gemm_batched=0.7,gemm_grouped=0.7,attention=1.0
delays+=,gemm_grouped_sm90=1.6
delays+=,attention_decode=0.7,mla_decode=0.7,gemm_w4a16=0.8,gemm_w4a16_sm90=1.2,w4_shuffle=0.15
delays+=,sgemm=0.75,softmax=0.3,rmsnorm=0.3,layernorm=0.3,reduction=0.12,transpose=0.15
delays+=,convolution=1.6,stencil=0.5,nbody=0.15,carry=4
export HONE_FAKE_DELAYS=$delays
status=0
for set in "$@"; do
    rm -rf "${out:?}/$set"
    SECONDS=0
    tests/gpu/run.sh --set "$set" --pack "$out/$set.tar.gz" "$out/$set" >"$out/$set.txt" 2>&1
    took=$SECONDS
    cat "$out/$set/table.txt"
    left=$(grep 'no time was left' "$out/$set.txt")
    echo "$set: $took of 600 s, $((100 - took / 6)) % to spare $left"
    [ "$took" -le 400 ] && [ -z "$left" ] || status=1
done
exit $status
