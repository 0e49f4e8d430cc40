// One table from CUresult to outcome: which errors reject a configuration and leave the
// context usable, and which end it (the descriptions of the error codes in cuda.h).
#include "cuda_result.h"

#include <stdio.h>

static const struct {
    CUresult result;
    enum hone_outcome outcome;
    enum hone_finding finding;
    bool sticky;
} meanings[] = {
    {CUDA_ERROR_INVALID_VALUE, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_OUT_OF_MEMORY, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_INVALID_IMAGE, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_INVALID_PTX, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_INVALID_SOURCE, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_NOT_FOUND, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, HONE_REJECTED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_NOT_SUPPORTED, HONE_LAUNCH_FAILED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE, HONE_REJECTED, HONE_FINDING_NONE, false},
    {CUDA_ERROR_ECC_UNCORRECTABLE, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {CUDA_ERROR_ILLEGAL_ADDRESS, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS, true},
    {CUDA_ERROR_LAUNCH_TIMEOUT, HONE_TIMED_OUT, HONE_FINDING_TIMEOUT, true},
    {CUDA_ERROR_ASSERT, HONE_CRASHED, HONE_FINDING_ASSERTION, true},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {CUDA_ERROR_MISALIGNED_ADDRESS, HONE_CRASHED, HONE_FINDING_MISALIGNED, true},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS, true},
    {CUDA_ERROR_INVALID_PC, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {CUDA_ERROR_LAUNCH_FAILED, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {(CUresult)721, HONE_CRASHED, HONE_FINDING_CRASH,
     true}, // TENSOR_MEMORY_LEAK: not in the headers of CUDA 12
    {CUDA_ERROR_MPS_CLIENT_TERMINATED, HONE_CRASHED, HONE_FINDING_CRASH, true},
    {CUDA_ERROR_UNKNOWN, HONE_CRASHED, HONE_FINDING_CRASH, true},
};

static size_t cuda_result_find(CUresult result)
{
    size_t count = sizeof meanings / sizeof *meanings;
    for (size_t i = 0; i < count; i++)
        if (meanings[i].result == result) return i;
    return count - 1; // as CUDA_ERROR_UNKNOWN
}

bool hone_cuda_is_sticky(CUresult result)
{
    return result != CUDA_SUCCESS && meanings[cuda_result_find(result)].sticky;
}

const char *hone_cuda_text(char *out, size_t cap, const struct hone_cuda_driver *driver,
                           CUresult result)
{
    const char *name = NULL, *text = NULL;
    driver->cuGetErrorName(result, &name);
    driver->cuGetErrorString(result, &text);
    snprintf(out, cap, "%s (%d): %s", name ? name : "CUDA error", (int)result,
             text ? text : "no description");
    return out;
}

void hone_cuda_fault(struct hone_fault *fault, const struct hone_cuda_driver *driver,
                     CUresult result)
{
    size_t i = cuda_result_find(result);
    *fault = (struct hone_fault){.outcome = meanings[i].outcome,
                                 .finding = meanings[i].finding,
                                 .sticky = meanings[i].sticky};
    hone_cuda_text(fault->reason, sizeof fault->reason, driver, result);
}
