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
#include "element.h"
#include "evaluate/module.h"
#include "symbols.h"

static void free_scratch(struct hone_verifier *verifier)
{
    free(verifier->scratch);
    hone_host_memory_release(verifier->scratch_bytes);
    verifier->scratch = NULL;
    verifier->scratch_bytes = 0;
}

// Room for the largest block.
static enum hone_status make_scratch(struct hone_verifier *verifier,
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

static enum hone_status read_block(struct hone_verifier *verifier,
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
    return hone_compare_output(buffer, data, &job->tolerance, fault);
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
                                      struct hone_module *module,
                                      const struct hone_job *job,
                                      struct hone_fault *fault, struct hone_error *err)
{
    unsigned printed = 0;
    struct hone_device *device = verifier->buffers.device;
    enum hone_status status = hone_buffers_arm(&verifier->buffers, err);
    if (status != HONE_OK) return status;
    struct hone_launch launch =
        hone_buffers_launch(&verifier->buffers, job, verifier->deadline_s);
    const bool watched = verifier->order == HONE_ORDER_USUAL && !verifier->plain;
    launch.check = watched;
    launch.order = verifier->order;
    launch.report = verifier->report;
    launch.waivers = verifier->waivers;
    launch.waiver_count = verifier->waiver_count;
    launch.print = watched ? log_printed : NULL;
    launch.print_context = &printed;
    const double start = hone_clock_seconds();
    status = device->fns->launch(device, module, &launch, fault, err);
    if (verifier->order == HONE_ORDER_USUAL)
        verifier->launch_s = hone_clock_seconds() - start;
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = hone_symbols_check(&verifier->buffers, verifier->scratch, fault, err);
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < verifier->buffers.count; i++) {
            if (status != HONE_OK || fault->outcome != HONE_VALID) return status;
            struct hone_buffer *buffer = &verifier->buffers.items[i];
            if (!buffer->block || (buffer->arg.kind != HONE_ARG_INPUT) != outputs)
                continue;
            status = read_block(verifier, buffer, err);
            if (status != HONE_OK) return status;
            note_output(verifier, buffer);
            check_block(buffer, verifier->scratch, job, fault);
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
                                     struct hone_module *module,
                                     const struct hone_job *job,
                                     struct hone_launch_report *report,
                                     struct hone_fault *fault, struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    const struct hone_job_arg *arg = hone_buffers_mismatch(&verifier->buffers, job);
    if (arg) {
        fault->outcome = HONE_REJECTED;
        snprintf(
            fault->reason, sizeof fault->reason,
            "argument %s differs from the reference's: its size depends on parameters",
            arg->name);
        return HONE_OK;
    }
    struct hone_error full = {0};
    enum hone_status status = hone_buffers_fit(&verifier->buffers, job, &full);
    if (status == HONE_ELIMIT) {
        fault->outcome = HONE_REJECTED;
        snprintf(fault->reason, sizeof fault->reason, "%.*s", HONE_REASON_MAX - 1,
                 full.text);
        return HONE_OK;
    }
    if (status != HONE_OK) return hone_fail(err, status, "%s", full.text);
    status = make_scratch(verifier, err);
    if (status != HONE_OK) return status;
    verifier->report = report;
    hone_buffers_poison(&verifier->buffers, false); // timing leaves another
    status = hone_verifier_launch(verifier, module, job, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID && !verifier->plain)
        status = hone_verifier_check_orders(verifier, module, job, fault, err);
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
                                         struct hone_module *module,
                                         const struct hone_variant *variant,
                                         struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_job *job = &variant->job;
    const bool plain = verifier->plain;
    assert(hone_images_have(&verifier->images, setting->set));
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    verifier->plain = true;
    enum hone_status status = set_up(verifier, setting, job, err);
    if (status == HONE_OK)
        status = hone_symbols_place(&verifier->buffers, module, variant->build, job,
                                    false, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = hone_verifier_launch(verifier, module, job, fault, err);
    verifier->plain = plain;
    return status;
}

enum hone_status hone_verifier_go_back(struct hone_verifier *verifier,
                                       const struct hone_job *job, struct hone_error *err)
{
    static const struct hone_launch_setting usual;
    return set_up(verifier, &usual, job, err);
}

// --- the reference ---

static enum hone_status claim_expected(const struct hone_verifier *verifier, size_t bytes,
                                       struct hone_error *err)
{
    static const char what[] = "for a reference result";
    return verifier->images.current == HONE_SET_FIRST
               ? hone_host_memory_claim(bytes, what, err)
               : hone_host_memory_claim_spare(bytes, what, err);
}

static enum hone_status keep_expected(struct hone_verifier *verifier,
                                      struct hone_error *err)
{
    for (size_t i = 0; i < verifier->buffers.count; i++) {
        struct hone_buffer *buffer = &verifier->buffers.items[i];
        if (!buffer->block || buffer->arg.kind == HONE_ARG_INPUT ||
            buffer->arg.kind == HONE_ARG_WORKSPACE)
            continue;
        enum hone_status status = read_block(verifier, buffer, err);
        if (status != HONE_OK) return status;
        status = claim_expected(verifier, buffer->bytes, err);
        if (status != HONE_OK) return status;
        buffer->expected_wide = buffer->arg.wide;
        buffer->expected = malloc(buffer->bytes + 1);
        if (!buffer->expected) {
            hone_host_memory_release(buffer->bytes);
            return hone_no_memory(err, "for the reference result");
        }
        memcpy(buffer->expected, verifier->scratch + HONE_RED_ZONE_BYTES, buffer->bytes);
    }
    return HONE_OK;
}

// Where the reference is no finite number a kernel's value says little: wrong ones are
// often the same.
static void warn_of_odd(const struct hone_verifier *verifier, const struct hone_job *job)
{
    for (size_t i = 0; i < verifier->buffers.count; i++) {
        char text[128];
        if (!hone_compare_odd(&verifier->buffers.items[i], text, sizeof text)) continue;
        hone_log(HONE_LOG_WARNING, "the reference '%s' computes no numbers: %s%s%s",
                 job->source_name, text, verifier->where[0] ? ", at " : "",
                 verifier->where);
    }
}

// Results may hold addresses, of parts of a buffer for example: only as long as all stays
// where it was is such a result right.
static void note_addresses(struct hone_verifier *verifier)
{
    const struct hone_buffers *buffers = &verifier->buffers;
    for (size_t i = 0; i < buffers->count; i++)
        if (buffers->items[i].expected)
            verifier->fixed |= hone_buffers_hold_addresses(buffers, &buffers->items[i],
                                                           buffers->items[i].expected);
}

static enum hone_status make_buffers(struct hone_verifier *verifier,
                                     const struct hone_verifier_params *params,
                                     const struct hone_job *job, struct hone_error *err)
{
    enum hone_status status =
        hone_buffers_init(&verifier->buffers, params->device, job, err);
    if (status == HONE_OK)
        status = hone_buffers_make_images(&verifier->buffers, params->data_seed, err);
    if (status != HONE_OK) return status;
    return make_scratch(verifier, err);
}

// An element that holds poison was not written, or its value is just that, which one in
// 256 bytes is: what is another poison after another launch was not written.
static enum hone_status launch_reference(struct hone_verifier *verifier,
                                         struct hone_module *module,
                                         const struct hone_job *job,
                                         struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = hone_verifier_launch(verifier, module, job, fault, err);
    const bool doubtful = fault->finding == HONE_FINDING_NEVER_WRITES;
    if (status == HONE_OK && (doubtful || fault->outcome == HONE_VALID))
        status = keep_expected(verifier, err);
    if (status != HONE_OK || !doubtful) return status;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    hone_buffers_poison(&verifier->buffers, true);
    status = hone_verifier_launch(verifier, module, job, fault, err);
    hone_buffers_poison(&verifier->buffers, false);
    return status;
}

// Computes what is expected for one set of data, the first one under all checks.
static enum hone_status compute_expected(struct hone_verifier *verifier, size_t set,
                                         struct hone_module *module,
                                         const struct hone_job *job,
                                         struct hone_fault *fault, struct hone_error *err)
{
    struct hone_buffers *buffers = &verifier->buffers;
    verifier->plain |= set != HONE_SET_FIRST;
    hone_images_use(&verifier->images, buffers, set);
    enum hone_status status = hone_symbols_arm(buffers, err);
    if (status == HONE_OK) status = launch_reference(verifier, module, job, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID) note_addresses(verifier);
    return status;
}

// With other data, as far as there is room for it and for what the reference makes of it.
static enum hone_status compute_others(struct hone_verifier *verifier, uint64_t seed,
                                       struct hone_module *module,
                                       const struct hone_job *job,
                                       struct hone_fault *fault, struct hone_error *err)
{
    struct hone_images *images = &verifier->images;
    enum hone_status status = hone_images_make(images, &verifier->buffers, seed, err);
    for (size_t set = HONE_SET_FIRST + 1; set < HONE_SETS; set++) {
        if (status != HONE_OK || fault->outcome != HONE_VALID) break;
        if (!hone_images_have(images, set)) continue;
        struct hone_error own = {0}; // there may be no room: that is recovered from
        status = compute_expected(verifier, set, module, job, fault, &own);
        if (status != HONE_ELIMIT) {
            hone_error_pass(err, status, &own);
            continue;
        }
        hone_images_drop(images, &verifier->buffers, set);
        status = HONE_OK;
    }
    return status;
}

static enum hone_status run_reference(struct hone_verifier *verifier,
                                      const struct hone_verifier_params *params,
                                      const struct hone_job *job, struct hone_error *err)
{
    const struct hone_build *build = NULL;
    struct hone_module *module = NULL;
    struct hone_fault fault = {.outcome = HONE_VALID};
    uint64_t ticket = 0;
    struct hone_device *device = params->device;
    enum hone_status status =
        hone_job_queue(job, params->builder, device->limits.arch, &ticket, err);
    if (status == HONE_OK)
        status = hone_builder_take(params->builder, ticket, &build, err);
    if (status == HONE_OK)
        status =
            hone_symbols_load(&verifier->buffers, build, job, true, &module, &fault, err);
    if (status == HONE_OK && fault.outcome == HONE_VALID)
        status = compute_expected(verifier, HONE_SET_FIRST, module, job, &fault, err);
    if (status == HONE_OK && fault.outcome == HONE_VALID && params->again)
        status = compute_others(verifier, params->data_seed, module, job, &fault, err);
    verifier->plain = false;
    hone_images_use(&verifier->images, &verifier->buffers, HONE_SET_FIRST);
    if (status == HONE_OK && fault.outcome == HONE_VALID && !params->quiet)
        warn_of_odd(verifier, job);
    if (status == HONE_OK && fault.outcome != HONE_VALID) {
        hone_verifier_say_where(verifier, &fault);
        status =
            hone_fail(err, HONE_EINPUT, "the reference '%s' fails (%s): %s",
                      job->source_name, hone_outcome_name(fault.outcome), fault.reason);
    }
    if (module) device->fns->unload(device, module);
    hone_build_release(build);
    return status;
}

enum hone_status hone_verifier_init_alone(struct hone_verifier *verifier,
                                          const struct hone_verifier_params *params,
                                          const struct hone_job *job, const char *where,
                                          struct hone_error *err)
{
    *verifier = (struct hone_verifier){.where = where,
                                       .deadline_s = params->deadline_s,
                                       .plain = params->plain,
                                       .waivers = params->waivers,
                                       .waiver_count = params->waiver_count};
    enum hone_status status = make_buffers(verifier, params, job, err);
    for (size_t i = 0; status == HONE_OK && i < verifier->buffers.count; i++)
        verifier->buffers.items[i].unjudged = true;
    if (status != HONE_OK) hone_verifier_fini(verifier);
    return status;
}

enum hone_status
hone_verifier_expect_own(struct hone_verifier *verifier, struct hone_module *module,
                         const struct hone_job *job, struct hone_launch_report *report,
                         struct hone_fault *fault, struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    verifier->report = report;
    enum hone_status status = hone_verifier_launch(verifier, module, job, fault, err);
    verifier->report = NULL;
    if (status != HONE_OK) return status;
    if (fault->outcome == HONE_VALID) {
        status = keep_expected(verifier, err);
        if (status == HONE_OK) note_addresses(verifier);
        return status;
    }
    hone_verifier_say_where(verifier, fault);
    return HONE_OK;
}

static enum hone_status open_reference(struct hone_verifier *verifier,
                                       const struct hone_verifier_params *params,
                                       const struct hone_job *reference,
                                       const char *where, struct hone_error *err)
{
    *verifier = (struct hone_verifier){
        .where = where, .deadline_s = params->deadline_s, .plain = params->plain};
    enum hone_status status = make_buffers(verifier, params, reference, err);
    if (status == HONE_OK) status = run_reference(verifier, params, reference, err);
    return status;
}

// Buffers as the kernel has them, where the reference's are doubles.
static enum hone_status make_narrow(struct hone_verifier *verifier,
                                    const struct hone_verifier_params *params,
                                    const struct hone_job *reference,
                                    struct hone_error *err)
{
    struct hone_job narrow = *reference;
    struct hone_job_arg *args = calloc(narrow.arg_count + 1, sizeof *args);
    if (!args) return hone_no_memory(err, "for verification");
    for (size_t i = 0; i < narrow.arg_count; i++) {
        args[i] = reference->args[i];
        if (args[i].wide) args[i].dtype = args[i].narrow;
        args[i].wide = false;
    }
    narrow.args = args;
    enum hone_status status = make_buffers(verifier, params, &narrow, err);
    if (status == HONE_OK && params->again)
        status = hone_images_make(&verifier->images, &verifier->buffers,
                                  params->data_seed, err);
    free(args);
    return status;
}

static void move_expected(struct hone_verifier *verifier, struct hone_verifier *wide)
{
    for (size_t i = 0; i < verifier->buffers.count; i++) {
        struct hone_buffer *buffer = &verifier->buffers.items[i];
        buffer->expected = wide->buffers.items[i].expected;
        buffer->expected_wide = wide->buffers.items[i].expected_wide;
        wide->buffers.items[i].expected = NULL;
    }
    hone_images_take_expected(&verifier->images, &verifier->buffers, &wide->images);
    verifier->fixed = wide->fixed;
}

static enum hone_status open_wide(struct hone_verifier *verifier,
                                  const struct hone_verifier_params *params,
                                  const struct hone_job *reference, const char *where,
                                  struct hone_error *err)
{
    struct hone_verifier wide;
    *verifier = (struct hone_verifier){.where = where, .deadline_s = params->deadline_s};
    enum hone_status status = open_reference(&wide, params, reference, where, err);
    if (status == HONE_OK) status = make_narrow(verifier, params, reference, err);
    if (status == HONE_OK) move_expected(verifier, &wide);
    hone_verifier_fini(&wide);
    return status;
}

enum hone_status hone_verifier_init(struct hone_verifier *verifier,
                                    const struct hone_verifier_params *params,
                                    const struct hone_job *reference, const char *where,
                                    struct hone_error *err)
{
    enum hone_status status =
        hone_job_is_wide(reference)
            ? open_wide(verifier, params, reference, where, err)
            : open_reference(verifier, params, reference, where, err);
    verifier->again = params->again;
    verifier->waivers = params->waivers;
    verifier->waiver_count = params->waiver_count;
    if (status != HONE_OK) hone_verifier_fini(verifier);
    return status;
}

void hone_verifier_fini(struct hone_verifier *verifier)
{
    hone_images_fini(&verifier->images, &verifier->buffers);
    hone_buffers_fini(&verifier->buffers);
    free_scratch(verifier);
    *verifier = (struct hone_verifier){0};
}
