extern "C" __global__ void gemm_reference() {}
