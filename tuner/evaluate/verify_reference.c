// What a kernel's results are compared with: the reference computes it once, in doubles
// where the script says so, and with other data for the launches after.
#include "evaluate/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_memory.h"
#include "base/log.h"
#include "compare.h"
#include "evaluate/module.h"
#include "fault.h"
#include "reference_fault.h"
#include "symbols.h"
#include "verify_scratch.h"

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
        enum hone_status status = hone_verifier_read_block(verifier, buffer, err);
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
    verifier->seed = params->data_seed;
    enum hone_status status =
        hone_buffers_init(&verifier->buffers, params->device, job, err);
    if (status == HONE_OK)
        status = hone_buffers_make_images(&verifier->buffers, params->data_seed, err);
    if (status != HONE_OK) return status;
    return hone_verifier_make_scratch(verifier, err);
}

// An element that holds poison was not written, or its value is just that, which one in
// 256 bytes is: what is another poison after another launch was not written.
static enum hone_status launch_reference(const struct hone_verify_at *v)
{
    struct hone_verifier *verifier = v->verifier;
    const bool watched = !verifier->plain;
    enum hone_status status = hone_verify_launch(v, HONE_ORDER_USUAL, watched);
    const bool doubtful = v->fault->finding == HONE_FINDING_NEVER_WRITES;
    if (status == HONE_OK && (doubtful || v->fault->outcome == HONE_VALID))
        status = keep_expected(verifier, v->err);
    if (status != HONE_OK || !doubtful) return status;
    *v->fault = (struct hone_fault){.outcome = HONE_VALID};
    hone_buffers_poison(&verifier->buffers, true);
    status = hone_verify_launch(v, HONE_ORDER_USUAL, watched);
    hone_buffers_poison(&verifier->buffers, false);
    return status;
}

// Computes what is expected for one set of data, the first one under all checks.
static enum hone_status compute_expected(const struct hone_verify_at *v, size_t set)
{
    struct hone_verifier *verifier = v->verifier;
    verifier->plain |= set != HONE_SET_FIRST;
    hone_images_use(&verifier->images, &verifier->buffers, set);
    enum hone_status status = hone_symbols_arm(&verifier->buffers, v->err);
    if (status == HONE_OK) status = launch_reference(v);
    if (hone_is_right(status, v->fault)) note_addresses(verifier);
    return status;
}

// With other data, as far as there is room for it and for what the reference makes of it.
static enum hone_status compute_others(const struct hone_verify_at *v, uint64_t seed)
{
    struct hone_buffers *buffers = &v->verifier->buffers;
    struct hone_images *images = &v->verifier->images;
    enum hone_status status = hone_images_make(images, buffers, seed, v->err);
    for (size_t set = HONE_SET_FIRST + 1; set < HONE_SETS; set++) {
        if (!hone_is_right(status, v->fault)) break;
        if (!hone_images_have(images, set)) continue;
        struct hone_error own = {0}; // there may be no room: that is recovered from
        struct hone_verify_at apart = *v;
        apart.err = &own;
        status = compute_expected(&apart, set);
        if (status != HONE_ELIMIT) {
            hone_error_pass(v->err, status, &own);
            continue;
        }
        hone_images_drop(images, buffers, set);
        status = HONE_OK;
    }
    return status;
}

static enum hone_status run_reference(struct hone_verifier *verifier,
                                      const struct hone_verifier_params *params,
                                      const struct hone_job *job, struct hone_error *err)
{
    struct hone_loaded kernel = {.job = job, .is_reference = true};
    struct hone_fault fault = {.outcome = HONE_VALID};
    const struct hone_verify_at v = {verifier, &kernel, NULL, &fault, err};
    struct hone_device *device = params->device;
    enum hone_status status =
        hone_job_build(&kernel.build, job, params->builder, device->limits.arch, err);
    if (status == HONE_OK)
        status = hone_symbols_load(&verifier->buffers, &kernel, &fault, err);
    if (hone_is_right(status, &fault)) status = compute_expected(&v, HONE_SET_FIRST);
    if (hone_is_right(status, &fault) && params->again)
        status = compute_others(&v, params->data_seed);
    verifier->plain = false;
    hone_images_use(&verifier->images, &verifier->buffers, HONE_SET_FIRST);
    if (hone_is_right(status, &fault) && !params->quiet) warn_of_odd(verifier, job);
    if (status == HONE_OK && fault.outcome != HONE_VALID) {
        hone_reference_name_argument(job, &fault);
        hone_verifier_say_where(verifier, &fault);
        status = hone_reference_fails(job, &fault, err);
    }
    hone_module_unload(&kernel, device);
    hone_build_release(kernel.build);
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

enum hone_status hone_verifier_expect_own(struct hone_verifier *verifier,
                                          const struct hone_loaded *kernel,
                                          struct hone_launch_report *report,
                                          struct hone_fault *fault,
                                          struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    const struct hone_verify_at v = {verifier, kernel, report, fault, err};
    enum hone_status status = hone_verify_launch(&v, HONE_ORDER_USUAL, !verifier->plain);
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
