#include "evaluate/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "element.h"
#include "fault.h"
#include "symbols.h"

void hone_outputs_fini(struct hone_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        free(outputs->data[i]);
    free(outputs->data);
    *outputs = (struct hone_outputs){0};
}

// --- room ---

static bool is_output(const struct hone_buffer *buffer)
{
    return buffer->block &&
           (buffer->arg.kind == HONE_ARG_OUTPUT || buffer->arg.kind == HONE_ARG_INOUT);
}

// The host keeps what every buffer holds before a launch, and of outputs what is
// expected, what one kernel computed and what it computed before.
static double host_bytes(const struct hone_buffers *buffers)
{
    enum { OUTPUT_COPIES = 4 };
    double bytes = 0;
    for (size_t i = 0; i < buffers->count; i++)
        bytes += (double)buffers->items[i].bytes *
                 (is_output(&buffers->items[i]) ? OUTPUT_COPIES : 1);
    return bytes;
}

// A quarter of the machine's memory: others work here, too.
static double host_room(void)
{
    return 0.25 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

static enum hone_status make_scratch(struct hone_stage *stage, struct hone_error *err)
{
    size_t largest = 0;
    for (size_t i = 0; i < stage->buffers.count; i++)
        if (stage->buffers.items[i].bytes > largest)
            largest = stage->buffers.items[i].bytes;
    largest += 2 * (size_t)HONE_RED_ZONE_BYTES;
    if (stage->scratch && stage->scratch_bytes >= largest) return HONE_OK;
    free(stage->scratch);
    stage->scratch = malloc(largest);
    stage->scratch_bytes = largest;
    if (stage->scratch) return HONE_OK;
    return hone_fail(err, HONE_ELIMIT, "%zu bytes find no room on the host", largest);
}

static enum hone_status make_images(struct hone_stage *stage, uint64_t seed,
                                    struct hone_error *err)
{
    const double bytes = host_bytes(&stage->buffers), room = host_room();
    if (bytes > room)
        return hone_fail(err, HONE_ELIMIT,
                         "%.3g GB of data, a quarter of the host's memory is %.3g",
                         bytes * 1e-9, room * 1e-9);
    enum hone_status status = hone_buffers_make_images(&stage->buffers, seed, err);
    return status == HONE_OK ? make_scratch(stage, err) : status;
}

enum hone_status hone_stage_open(struct hone_stage *stage, struct hone_device *device,
                                 const struct hone_job *job, uint64_t seed,
                                 struct hone_error *err)
{
    *stage = (struct hone_stage){0};
    enum hone_status status = hone_buffers_init(&stage->buffers, device, job, err);
    if (status == HONE_OK) status = make_images(stage, seed, err);
    if (status != HONE_OK) hone_stage_close(stage);
    return status;
}

void hone_stage_close(struct hone_stage *stage)
{
    hone_buffers_fini(&stage->buffers);
    free(stage->scratch);
    *stage = (struct hone_stage){0};
}

// --- a launch ---

static enum hone_status read_block(struct hone_stage *stage,
                                   const struct hone_buffer *buffer,
                                   struct hone_error *err)
{
    struct hone_device *device = stage->buffers.device;
    const size_t bytes = buffer->bytes + 2 * (size_t)HONE_RED_ZONE_BYTES;
    return device->fns->copy(device, HONE_TO_HOST, buffer->block, stage->scratch, bytes,
                             err);
}

static bool agrees(struct hone_buffer *buffer, const unsigned char *data,
                   unsigned char *expected, const char *whose, const struct hone_job *job,
                   struct hone_fault *fault)
{
    buffer->expected = expected;
    buffer->expected_of = whose;
    const bool equal = hone_compare_output(
        buffer, data, hone_job_tolerance(job, buffer->arg.name), fault);
    buffer->expected = NULL; // borrowed
    buffer->expected_of = NULL;
    return equal;
}

static bool is_whole(struct hone_buffer *buffer, const unsigned char *block,
                     struct hone_fault *fault)
{
    if (!hone_compare_red_zones(buffer, block, fault)) return false;
    if (buffer->arg.kind != HONE_ARG_INPUT) return true;
    buffer->intact = hone_compare_input(buffer, block + HONE_RED_ZONE_BYTES, fault);
    return buffer->intact;
}

// What one buffer holds after a launch: kept, or held against what was kept.
static enum hone_status take_output(struct hone_stage *stage, size_t i,
                                    const struct hone_job *job, struct hone_outputs *out,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct hone_buffer *buffer = &stage->buffers.items[i];
    const unsigned char *data = stage->scratch + HONE_RED_ZONE_BYTES;
    if (!is_output(buffer)) return HONE_OK;
    if (out->data[i]) {
        agrees(buffer, data, out->data[i], "its first launch", job, fault);
        return HONE_OK;
    }
    out->data[i] = malloc(buffer->bytes + 1);
    if (!out->data[i])
        return hone_fail(err, HONE_ELIMIT, "%zu bytes find no room on the host",
                         buffer->bytes);
    memcpy(out->data[i], data, buffer->bytes);
    return HONE_OK;
}

// Inputs come first: a broken one explains a wrong output.
static enum hone_status take_results(struct hone_stage *stage, const struct hone_job *job,
                                     struct hone_outputs *out, struct hone_fault *fault,
                                     struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < stage->buffers.count; i++) {
            struct hone_buffer *buffer = &stage->buffers.items[i];
            if (!buffer->block || (buffer->arg.kind != HONE_ARG_INPUT) != outputs)
                continue;
            buffer->intact = false;
            status = read_block(stage, buffer, err);
            if (status != HONE_OK) return status;
            if (is_whole(buffer, stage->scratch, fault))
                status = take_output(stage, i, job, out, fault, err);
            if (!hone_is_right(status, fault)) return status;
        }
    return status;
}

// Addresses are right only where they were computed.
static bool hold_addresses(const struct hone_buffers *buffers,
                           const struct hone_outputs *out)
{
    for (size_t i = 0; i < out->count; i++)
        if (out->data[i] &&
            hone_buffers_hold_addresses(buffers, &buffers->items[i], out->data[i]))
            return true;
    return false;
}

// The buffers lie elsewhere for each launch but the first, unless that computed
// addresses.
static enum hone_status launch_once(struct hone_stage *stage,
                                    const struct hone_loaded *kernel, double deadline_s,
                                    struct hone_outputs *out, struct hone_fault *fault,
                                    struct hone_error *err)
{
    struct hone_device *device = stage->buffers.device;
    if (stage->launched == 1) stage->fixed = hold_addresses(&stage->buffers, out);
    const uint64_t place = stage->fixed ? 0 : stage->launched;
    stage->launched++;
    enum hone_status status =
        hone_buffers_place(&stage->buffers, kernel->job, place, err);
    if (status == HONE_OK) status = hone_buffers_arm(&stage->buffers, err);
    if (status != HONE_OK) return status;
    struct hone_launch launch =
        hone_buffers_launch(&stage->buffers, kernel->job, deadline_s);
    launch.ends_early = true;
    status = device->fns->launch(device, kernel->module, &launch, fault, err);
    if (hone_is_right(status, fault))
        status = hone_symbols_check(&stage->buffers, stage->scratch, fault, err);
    if (!hone_is_right(status, fault)) return status;
    return take_results(stage, kernel->job, out, fault, err);
}

enum hone_status hone_stage_run(struct hone_stage *stage,
                                const struct hone_loaded *kernel,
                                const struct hone_stage_launches *launches,
                                struct hone_outputs *out, struct hone_fault *fault,
                                struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    *out = (struct hone_outputs){.count = stage->buffers.count};
    stage->launched = 0;
    stage->fixed = false;
    enum hone_status status = hone_buffers_fit(&stage->buffers, kernel->job, err);
    if (status == HONE_OK) status = make_scratch(stage, err);
    out->data = calloc(out->count + 1, sizeof *out->data);
    if (status == HONE_OK && !out->data) status = hone_no_memory(err, "for results");
    for (size_t i = 0; i < launches->count; i++)
        if (hone_is_right(status, fault))
            status = launch_once(stage, kernel, launches->deadline_s, out, fault, err);
    if (hone_is_right(status, fault)) return status;
    if (!out->data) out->count = 0;
    hone_outputs_fini(out);
    return status;
}

// --- judging ---

bool hone_stage_agree(struct hone_stage *stage, const struct hone_job *job,
                      const struct hone_outputs *outputs,
                      const struct hone_outputs *expected, const char *whose,
                      struct hone_fault *fault)
{
    bool equal = true;
    for (size_t i = 0; equal && i < outputs->count; i++) {
        struct hone_buffer *buffer = &stage->buffers.items[i];
        if (!outputs->data[i]) continue;
        buffer->expected_wide = expected->wide && hone_dtype_is_float(buffer->arg.dtype);
        equal = agrees(buffer, outputs->data[i], expected->data[i], whose, job, fault);
        buffer->expected_wide = false;
    }
    return equal;
}

bool hone_stage_written(struct hone_stage *stage, const struct hone_outputs *outputs,
                        struct hone_fault *fault)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->data[i] &&
            !hone_compare_written(&stage->buffers.items[i], outputs->data[i], fault))
            return false;
    return true;
}
