#include "timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "compare.h"
#include "evaluate/runner.h"
#include "fault.h"

// Outputs of the tuned problem are large and copies slow: of each, so many parts of so
// many bytes are looked at, at places drawn from the seed.
enum { PIECES = 64, PIECE_BYTES = 1 << 16 };

static bool is_looked_at(const struct hone_buffer *buffer)
{
    return buffer->block && buffer->bytes > 0 &&
           (buffer->arg.kind == HONE_ARG_OUTPUT || buffer->arg.kind == HONE_ARG_INOUT);
}

static bool runs_what_it_times(const struct hone_runner *runner)
{
    return runner->device->clock != HONE_CLOCK_EMULATED &&
           !(runner->plan->options.flags & HONE_EVALUATE_NO_VERIFY);
}

// --- pieces ---

static size_t pieces_of(const struct hone_buffer *buffer)
{
    return buffer->bytes <= (size_t)PIECES * PIECE_BYTES ? 1 : PIECES;
}

// One in each of so many equal parts of the buffer.
static struct hone_timed_piece draw_piece(const struct hone_buffer *buffer, size_t i,
                                          size_t k, uint64_t seed)
{
    if (pieces_of(buffer) == 1)
        return (struct hone_timed_piece){.buffer = i, .bytes = buffer->bytes};
    const uint64_t key[] = {seed, i, k};
    const size_t part = buffer->bytes / PIECES;
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    const size_t offset = hone_hash64(key, sizeof key) % (part - PIECE_BYTES + 1);
    return (struct hone_timed_piece){
        .buffer = i, .first = (k * part + offset) / size * size, .bytes = PIECE_BYTES};
}

static enum hone_status add_pieces(struct hone_timed *timed,
                                   const struct hone_timed_job *at, size_t i,
                                   struct hone_error *err)
{
    const struct hone_buffer *buffer = &at->buffers->items[i];
    for (size_t k = 0; k < pieces_of(buffer); k++) {
        struct hone_timed_piece *piece = &timed->pieces[timed->count];
        *piece = draw_piece(buffer, i, k, at->runner->plan->options.data_seed);
        piece->steady = true;
        piece->expected = malloc(piece->bytes);
        if (!piece->expected) return hone_no_memory(err, "for timed results");
        timed->count++;
    }
    return HONE_OK;
}

static enum hone_status make_pieces(struct hone_timed *timed,
                                    const struct hone_timed_job *at,
                                    struct hone_error *err)
{
    const struct hone_buffers *buffers = at->buffers;
    size_t count = 0;
    for (size_t i = 0; i < buffers->count; i++)
        if (is_looked_at(&buffers->items[i])) count += pieces_of(&buffers->items[i]);
    timed->pieces = calloc(count + 1, sizeof *timed->pieces);
    timed->scratch = malloc((size_t)PIECES * PIECE_BYTES);
    if (!timed->pieces || !timed->scratch)
        return hone_no_memory(err, "for timed results");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < buffers->count; i++) {
        if (!is_looked_at(&buffers->items[i])) continue;
        timed->adds |= buffers->items[i].arg.kind == HONE_ARG_INOUT;
        status = add_pieces(timed, at, i, err);
    }
    return status;
}

static enum hone_status read_piece(const struct hone_timed_job *at,
                                   const struct hone_timed_piece *piece,
                                   unsigned char *out, struct hone_error *err)
{
    struct hone_device *device = at->buffers->device;
    return device->fns->copy(device, HONE_TO_HOST,
                             at->buffers->items[piece->buffer].data + piece->first, out,
                             piece->bytes, err);
}

// --- launches ---

static enum hone_status poison(const struct hone_timed_job *at, bool other,
                               struct hone_error *err)
{
    struct hone_device *device = at->buffers->device;
    enum hone_status status = HONE_OK;
    hone_buffers_poison(at->buffers, other);
    for (size_t i = 0; status == HONE_OK && i < at->buffers->count; i++) {
        struct hone_buffer *buffer = &at->buffers->items[i];
        if (buffer->arg.kind != HONE_ARG_OUTPUT) continue;
        buffer->intact = false;
        status = device->fns->fill(device, buffer->data, hone_buffer_poison(buffer),
                                   buffer->bytes, err);
    }
    return status;
}

enum hone_status hone_timed_restore(const struct hone_timed_job *at,
                                    struct hone_error *err)
{
    bool imaged = false, any = false;
    for (size_t i = 0; i < at->buffers->count; i++) {
        struct hone_buffer *buffer = &at->buffers->items[i];
        if (buffer->arg.kind != HONE_ARG_INOUT) continue;
        any = true;
        imaged |= buffer->image != NULL;
        buffer->intact = buffer->random = buffer->zeroed = false;
    }
    if (!any) return HONE_OK;
    if (imaged) return hone_buffers_arm(at->buffers, err);
    return hone_buffers_randomise(at->buffers, at->kernel.job, at->kernel.module,
                                  at->runner->plan->options.data_seed, err);
}

static enum hone_status launch_once(const struct hone_timed_job *at,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct hone_device *device = at->buffers->device;
    const struct hone_launch launch =
        hone_buffers_launch(at->buffers, at->kernel.job, at->runner->deadline_s);
    return device->fns->launch(device, at->kernel.module, &launch, fault, err);
}

static enum hone_status launch_afresh(const struct hone_timed *timed,
                                      const struct hone_timed_job *at, bool other,
                                      struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = timed->adds ? hone_timed_restore(at, err) : HONE_OK;
    if (status == HONE_OK) status = poison(at, other, err);
    return status == HONE_OK ? launch_once(at, fault, err) : status;
}

// Launched once more it finds other inouts: what stays the same does not depend on them.
static enum hone_status find_steady(struct hone_timed *timed,
                                    const struct hone_timed_job *at,
                                    struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = launch_once(at, fault, err);
    for (size_t i = 0; i < timed->count; i++) {
        struct hone_timed_piece *piece = &timed->pieces[i];
        if (!hone_is_right(status, fault)) break;
        status = read_piece(at, piece, timed->scratch, err);
        piece->steady = memcmp(timed->scratch, piece->expected, piece->bytes) == 0;
    }
    return status;
}

enum hone_status hone_timed_begin(struct hone_timed *timed,
                                  const struct hone_timed_job *at,
                                  struct hone_fault *fault, struct hone_error *err)
{
    *timed = (struct hone_timed){0};
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    if (!runs_what_it_times(at->runner)) return HONE_OK;
    enum hone_status status = make_pieces(timed, at, err);
    if (status == HONE_OK) status = hone_buffers_arm(at->buffers, err);
    if (status == HONE_OK) status = launch_afresh(timed, at, false, fault, err);
    for (size_t i = 0; i < timed->count; i++)
        if (hone_is_right(status, fault))
            status = read_piece(at, &timed->pieces[i], timed->pieces[i].expected, err);
    if (hone_is_right(status, fault) && timed->adds)
        status = find_steady(timed, at, fault, err);
    if (status != HONE_OK) hone_timed_fini(timed);
    return status;
}

enum hone_status hone_timed_arm(const struct hone_timed *timed,
                                const struct hone_timed_job *at, struct hone_error *err)
{
    if (!timed->count) return HONE_OK;
    enum hone_status status = timed->adds ? hone_timed_restore(at, err) : HONE_OK;
    return status == HONE_OK ? poison(at, true, err) : status;
}

// --- judging ---

// What the one launch left unwritten says nothing: who may win is compared with the
// reference (tuned.h).
static void ignore_unwritten(const struct hone_buffer *view, unsigned char *data)
{
    const size_t size = hone_dtype_size(view->arg.dtype);
    unsigned char unwritten[16];
    struct hone_buffer usual = *view;
    usual.other_poison = false;
    memset(unwritten, hone_buffer_poison(&usual), size);
    for (size_t at = 0; view->arg.kind == HONE_ARG_OUTPUT && at < view->bytes; at += size)
        if (memcmp(view->expected + at, unwritten, size) == 0)
            memcpy(data + at, unwritten, size);
}

static void timed_explain(const struct hone_buffer *buffer, struct hone_fault *fault)
{
    char why[HONE_REASON_MAX];
    memcpy(why, fault->reason, sizeof why);
    snprintf(fault->reason, sizeof fault->reason, "differs after it was timed: %.400s",
             why);
    snprintf(fault->buffer, sizeof fault->buffer, "%s", buffer->arg.name);
    fault->finding = HONE_FINDING_STATE;
}

// Both launches may be off by the tolerance.
static bool agrees(const struct hone_timed *timed, const struct hone_timed_job *at,
                   size_t i, struct hone_fault *fault)
{
    const struct hone_timed_piece *piece = &timed->pieces[i];
    const struct hone_buffer *buffer = &at->buffers->items[piece->buffer];
    const struct hone_tolerance *once =
        hone_job_tolerance(at->kernel.job, buffer->arg.name);
    struct hone_buffer view = *buffer;
    char name[64];
    const size_t first = piece->first / hone_dtype_size(buffer->arg.dtype);
    snprintf(name, sizeof name, "(%.36s + %zu)", buffer->arg.name, first);
    if (first) view.arg.name = name;
    view.bytes = piece->bytes;
    view.arg.count = piece->bytes / hone_dtype_size(buffer->arg.dtype);
    view.expected = piece->expected;
    view.expected_wide = false; // a launch's own, not the reference's
    view.expected_of = "when launched once";
    if (memcmp(timed->scratch, view.expected, piece->bytes) == 0) return true;
    ignore_unwritten(&view, timed->scratch);
    const struct hone_tolerance twice = {.relative = 2 * once->relative,
                                         .absolute = 2 * once->absolute,
                                         .mean = 2 * once->mean};
    if (twice.relative <= 0 && twice.absolute <= 0)
        view.slack = hone_compare_slack(&view);
    if (hone_compare_output(&view, timed->scratch, &twice, fault)) return true;
    timed_explain(buffer, fault);
    return false;
}

static enum hone_status check_pieces(const struct hone_timed *timed,
                                     const struct hone_timed_job *at, bool steady,
                                     struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < timed->count; i++) {
        if (!hone_is_right(status, fault)) break;
        if (timed->pieces[i].steady != steady) continue;
        status = read_piece(at, &timed->pieces[i], timed->scratch, err);
        if (status == HONE_OK && !agrees(timed, at, i, fault)) break;
    }
    return status;
}

enum hone_status hone_timed_check(const struct hone_timed *timed,
                                  const struct hone_timed_job *at,
                                  struct hone_fault *fault, struct hone_error *err)
{
    return check_pieces(timed, at, true, fault, err);
}

enum hone_status hone_timed_finish(const struct hone_timed *timed,
                                   const struct hone_timed_job *at,
                                   struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    bool all = true;
    for (size_t i = 0; i < timed->count; i++)
        all &= timed->pieces[i].steady;
    if (!all) {
        status = launch_afresh(timed, at, true, fault, err);
        if (hone_is_right(status, fault))
            status = check_pieces(timed, at, false, fault, err);
    }
    if (timed->count) hone_buffers_poison(at->buffers, false);
    return status;
}

void hone_timed_distrust(struct hone_buffers *buffers)
{
    for (size_t i = 0; i < buffers->count; i++) {
        struct hone_buffer *buffer = &buffers->items[i];
        buffer->intact = buffer->random = buffer->zeroed = false;
    }
}

void hone_timed_fini(struct hone_timed *timed)
{
    for (size_t i = 0; i < timed->count; i++)
        free(timed->pieces[i].expected);
    free(timed->pieces);
    free(timed->scratch);
    *timed = (struct hone_timed){0};
}
