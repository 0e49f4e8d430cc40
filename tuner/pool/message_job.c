// Jobs and candidates of the messages: sources, options, arguments.
#include <stdlib.h>
#include <string.h>

#include "message_wire.h"
#include "render/fill_data.h"

static void wire_value(struct hone_wire *wire, struct hone_value *value)
{
    value->type = (enum hone_type)hone_wire_enum(wire, value->type, HONE_STRING);
    switch (value->type) {
    case HONE_INT:
        hone_wire_i64(wire, &value->i);
        break;
    case HONE_FLOAT:
        hone_wire_f64(wire, &value->f);
        break;
    case HONE_BOOL:
        hone_wire_bool(wire, &value->b);
        break;
    case HONE_STRING:
        hone_wire_text(wire, &value->s);
        if (!value->s) wire->failed = true;
        break;
    }
}

// What a file holds is sent with the first job that has it.
static void wire_data(struct hone_wire *wire, struct hone_job_arg *arg,
                      const struct hone_job_arg *first)
{
    struct hone_fill_data *data = &arg->data;
    bool shared =
        !wire->reading && data->size && first && first->data.bytes == data->bytes;
    hone_wire_f64(wire, &data->low);
    hone_wire_f64(wire, &data->high);
    hone_wire_bool(wire, &shared);
    if (!shared)
        hone_wire_bytes(wire, &data->bytes, &data->size);
    else if (wire->reading && first)
        *data = first->data;
    if (!hone_fill_data_fits(data, arg->fill, arg->wide ? arg->narrow : arg->dtype))
        wire->failed = true;
}

static void wire_map(struct hone_wire *wire, struct hone_tensor_map *map)
{
    char why[128];
    hone_wire_u32(wire, &map->rank);
    if (!map->rank) return;
    if (map->rank > HONE_MAP_RANK_MAX) {
        wire->failed = true;
        return;
    }
    hone_wire_u32(wire, &map->type);
    for (uint32_t i = 0; i < map->rank; i++) {
        hone_wire_u64(wire, &map->size[i]);
        hone_wire_u64(wire, &map->stride_bytes[i]);
        hone_wire_u32(wire, &map->box[i]);
    }
    hone_wire_u32(wire, &map->modes.swizzle);
    hone_wire_u32(wire, &map->modes.interleave);
    hone_wire_u32(wire, &map->modes.promotion);
    hone_wire_u32(wire, &map->modes.nan_fill);
    if (!hone_map_check(map, why, sizeof why)) wire->failed = true;
}

static void wire_tolerance(struct hone_wire *wire, struct hone_tolerance *tolerance)
{
    hone_wire_f64(wire, &tolerance->relative);
    hone_wire_f64(wire, &tolerance->absolute);
    hone_wire_f64(wire, &tolerance->mean);
}

static void wire_arg(struct hone_wire *wire, struct hone_job_arg *arg,
                     const struct hone_job_arg *first)
{
    hone_wire_text(wire, &arg->name);
    arg->kind = (enum hone_arg_kind)hone_wire_enum(wire, arg->kind, HONE_ARG_COUNT - 1);
    arg->dtype = (enum hone_dtype)hone_wire_enum(wire, arg->dtype, HONE_U8);
    hone_wire_bool(wire, &arg->wide);
    hone_wire_bool(wire, &arg->early);
    arg->narrow = (enum hone_dtype)hone_wire_enum(wire, arg->narrow, HONE_E5M2);
    arg->fill = (enum hone_fill)hone_wire_enum(wire, arg->fill, HONE_FILL_COUNT - 1);
    hone_wire_u64(wire, &arg->count);
    hone_wire_u64(wire, &arg->pointers);
    hone_wire_i32(wire, &arg->line);
    wire_map(wire, &arg->map);
    wire_value(wire, &arg->value);
    if (arg->wide && arg->dtype != HONE_F64) wire->failed = true;
    hone_wire_bool(wire, &arg->bounded);
    if (arg->bounded) wire_tolerance(wire, &arg->tolerance);
    wire_data(wire, arg, first);
    if (!arg->name) wire->failed = true;
}

static void wire_args(struct hone_wire *wire, struct hone_job *job,
                      const struct hone_job *first)
{
    hone_wire_count(wire, &job->arg_count, 32);
    struct hone_job_arg *args = NULL;
    if (wire->reading)
        job->args = args = hone_wire_room(wire, &job->arg_count, sizeof *args);
    for (size_t i = 0; i < job->arg_count; i++) {
        struct hone_job_arg sent = {0};
        if (!wire->reading) sent = job->args[i];
        wire_arg(wire, wire->reading ? &args[i] : &sent,
                 first && i < first->arg_count ? &first->args[i] : NULL);
    }
}

static void wire_compiler_options(struct hone_wire *wire, struct hone_job *job)
{
    hone_wire_count(wire, &job->option_count, 2);
    const char **options = NULL;
    if (wire->reading)
        job->options = options =
            hone_wire_room(wire, &job->option_count, sizeof *options);
    for (size_t i = 0; i < job->option_count; i++) {
        const char *sent = wire->reading ? NULL : job->options[i];
        hone_wire_text(wire, wire->reading ? &options[i] : &sent);
        if (wire->reading && !options[i]) wire->failed = true;
    }
}

// Headers are sent with the first job that has them; the others get its own.
static void wire_headers(struct hone_wire *wire, struct hone_job *job,
                         const struct hone_job *first)
{
    bool shared = !wire->reading && first && job->headers == first->headers;
    hone_wire_bool(wire, &shared);
    if (shared) {
        if (wire->reading && first) {
            job->headers = first->headers;
            job->header_count = first->header_count;
        }
        return;
    }
    hone_wire_count(wire, &job->header_count, 2);
    struct hone_build_header *headers = NULL;
    if (wire->reading)
        job->headers = headers =
            hone_wire_room(wire, &job->header_count, sizeof *headers);
    for (size_t i = 0; i < job->header_count; i++) {
        struct hone_build_header header = {0};
        if (!wire->reading) header = job->headers[i];
        hone_wire_text(wire, &header.name);
        hone_wire_text(wire, &header.text);
        if (wire->reading) headers[i] = header;
        if (!header.name || !header.text) wire->failed = true;
    }
}

// The source that most variants share is sent once, and is there once: first is of the
// same candidate, or plan.
static void wire_source(struct hone_wire *wire, struct hone_job *job,
                        const struct hone_job *first)
{
    bool shared = !wire->reading && first && strcmp(job->source, first->source) == 0;
    hone_wire_bool(wire, &shared);
    const char *text = job->source;
    if (!shared) hone_wire_text(wire, &text);
    if (!wire->reading) return;
    job->borrows = shared && first && first->source;
    if (job->borrows)
        job->source = first->source;
    else if (!shared && text)
        job->source = hone_wire_keep(wire, strdup(text));
    if (!job->source) wire->failed = true;
}

void hone_wire_job(struct hone_wire *wire, struct hone_job *job,
                   const struct hone_job *first)
{
    struct hone_geometry *geometry = &job->geometry;
    wire_source(wire, job, first);
    hone_wire_text(wire, &job->source_name);
    hone_wire_text(wire, &job->entry);
    hone_wire_text(wire, &job->script);
    for (int i = 0; i < 3; i++)
        hone_wire_u32(wire, &geometry->grid[i]);
    for (int i = 0; i < 3; i++)
        hone_wire_u32(wire, &geometry->block[i]);
    hone_wire_u32(wire, &geometry->shared_bytes);
    for (int i = 0; i < 3; i++)
        hone_wire_u32(wire, &geometry->cluster[i]);
    hone_wire_u32(wire, &geometry->flags);
    wire_args(wire, job, first);
    wire_compiler_options(wire, job);
    wire_headers(wire, job, first);
    wire_tolerance(wire, &job->tolerance);
    hone_wire_f64(wire, &job->flops);
    hone_wire_f64(wire, &job->bytes);
    if (wire->reading && (!job->source_name || !job->entry)) wire->failed = true;
}

// Jobs outlive the message's arena in nobody's hands: candidate and plan are its own.
void hone_wire_candidate(struct hone_wire *wire, struct hone_candidate *candidate)
{
    hone_wire_u64(wire, &candidate->trial.index);
    hone_wire_count(wire, &candidate->count, 1);
    if (wire->reading) {
        wire->failed |= !candidate->count;
        candidate->variants =
            hone_wire_own(wire, &candidate->count, sizeof *candidate->variants);
    }
    for (size_t i = 0; i < candidate->count && !wire->failed; i++) {
        struct hone_job sent = candidate->variants[i].job;
        hone_wire_bool(wire, &candidate->variants[i].skipped);
        if (candidate->variants[i].skipped) {
            wire->failed |= i == 0;
            continue;
        }
        hone_wire_job(wire, wire->reading ? &candidate->variants[i].job : &sent,
                      i ? &candidate->variants[0].job : NULL);
    }
}

void hone_wire_candidates(struct hone_wire *wire, struct hone_candidate **candidates,
                          size_t *count)
{
    hone_wire_count(wire, count, 64);
    if (wire->reading) *candidates = hone_wire_own(wire, count, sizeof **candidates);
    for (size_t i = 0; i < *count && !wire->failed; i++) {
        if (wire->reading) (*candidates)[i].trial = hone_trial_make(0, HONE_VALID);
        hone_wire_candidate(wire, &(*candidates)[i]);
    }
}
