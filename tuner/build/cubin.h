/* Reads what ptxas wrote into a cubin (an ELF64 file of machine 190, EM_CUDA). Untrusted
 * input: every offset is checked, a broken file is "no". */
#ifndef HONE_BUILD_CUBIN_H
#define HONE_BUILD_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "hone/build.h"

struct hone_cubin_kernel {
    struct hone_resources
        resources;       /* registers, stack, static shared, spills; else -1 */
    int32_t max_threads; /* from launch bounds, all dimensions; -1: no bound */
    struct hone_cluster_rules clusters;
};

/* False when data is no cubin or holds no such kernel. */
bool hone_cubin_read(struct hone_cubin_kernel *out, const void *data, size_t size,
                     const char *entry);

/* Hash of all that decides how the kernels of a cubin run: code, constants, shared sizes,
 * launch attributes. Notes, debug sections and string tables do not count. "" when data
 * is no cubin. */
void hone_cubin_hash(char out[HONE_HASH_TEXT], const void *data, size_t size);

#endif
