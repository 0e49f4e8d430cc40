// What buffers hold: images of them on the host, which launches begin with, and values on
// the device alone, for timing.
#include "buffers_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/host_memory.h"
#include "element.h"
#include "fill_threads.h"

// What the host fills is copied in pieces that keep all of its cores at work.
enum { CHUNK_BYTES = 16 << 20 };

bool hone_buffer_is_memory(const struct hone_job_arg *arg)
{
    return arg->kind != HONE_ARG_SCALAR && arg->kind != HONE_ARG_CONSTANT &&
           arg->kind != HONE_ARG_SYMBOL;
}

size_t hone_buffer_block_bytes(const struct hone_buffer *buffer)
{
    return buffer->bytes + 2 * (size_t)HONE_RED_ZONE_BYTES;
}

uint64_t hone_buffer_seed(uint64_t seed, size_t i)
{
    const uint64_t parts[] = {seed, i};
    return hone_hash64(parts, sizeof parts);
}

static void fill_values(struct hone_buffer *buffer, uint64_t seed)
{
    hone_element_fill(&buffer->arg, seed, 0, (size_t)buffer->arg.count, buffer->values);
}

void hone_buffer_fill_addresses(const struct hone_buffer *table, unsigned char *out)
{
    const struct hone_job_arg *whole = &table->parts_of->arg;
    const uint64_t step = whole->count / whole->pointers * hone_dtype_size(whole->dtype);
    for (uint64_t i = 0; i < whole->pointers; i++) {
        const hone_devptr part = table->parts_of->data + i * step;
        memcpy(out + i * sizeof part, &part, sizeof part);
    }
}

enum hone_status hone_buffer_make_image(struct hone_buffer *buffer, uint64_t seed,
                                        struct hone_error *err)
{
    enum hone_status status = hone_host_memory_claim(hone_buffer_block_bytes(buffer),
                                                     "for the image of a buffer", err);
    if (status != HONE_OK) return status;
    unsigned char *image = malloc(hone_buffer_block_bytes(buffer));
    if (!image) {
        hone_host_memory_release(hone_buffer_block_bytes(buffer));
        return hone_no_memory(err, "for argument '%s' (%zu bytes)", buffer->arg.name,
                              buffer->bytes);
    }
    memset(image, HONE_RED_BYTE, hone_buffer_block_bytes(buffer));
    unsigned char *data = image + HONE_RED_ZONE_BYTES;
    if (buffer->arg.kind == HONE_ARG_OUTPUT || buffer->arg.kind == HONE_ARG_WORKSPACE)
        memset(data, hone_buffer_poison(buffer), buffer->bytes);
    else if (buffer->parts_of)
        hone_buffer_fill_addresses(buffer, data);
    else
        hone_fill_by_threads(&buffer->arg, seed, 0, (size_t)buffer->arg.count, data);
    buffer->image = image;
    buffer->intact = false;
    return HONE_OK;
}

enum hone_status hone_buffers_make_images(struct hone_buffers *buffers, uint64_t seed,
                                          struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (buffer->values)
            fill_values(buffer, hone_buffer_seed(seed, i));
        else if (hone_buffer_is_memory(&buffer->arg))
            status = hone_buffer_make_image(buffer, hone_buffer_seed(seed, i), err);
    }
    return status;
}

void hone_buffers_poison(struct hone_buffers *buffers, bool other)
{
    for (size_t i = 0; i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (buffer->arg.kind != HONE_ARG_OUTPUT || buffer->other_poison == other)
            continue;
        buffer->other_poison = other;
        buffer->intact = false;
        if (buffer->image)
            memset(buffer->image + HONE_RED_ZONE_BYTES, hone_buffer_poison(buffer),
                   buffer->bytes);
    }
}

// The red zones of a workspace, and what it is to hold where that is not its image.
static enum hone_status arm_workspace(struct hone_buffers *buffers,
                                      const struct hone_buffer *buffer,
                                      struct hone_error *err)
{
    struct hone_device *device = buffers->device;
    const size_t after = HONE_RED_ZONE_BYTES + buffer->bytes;
    enum hone_status status = device->fns->copy(device, HONE_TO_DEVICE, buffer->block,
                                                buffer->image, HONE_RED_ZONE_BYTES, err);
    if (status == HONE_OK)
        status = device->fns->copy(device, HONE_TO_DEVICE, buffer->block + after,
                                   buffer->image + after, HONE_RED_ZONE_BYTES, err);
    if (status != HONE_OK || buffers->leftovers == HONE_LEFTOVERS_KEPT) return status;
    return device->fns->fill(device, buffer->data, buffers->leftover_byte, buffer->bytes,
                             err);
}

enum hone_status hone_buffers_arm(struct hone_buffers *buffers, struct hone_error *err)
{
    struct hone_device *device = buffers->device;
    for (size_t i = 0; i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (!buffer->image || buffer->intact) continue;
        const bool dirty = buffer->arg.kind == HONE_ARG_WORKSPACE &&
                           buffers->leftovers != HONE_LEFTOVERS_POISON;
        enum hone_status status =
            dirty
                ? arm_workspace(buffers, buffer, err)
                : device->fns->copy(device, HONE_TO_DEVICE, buffer->block, buffer->image,
                                    hone_buffer_block_bytes(buffer), err);
        if (status != HONE_OK) return status;
        buffer->intact = true;
    }
    return HONE_OK;
}

static enum hone_status randomise_one(struct hone_buffers *buffers,
                                      struct hone_buffer *buffer, uint64_t seed,
                                      void *chunk, struct hone_error *err)
{
    struct hone_device *device = buffers->device;
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    const size_t step = CHUNK_BYTES / size;
    const size_t count = (size_t)buffer->arg.count;
    bool done = false;
    enum hone_status status = HONE_OK;
    if (buffers->filler)
        status = hone_filler_fill(buffers->filler, buffer->data, &buffer->arg, seed,
                                  &done, err);
    if (status != HONE_OK || done) return status;
    for (size_t first = 0; first < count; first += step) {
        size_t n = count - first < step ? count - first : step;
        hone_fill_by_threads(&buffer->arg, seed, first, n, chunk);
        status = device->fns->copy(device, HONE_TO_DEVICE, buffer->data + first * size,
                                   chunk, n * size, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

static enum hone_status copy_addresses(struct hone_buffers *buffers,
                                       const struct hone_buffer *table,
                                       struct hone_error *err)
{
    unsigned char *addresses = malloc(table->bytes);
    if (!addresses) return hone_no_memory(err, "for the inputs");
    hone_buffer_fill_addresses(table, addresses);
    enum hone_status status = buffers->device->fns->copy(
        buffers->device, HONE_TO_DEVICE, table->data, addresses, table->bytes, err);
    free(addresses);
    return status;
}

// Zeros do where the device counts what a kernel executes and no value of this buffer has
// a say in that.
static bool may_be_zero(const struct hone_buffers *buffers,
                        const struct hone_buffer *buffer,
                        const struct hone_module *module)
{
    const struct hone_device *device = buffers->device;
    return module && device->fns->data_steers && hone_dtype_is_float(buffer->arg.dtype) &&
           (buffer->arg.kind == HONE_ARG_WORKSPACE ||
            !device->fns->data_steers(device, module, buffer->param));
}

static enum hone_status ready_one(struct hone_buffers *buffers,
                                  struct hone_buffer *buffer,
                                  const struct hone_module *module, uint64_t seed,
                                  void *chunk, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    const bool zero = may_be_zero(buffers, buffer, module);
    if (buffer->random || (zero && buffer->zeroed)) return HONE_OK;
    if (buffer->parts_of)
        status = copy_addresses(buffers, buffer, err);
    else if (zero)
        status = buffers->device->fns->fill(buffers->device, buffer->data, 0,
                                            buffer->bytes, err);
    else if (buffer->arg.kind != HONE_ARG_WORKSPACE)
        status = randomise_one(buffers, buffer, seed, chunk, err);
    buffer->zeroed = zero;
    buffer->random = !zero;
    return status;
}

enum hone_status hone_buffers_randomise(struct hone_buffers *buffers,
                                        const struct hone_job *job,
                                        const struct hone_module *module, uint64_t seed,
                                        struct hone_error *err)
{
    void *chunk = malloc(CHUNK_BYTES);
    if (!chunk) return hone_no_memory(err, "for the inputs");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (i < buffers->arg_count) buffer->arg.data = job->args[i].data;
        if (buffer->values) fill_values(buffer, hone_buffer_seed(seed, i));
        if (hone_buffer_is_memory(&buffer->arg))
            status =
                ready_one(buffers, buffer, module, hone_buffer_seed(seed, i), chunk, err);
    }
    free(chunk);
    return status;
}
