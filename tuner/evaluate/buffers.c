#include "evaluate/buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_memory.h"
#include "buffers_data.h"
#include "element.h"

size_t hone_buffer_expected_bytes(const struct hone_buffer *buffer)
{
    return buffer->expected_wide ? (size_t)buffer->arg.count * sizeof(double)
                                 : buffer->bytes;
}

unsigned char hone_buffer_poison(const struct hone_buffer *buffer)
{
    if (buffer->other_poison) return HONE_POISON_OTHER;
    return hone_dtype_is_float(buffer->arg.dtype) ? HONE_POISON_FLOAT : HONE_POISON_INT;
}

size_t hone_buffers_bytes(const struct hone_buffers *buffers)
{
    size_t bytes = 0;
    for (size_t i = 0; i < buffers->count; i++)
        bytes += buffers->items[i].bytes;
    return bytes;
}

static void set_block(struct hone_buffer *buffer, size_t place)
{
    buffer->block = buffer->base + place * HONE_PLACE_BYTES;
    buffer->data = buffer->block + HONE_RED_ZONE_BYTES;
}

static enum hone_status alloc_one(struct hone_buffers *buffers,
                                  struct hone_buffer *buffer, struct hone_error *err)
{
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    if (buffer->arg.count > (SIZE_MAX >> 1) / size)
        return hone_fail(err, HONE_ELIMIT, "argument '%s' of %llu elements is too large",
                         buffer->arg.name, (unsigned long long)buffer->arg.count);
    buffer->bytes = (size_t)buffer->arg.count * size;
    struct hone_device *device = buffers->device;
    enum { SPARE_BYTES = (HONE_PLACES - 1) * HONE_PLACE_BYTES };
    enum hone_status status = device->fns->alloc(
        device, hone_buffer_block_bytes(buffer) + SPARE_BYTES, &buffer->base, err);
    if (status == HONE_OK) set_block(buffer, 0);
    return status;
}

// A constant's values live on the host: the launch copies them. A symbol's are kept there
// to be copied into each module.
static enum hone_status alloc_values(struct hone_buffer *buffer, struct hone_error *err)
{
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    const bool symbol = buffer->arg.kind == HONE_ARG_SYMBOL;
    const size_t most = symbol ? HONE_SYMBOL_MAX : HONE_CONSTANT_MAX;
    if (buffer->arg.count > most / size)
        return hone_fail(err, HONE_ELIMIT,
                         "%s '%s' of %llu elements is too large, limit %zu bytes",
                         hone_arg_kind_name(buffer->arg.kind), buffer->arg.name,
                         (unsigned long long)buffer->arg.count, most);
    buffer->bytes = (size_t)buffer->arg.count * size;
    buffer->values = calloc(1, buffer->bytes + 1);
    if (!buffer->values) return hone_no_memory(err, "for the arguments");
    return HONE_OK;
}

static enum hone_status init_one(struct hone_buffers *buffers, size_t i,
                                 const struct hone_job_arg *arg, struct hone_error *err)
{
    struct hone_buffer *buffer = &buffers->items[i];
    buffer->arg = *arg;
    buffer->arg.name = buffer->name = strdup(arg->name);
    if (!buffer->name) return hone_no_memory(err, "for the arguments");
    if (arg->kind == HONE_ARG_SYMBOL) return alloc_values(buffer, err);
    const size_t param = buffer->param = buffers->param_count++;
    if (arg->kind == HONE_ARG_CONSTANT) {
        enum hone_status status = alloc_values(buffer, err);
        buffers->params[param] = buffer->values;
        buffers->param_sizes[param] = buffer->bytes;
        return status;
    }
    const bool scalar = arg->kind == HONE_ARG_SCALAR;
    buffers->params[param] = scalar ? &buffer->scalar : &buffer->data;
    buffers->param_sizes[param] =
        scalar ? hone_dtype_size(arg->dtype) : sizeof buffer->data;
    return scalar ? HONE_OK : alloc_one(buffers, buffer, err);
}

// What the kernel gets in the place of argument i: the addresses of its parts, an input
// like others.
static enum hone_status init_addresses(struct hone_buffers *buffers, size_t i,
                                       struct hone_buffer *table, struct hone_error *err)
{
    const char *name = buffers->items[i].name;
    const size_t size = strlen(name) + sizeof "pointers of ";
    table->name = malloc(size);
    if (!table->name) return hone_no_memory(err, "for the arguments");
    snprintf(table->name, size, "pointers of %s", name);
    table->arg = (struct hone_job_arg){.name = table->name,
                                       .kind = HONE_ARG_INPUT,
                                       .dtype = HONE_U64,
                                       .count = buffers->items[i].arg.pointers};
    table->parts_of = &buffers->items[i];
    buffers->params[buffers->items[i].param] = &table->data;
    return alloc_one(buffers, table, err);
}

static enum hone_status init_all(struct hone_buffers *buffers, const struct hone_job *job,
                                 struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    struct hone_buffer *table = buffers->items + job->arg_count;
    for (size_t i = 0; status == HONE_OK && i < job->arg_count; i++)
        status = init_one(buffers, i, &job->args[i], err);
    for (size_t i = 0; status == HONE_OK && i < job->arg_count; i++)
        if (job->args[i].pointers) status = init_addresses(buffers, i, table++, err);
    return status;
}

static enum hone_status encode(struct hone_device *device, struct hone_buffer *buffer,
                               const struct hone_tensor_map *map, struct hone_error *err)
{
    if (!device->fns->encode_tensor_map)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "argument '%s' is passed as a tensor map, which %s has not",
                         buffer->arg.name, device->id);
    if (!buffer->map) buffer->map = aligned_alloc(HONE_MAP_ALIGNMENT, HONE_MAP_BYTES);
    if (!buffer->map) return hone_no_memory(err, "for the arguments");
    return device->fns->encode_tensor_map(device, map, buffer->data, buffer->map, err);
}

static enum hone_status encode_all(struct hone_buffers *buffers,
                                   const struct hone_job *job, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < job->arg_count; i++)
        if (job->args[i].map.rank)
            status = encode(buffers->device, &buffers->items[i], &job->args[i].map, err);
    return status;
}

enum hone_status hone_buffers_init(struct hone_buffers *buffers,
                                   struct hone_device *device, const struct hone_job *job,
                                   struct hone_error *err)
{
    size_t count = job->arg_count;
    for (size_t i = 0; i < job->arg_count; i++)
        count += job->args[i].pointers > 0;
    *buffers = (struct hone_buffers){
        .device = device, .count = count, .arg_count = job->arg_count};
    buffers->items = calloc(count + 1, sizeof *buffers->items);
    buffers->params = calloc(job->arg_count + 1, sizeof *buffers->params);
    buffers->param_sizes = calloc(job->arg_count + 1, sizeof *buffers->param_sizes);
    buffers->extents = calloc(count + 1, sizeof *buffers->extents);
    enum hone_status status = HONE_OK;
    if (!buffers->items || !buffers->params || !buffers->param_sizes || !buffers->extents)
        status = hone_no_memory(err, "for the arguments");
    if (status == HONE_OK) status = init_all(buffers, job, err);
    if (status == HONE_OK) status = encode_all(buffers, job, err);
    if (status != HONE_OK) hone_buffers_fini(buffers);
    return status;
}

static void free_image(struct hone_buffer *buffer)
{
    if (buffer->image) hone_host_memory_release(hone_buffer_block_bytes(buffer));
    free(buffer->image);
    buffer->image = NULL;
}

void hone_buffers_fini(struct hone_buffers *buffers)
{
    for (size_t i = 0; buffers->items && i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (buffer->base) buffers->device->fns->free(buffers->device, buffer->base);
        free(buffer->name);
        free_image(buffer);
        if (buffer->expected)
            hone_host_memory_release(hone_buffer_expected_bytes(buffer));
        free(buffer->expected);
        free(buffer->values);
        free(buffer->map);
    }
    free(buffers->items);
    free(buffers->params);
    free(buffers->extents);
    free(buffers->param_sizes);
    *buffers = (struct hone_buffers){0};
}

const struct hone_job_arg *hone_buffers_mismatch(const struct hone_buffers *buffers,
                                                 const struct hone_job *job)
{
    for (size_t i = 0; i < job->arg_count; i++) {
        const struct hone_job_arg *a = &job->args[i];
        if (i >= buffers->arg_count) return a;
        const struct hone_job_arg *b = &buffers->items[i].arg;
        if (a->kind != b->kind || a->dtype != b->dtype || a->pointers != b->pointers)
            return a;
        const bool sized = a->kind != HONE_ARG_SCALAR && a->kind != HONE_ARG_WORKSPACE;
        if (sized && a->count != b->count) return a;
    }
    return NULL;
}

static enum hone_status fit_one(struct hone_buffers *buffers, struct hone_buffer *buffer,
                                uint64_t count, struct hone_error *err)
{
    const bool imaged = buffer->image != NULL;
    buffer->random = buffer->zeroed = false;
    buffers->device->fns->free(buffers->device, buffer->base);
    free_image(buffer);
    buffer->base = buffer->block = 0;
    buffer->arg.count = count;
    enum hone_status status = alloc_one(buffers, buffer, err);
    if (status == HONE_OK && imaged) status = hone_buffer_make_image(buffer, 0, err);
    if (status != HONE_OK)
        buffer->arg.count = UINT64_MAX; // no size fits what is not there
    return status;
}

enum hone_status hone_buffers_fit(struct hone_buffers *buffers,
                                  const struct hone_job *job, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (buffer->arg.kind == HONE_ARG_WORKSPACE &&
            buffer->arg.count != job->args[i].count)
            status = fit_one(buffers, buffer, job->args[i].count, err);
    }
    return status == HONE_OK ? encode_all(buffers, job, err) : status;
}

// --- where they lie ---

enum hone_status hone_buffers_place(struct hone_buffers *buffers,
                                    const struct hone_job *job, uint64_t seed,
                                    struct hone_error *err)
{
    for (size_t i = 0; i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        const hone_devptr before = buffer->block;
        if (!before) continue;
        set_block(buffer, seed ? hone_buffer_seed(seed, i) % HONE_PLACES : 0);
        if (buffer->block == before) continue;
        buffer->intact = buffer->random = buffer->zeroed = false;
    }
    for (size_t i = buffers->arg_count; i < buffers->count; i++) {
        struct hone_buffer *table = &buffers->items[i];
        table->intact = table->random = false;
        if (table->image)
            hone_buffer_fill_addresses(table, table->image + HONE_RED_ZONE_BYTES);
    }
    return encode_all(buffers, job, err);
}

bool hone_buffers_hold_addresses(const struct hone_buffers *buffers,
                                 const struct hone_buffer *buffer,
                                 const unsigned char *data)
{
    uint64_t value;
    if (hone_dtype_is_float(buffer->arg.dtype) ||
        hone_dtype_size(buffer->arg.dtype) != sizeof value)
        return false;
    for (size_t at = 0; at < buffer->bytes; at += sizeof value) {
        memcpy(&value, data + at, sizeof value);
        for (size_t i = 0; i < buffers->count; i++)
            if (buffers->items[i].block && value >= buffers->items[i].data &&
                value - buffers->items[i].data <= buffers->items[i].bytes)
                return true;
    }
    return false;
}

// The reference takes the address where the kernel takes a map.
static void choose_maps(struct hone_buffers *buffers, const struct hone_job *job)
{
    for (size_t i = 0; i < job->arg_count; i++) {
        const struct hone_buffer *buffer = &buffers->items[i];
        if (!buffer->map) continue;
        const bool mapped = job->args[i].map.rank;
        const size_t param = buffer->param;
        buffers->params[param] = mapped ? buffer->map : (const void *)&buffer->data;
        buffers->param_sizes[param] = mapped ? HONE_MAP_BYTES : sizeof buffer->data;
    }
}

struct hone_launch hone_buffers_launch(struct hone_buffers *buffers,
                                       const struct hone_job *job, double deadline_s)
{
    size_t extents = 0;
    choose_maps(buffers, job);
    for (size_t i = 0; i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        if (buffer->block)
            buffers->extents[extents++] = (struct hone_extent){
                .base = buffer->data,
                .bytes = buffer->bytes,
                .name = (buffer->parts_of ? buffer->parts_of : buffer)->name,
                .scratch = buffer->arg.kind == HONE_ARG_WORKSPACE,
                .early = buffer->arg.early};
        if (buffer->arg.kind == HONE_ARG_SCALAR)
            hone_element_from_arg(&job->args[i], &buffer->scalar);
        else if (buffer->arg.kind != HONE_ARG_INPUT)
            buffer->intact = false;
    }
    struct hone_launch launch = {
        .shared_bytes = job->geometry.shared_bytes,
        .params = buffers->params,
        .param_sizes = buffers->param_sizes,
        .param_count = buffers->param_count,
        .deadline_s = deadline_s,
        .extents = buffers->extents,
        .extent_count = extents,
        .flags = job->geometry.flags,
    };
    memcpy(launch.cluster, job->geometry.cluster, sizeof launch.cluster);
    memcpy(launch.grid, job->geometry.grid, sizeof launch.grid);
    memcpy(launch.block, job->geometry.block, sizeof launch.block);
    return launch;
}
