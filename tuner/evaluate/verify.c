#include "evaluate/verify.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/host_memory.h"
#include "base/log.h"
#include "compare.h"
#include "evaluate/module.h"
#include "fault.h"
#include "symbols.h"
#include "verify_scratch.h"

static void free_scratch(struct hone_verifier *verifier)
{
    free(verifier->scratch);
    hone_host_memory_release(verifier->scratch_bytes);
    verifier->scratch = NULL;
    verifier->scratch_bytes = 0;
}

enum hone_status hone_verifier_make_scratch(struct hone_verifier *verifier,
                                            struct hone_error *err)
{
    size_t largest = 0;
    for (size_t i = 0; i < verifier->buffers.count; i++)
        if (verifier->buffers.items[i].bytes > largest)
            largest = verifier->buffers.items[i].bytes;
    free_scratch(verifier);
    largest += 2 * (size_t)HONE_RED_ZONE_BYTES;
    enum hone_status status =
        hone_host_memory_claim(largest, "for results to compare", err);
    if (status != HONE_OK) return status;
    verifier->scratch_bytes = largest;
    verifier->scratch = malloc(largest);
    if (verifier->scratch) return HONE_OK;
    return hone_no_memory(err, "for verification");
}

enum hone_status hone_verifier_read_block(struct hone_verifier *verifier,
                                          const struct hone_buffer *buffer,
                                          struct hone_error *err)
{
    struct hone_device *device = verifier->buffers.device;
    const size_t bytes = buffer->bytes + 2 * (size_t)HONE_RED_ZONE_BYTES;
    return device->fns->copy(device, HONE_TO_HOST, buffer->block, verifier->scratch,
                             bytes, err);
}

// One buffer after a launch; the reference's own launch has nothing to be compared with
// yet.
static bool check_block(struct hone_buffer *buffer, const unsigned char *block,
                        const struct hone_job *job, struct hone_fault *fault)
{
    const unsigned char *data = block + HONE_RED_ZONE_BYTES;
    buffer->intact = false;
    if (!hone_compare_red_zones(buffer, block, fault)) return false;
    if (buffer->arg.kind == HONE_ARG_INPUT) {
        buffer->intact = hone_compare_input(buffer, data, fault);
        return buffer->intact;
    }
    if (buffer->arg.kind == HONE_ARG_WORKSPACE) return true;
    if (buffer->unjudged && !buffer->expected) return true;
    if (!buffer->expected) return hone_compare_written(buffer, data, fault);
    return hone_compare_output(buffer, data, hone_job_tolerance(job, buffer->arg.name),
                               fault);
}

// Adds what a buffer holds after the first launch of a kernel that is verified.
static void note_output(const struct hone_verify_at *v, const struct hone_buffer *buffer)
{
    struct hone_launch_report *report = v->report;
    if (!report || !buffer->expected) return;
    const uint64_t parts[] = {
        report->outputs,
        hone_hash64(v->verifier->scratch + HONE_RED_ZONE_BYTES, buffer->bytes)};
    report->outputs = hone_hash64(parts, sizeof parts);
}

// A kernel that prints is being looked for a fault in: pass on the first of its lines.
static void log_printed(void *context, const char *text, size_t len)
{
    enum { MAX_LINES = 20 };
    unsigned *lines = context;
    if (*lines > MAX_LINES) return;
    while (len > 0 && text[len - 1] == '\n')
        len--;
    if (++*lines > MAX_LINES)
        hone_log(HONE_LOG_INFO, "the kernel prints more than %d times", MAX_LINES);
    else
        hone_log(HONE_LOG_INFO, "the kernel prints: %.*s", (int)len, text);
}

static struct hone_launch launch_of(const struct hone_verify_at *v, enum hone_order order,
                                    bool watched)
{
    struct hone_verifier *verifier = v->verifier;
    struct hone_launch launch =
        hone_buffers_launch(&verifier->buffers, v->kernel->job, verifier->deadline_s);
    launch.check = watched;
    launch.order = order;
    launch.seed = verifier->seed;
    launch.report = v->report;
    launch.waivers = verifier->waivers;
    launch.waiver_count = verifier->waiver_count;
    launch.print = watched && order == HONE_ORDER_USUAL ? log_printed : NULL;
    return launch;
}

static enum hone_status check_buffers(const struct hone_verify_at *v,
                                      enum hone_order order)
{
    struct hone_verifier *verifier = v->verifier;
    enum hone_status status = HONE_OK;
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < verifier->buffers.count; i++) {
            struct hone_buffer *buffer = &verifier->buffers.items[i];
            if (!hone_is_right(status, v->fault)) return status;
            if (!buffer->block || (buffer->arg.kind != HONE_ARG_INPUT) != outputs)
                continue;
            status = hone_verifier_read_block(verifier, buffer, v->err);
            if (status != HONE_OK) return status;
            if (order == HONE_ORDER_USUAL) note_output(v, buffer);
            check_block(buffer, verifier->scratch, v->kernel->job, v->fault);
        }
    return status;
}

enum hone_status hone_verify_launch(const struct hone_verify_at *v, enum hone_order order,
                                    bool watched)
{
    struct hone_verifier *verifier = v->verifier;
    struct hone_device *device = verifier->buffers.device;
    unsigned printed = 0;
    enum hone_status status = hone_buffers_arm(&verifier->buffers, v->err);
    if (status != HONE_OK) return status;
    struct hone_launch launch = launch_of(v, order, watched);
    launch.print_context = &printed;
    const double start = hone_clock_seconds();
    status = device->fns->launch(device, v->kernel->module, &launch, v->fault, v->err);
    if (order == HONE_ORDER_USUAL) verifier->launch_s = hone_clock_seconds() - start;
    if (hone_is_right(status, v->fault))
        status =
            hone_symbols_check(&verifier->buffers, verifier->scratch, v->fault, v->err);
    return hone_is_right(status, v->fault) ? check_buffers(v, order) : status;
}

void hone_verifier_say_where(const struct hone_verifier *verifier,
                             struct hone_fault *fault)
{
    const size_t used = strlen(fault->reason);
    if (verifier->where[0])
        snprintf(fault->reason + used, sizeof fault->reason - used, ", at %s",
                 verifier->where);
}

enum hone_status hone_verifier_check(struct hone_verifier *verifier,
                                     const struct hone_loaded *kernel,
                                     struct hone_launch_report *report,
                                     struct hone_fault *fault, struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    const struct hone_job_arg *arg =
        hone_buffers_mismatch(&verifier->buffers, kernel->job);
    if (arg) {
        fault->outcome = HONE_REJECTED;
        snprintf(
            fault->reason, sizeof fault->reason,
            "argument %s differs from the reference's: its size depends on parameters",
            arg->name);
        return HONE_OK;
    }
    struct hone_error full = {0};
    enum hone_status status = hone_buffers_fit(&verifier->buffers, kernel->job, &full);
    if (status != HONE_OK) return hone_fault_of_room(fault, status, &full, err);
    status = hone_verifier_make_scratch(verifier, err);
    if (status != HONE_OK) return status;
    const struct hone_verify_at v = {verifier, kernel, report, fault, err};
    hone_buffers_poison(&verifier->buffers, false); // timing leaves another
    status = hone_verify_launch(&v, HONE_ORDER_USUAL, !verifier->plain);
    if (hone_is_right(status, fault) && !verifier->plain) status = hone_verify_orders(&v);
    if (fault->outcome != HONE_VALID) hone_verifier_say_where(verifier, fault);
    return status;
}

// --- other settings ---

static enum hone_status set_up(struct hone_verifier *verifier,
                               const struct hone_launch_setting *setting,
                               const struct hone_job *job, struct hone_error *err)
{
    struct hone_buffers *buffers = &verifier->buffers;
    buffers->leftovers = setting->leftovers;
    buffers->leftover_byte = setting->byte;
    hone_images_use(&verifier->images, buffers, setting->set);
    hone_buffers_poison(buffers, setting->other_poison);
    return hone_buffers_place(buffers, job, setting->place, err);
}

enum hone_status hone_verifier_launch_in(struct hone_verifier *verifier,
                                         const struct hone_launch_setting *setting,
                                         const struct hone_loaded *kernel,
                                         struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_verify_at v = {verifier, kernel, NULL, fault, err};
    assert(hone_images_have(&verifier->images, setting->set));
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    enum hone_status status = set_up(verifier, setting, kernel->job, err);
    if (status == HONE_OK)
        status = hone_symbols_place(&verifier->buffers, kernel, fault, err);
    if (hone_is_right(status, fault))
        status = hone_verify_launch(&v, HONE_ORDER_USUAL, false);
    return status;
}

enum hone_status hone_verifier_go_back(struct hone_verifier *verifier,
                                       const struct hone_job *job, struct hone_error *err)
{
    static const struct hone_launch_setting usual;
    return set_up(verifier, &usual, job, err);
}

void hone_verifier_fini(struct hone_verifier *verifier)
{
    hone_images_fini(&verifier->images, &verifier->buffers);
    hone_buffers_fini(&verifier->buffers);
    free_scratch(verifier);
    *verifier = (struct hone_verifier){0};
}
