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
static void note_output(struct hone_verifier *verifier, const struct hone_buffer *buffer)
{
    struct hone_launch_report *report = verifier->report; // none of a plain launch
    if (!report || !buffer->expected || verifier->order != HONE_ORDER_USUAL) return;
    const uint64_t parts[] = {
        report->outputs,
        hone_hash64(verifier->scratch + HONE_RED_ZONE_BYTES, buffer->bytes)};
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

// Launch and check every buffer. Inputs come first: a broken input explains a wrong
// output.
enum hone_status hone_verifier_launch(struct hone_verifier *verifier,
                                      const struct hone_loaded *kernel,
                                      struct hone_fault *fault, struct hone_error *err)
{
    unsigned printed = 0;
    struct hone_device *device = verifier->buffers.device;
    enum hone_status status = hone_buffers_arm(&verifier->buffers, err);
    if (status != HONE_OK) return status;
    struct hone_launch launch =
        hone_buffers_launch(&verifier->buffers, kernel->job, verifier->deadline_s);
    const bool watched = verifier->order == HONE_ORDER_USUAL && !verifier->plain;
    launch.check = watched || verifier->looks;
    launch.order = verifier->order;
    launch.seed = verifier->seed;
    launch.report = verifier->report;
    launch.waivers = verifier->waivers;
    launch.waiver_count = verifier->waiver_count;
    launch.print = watched ? log_printed : NULL;
    launch.print_context = &printed;
    const double start = hone_clock_seconds();
    status = device->fns->launch(device, kernel->module, &launch, fault, err);
    if (verifier->order == HONE_ORDER_USUAL)
        verifier->launch_s = hone_clock_seconds() - start;
    if (hone_is_right(status, fault))
        status = hone_symbols_check(&verifier->buffers, verifier->scratch, fault, err);
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < verifier->buffers.count; i++) {
            if (!hone_is_right(status, fault)) return status;
            struct hone_buffer *buffer = &verifier->buffers.items[i];
            if (!buffer->block || (buffer->arg.kind != HONE_ARG_INPUT) != outputs)
                continue;
            status = hone_verifier_read_block(verifier, buffer, err);
            if (status != HONE_OK) return status;
            note_output(verifier, buffer);
            check_block(buffer, verifier->scratch, kernel->job, fault);
        }
    return status;
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
    verifier->report = report;
    hone_buffers_poison(&verifier->buffers, false); // timing leaves another
    status = hone_verifier_launch(verifier, kernel, fault, err);
    if (hone_is_right(status, fault) && !verifier->plain)
        status = hone_verifier_check_orders(verifier, kernel, fault, err);
    verifier->report = NULL;
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
    const bool plain = verifier->plain;
    assert(hone_images_have(&verifier->images, setting->set));
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    verifier->plain = true;
    enum hone_status status = set_up(verifier, setting, kernel->job, err);
    if (status == HONE_OK)
        status = hone_symbols_place(&verifier->buffers, kernel, fault, err);
    if (hone_is_right(status, fault))
        status = hone_verifier_launch(verifier, kernel, fault, err);
    verifier->plain = plain;
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
