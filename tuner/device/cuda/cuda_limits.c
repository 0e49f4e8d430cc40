// What the driver says about a GPU, as hone_limits; needs no context.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_internal.h"
#include "cuda_limits.h"
#include "cuda_result.h"

static const struct {
    CUdevice_attribute attribute;
    size_t offset;
} rows[] = {
#define ROW(field, name)                                                                 \
    {                                                                                    \
        CU_DEVICE_ATTRIBUTE_##name, offsetof(struct hone_limits, field)                  \
    }
    ROW(cc_major, COMPUTE_CAPABILITY_MAJOR),
    ROW(cc_minor, COMPUTE_CAPABILITY_MINOR),
    ROW(sm_count, MULTIPROCESSOR_COUNT),
    ROW(warp_size, WARP_SIZE),
    ROW(max_threads_per_block, MAX_THREADS_PER_BLOCK),
    ROW(max_threads_per_sm, MAX_THREADS_PER_MULTIPROCESSOR),
    ROW(max_blocks_per_sm, MAX_BLOCKS_PER_MULTIPROCESSOR),
    ROW(registers_per_block, MAX_REGISTERS_PER_BLOCK),
    ROW(registers_per_sm, MAX_REGISTERS_PER_MULTIPROCESSOR),
    ROW(max_shared_bytes, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    ROW(shared_bytes_per_sm, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
    ROW(reserved_shared_bytes, RESERVED_SHARED_MEMORY_PER_BLOCK),
    ROW(l2_bytes, L2_CACHE_SIZE),
    ROW(max_grid_x, MAX_GRID_DIM_X),
    ROW(max_grid_y, MAX_GRID_DIM_Y),
    ROW(max_grid_z, MAX_GRID_DIM_Z),
    ROW(sm_clock_khz, CLOCK_RATE),
#undef ROW
};

// The a suffix opens to ptxas what belongs to one architecture alone: wgmma of 9.0,
// tcgen05 of 10.x, block-scaled mma of 12.x. What is built for the GPU at hand need not
// run on another, so nothing is lost by it (PTX ISA, .target; every architecture from 9.0
// on has one).
void hone_cuda_arch(char out[16], int64_t major, int64_t minor)
{
    const bool specific = major >= 9;
    snprintf(out, 16, "sm_%d%d%s", (int)major, (int)minor, specific ? "a" : "");
}

static CUresult attribute(const struct hone_cuda_driver *driver, int64_t *out,
                          CUdevice_attribute which, CUdevice device)
{
    int value = 0;
    CUresult result = driver->cuDeviceGetAttribute(&value, which, device);
    *out = value;
    return result;
}

// Double data rate: two transfers a clock on each wire of the bus.
static CUresult bandwidth(const struct hone_cuda_driver *driver, int64_t *out,
                          CUdevice device)
{
    int64_t clock_khz = 0, bus_bits = 0;
    CUresult result =
        attribute(driver, &clock_khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
    if (result == CUDA_SUCCESS)
        result = attribute(driver, &bus_bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH,
                           device);
    *out = 2 * clock_khz * (bus_bits / 8) / 1000;
    return result;
}

static CUresult read_limits(struct hone_limits *out,
                            const struct hone_cuda_driver *driver, CUdevice device)
{
    CUresult result = driver->cuDeviceGetName(out->name, (int)sizeof out->name, device);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && result == CUDA_SUCCESS; i++) {
        int64_t value = 0;
        result = attribute(driver, &value, rows[i].attribute, device);
        memcpy((char *)out + rows[i].offset, &value, sizeof value);
    }
    size_t memory = 0;
    if (result == CUDA_SUCCESS) result = driver->cuDeviceTotalMem(&memory, device);
    out->memory_bytes = (int64_t)memory;
    if (result == CUDA_SUCCESS)
        result = bandwidth(driver, &out->memory_bandwidth_mbs, device);
    // Every GPU from compute capability 3.5 on; no attribute tells it (CUDA C++
    // Programming Guide, table of technical specifications).
    out->max_registers_per_thread = 255;
    hone_cuda_arch(out->arch, out->cc_major, out->cc_minor);
    return result;
}

enum hone_status hone_cuda_check_spec(const char *spec, struct hone_error *err)
{
    if (*spec && !spec[strspn(spec, "0123456789")]) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "device 'cuda:%s': the number of a GPU must follow the colon, as in "
                     "cuda:0",
                     spec);
}

enum hone_status hone_cuda_find(CUdevice *out, const struct hone_cuda_driver *driver,
                                const char *spec, struct hone_error *err)
{
    const long ordinal = strtol(spec, NULL, 10);
    int count = 0;
    CUresult result = driver->cuDeviceGetCount(&count);
    if (result == CUDA_SUCCESS && ordinal >= count)
        return hone_fail(err, HONE_ENODEVICE,
                         "there is no cuda:%s: this machine has %d GPU%s, from cuda:0",
                         spec, count, count == 1 ? "" : "s");
    char text[HONE_REASON_MAX];
    if (result == CUDA_SUCCESS) result = driver->cuDeviceGet(out, (int)ordinal);
    if (result == CUDA_SUCCESS) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "cannot get cuda:%s: %s", spec,
                     hone_cuda_text(text, sizeof text, driver, result));
}

enum hone_status hone_cuda_read_limits(struct hone_limits *out,
                                       const struct hone_cuda_driver *driver,
                                       CUdevice device, struct hone_error *err)
{
    *out = (struct hone_limits){0};
    CUresult result = read_limits(out, driver, device);
    if (result == CUDA_SUCCESS) return HONE_OK;
    char text[HONE_REASON_MAX];
    return hone_fail(err, HONE_EDEVICE, "cannot read the limits of GPU %d: %s",
                     (int)device, hone_cuda_text(text, sizeof text, driver, result));
}

enum hone_status hone_cuda_limits(struct hone_limits *out, const char *spec,
                                  struct hone_error *err)
{
    CUdevice device = 0;
    enum hone_status status = hone_cuda_check_spec(spec, err);
    if (status != HONE_OK) return status;
    const struct hone_cuda_driver *driver = hone_cuda_driver_get(err);
    if (!driver) return HONE_ENODEVICE;
    status = hone_cuda_find(&device, driver, spec, err);
    if (status == HONE_OK) status = hone_cuda_read_limits(out, driver, device, err);
    return status;
}

enum hone_status hone_cuda_count(int *out, struct hone_error *err)
{
    const struct hone_cuda_driver *driver = hone_cuda_driver_get(err);
    if (!driver) return HONE_ENODEVICE;
    CUresult result = driver->cuDeviceGetCount(out);
    if (result == CUDA_SUCCESS) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "cannot count the GPUs: CUDA error %d",
                     (int)result);
}

enum hone_status hone_cuda_read_uuid(char out[48], const struct hone_cuda_driver *driver,
                                     CUdevice device, struct hone_error *err)
{
    CUuuid uuid;
    CUresult result = driver->cuDeviceGetUuid(&uuid, device);
    if (result != CUDA_SUCCESS) {
        char text[128];
        return hone_fail(err, HONE_EDEVICE, "cannot ask for the UUID of the GPU: %s",
                         hone_cuda_text(text, sizeof text, driver, result));
    }
    int used = snprintf(out, 48, "GPU");
    for (int i = 0; i < 16; i++) {
        const bool dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        used += snprintf(out + used, 48 - (size_t)used, "%s%02x", dash ? "-" : "",
                         (unsigned char)uuid.bytes[i]);
    }
    return HONE_OK;
}
