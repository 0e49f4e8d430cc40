// One configuration at a time is compared with one neighbour for each parameter that has
// shown no effect yet; the builds of a round are queued together.
#include "evaluate/param_effect.h"

#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/one_of.h"
#include "evaluate/module.h"
#include "hone/rng.h"

enum { ROUNDS = 4 };

// A configuration as the compiler and the device see it.
struct look {
    bool wanted, queued;
    struct hone_job job; // its memory is NULL where the configuration has none
    uint64_t ticket;
    const struct hone_build *build; // NULL without a builder
};

struct round {
    const struct hone_kernel *kernel;
    const struct hone_space *space;
    const struct hone_param_effect_options *options;
    struct look *looks; // of the base, then by parameter
    uint16_t *choices;
    struct hone_rng rng;
};

// --- sources ---

// Whether a line only gives the name its value: "#define NAME ...", "#ifndef NAME".
static bool only_defines(const char *line, const char *name)
{
    const size_t length = strlen(name);
    while (*line == ' ')
        line++;
    const bool guard = strncmp(line, "#ifndef ", 8) == 0;
    if (!guard && strncmp(line, "#define ", 8) != 0) return false;
    return strncmp(line + 8, name, length) == 0 &&
           (!line[8 + length] || hone_one_of(line[8 + length], " \n"));
}

static bool line_uses(const char *line, const char *end, const char *name)
{
    const size_t length = strlen(name);
    while (line < end) {
        const char *word = hone_identifier_end(line);
        if (word && (size_t)(word - line) == length && memcmp(line, name, length) == 0)
            return true;
        line = word ? word : line + 1;
    }
    return false;
}

static const char *end_of_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

// Line by line: the same but for the value of name, which is not used. Names in comments
// count as used.
static bool same_source(const char *a, const char *b, const char *name)
{
    while (*a && *b) {
        const char *a_end = end_of_line(a), *b_end = end_of_line(b);
        const bool defines = only_defines(a, name) && only_defines(b, name);
        const size_t length = (size_t)(a_end - a);
        if (!defines && (line_uses(a, a_end, name) || length != (size_t)(b_end - b) ||
                         memcmp(a, b, length) != 0))
            return false;
        a = a_end;
        b = b_end;
    }
    return *a == *b;
}

// --- comparing ---

static bool same_launch(const struct hone_job *a, const struct hone_job *b)
{
    for (int i = 0; i < 3; i++)
        if (a->geometry.grid[i] != b->geometry.grid[i] ||
            a->geometry.block[i] != b->geometry.block[i] ||
            a->geometry.cluster[i] != b->geometry.cluster[i])
            return false;
    for (size_t i = 0; i < a->arg_count; i++)
        if (a->args[i].count != b->args[i].count ||
            a->args[i].pointers != b->args[i].pointers ||
            (a->args[i].kind == HONE_ARG_SCALAR &&
             !hone_value_same(a->args[i].value, b->args[i].value)))
            return false;
    return a->geometry.shared_bytes == b->geometry.shared_bytes;
}

static bool is_built(const struct look *look)
{
    return look->build && look->build->outcome == HONE_VALID;
}

static void compare_pairs(const struct round *r, size_t param,
                          struct hone_param_effect *found)
{
    const struct look *a = &r->looks[0], *b = &r->looks[1 + param];
    const bool a_can = a->job.memory && (!r->options->builder || is_built(a));
    const bool b_can = b->job.memory && (!r->options->builder || is_built(b));
    if (!b->wanted || (!a_can && !b_can)) return;
    found->pairs++;
    if (a_can != b_can || !same_launch(&a->job, &b->job))
        found->differs = true;
    else if (r->options->builder)
        found->differs = strcmp(a->build->image_hash, b->build->image_hash) != 0;
    else
        found->differs = !same_source(a->job.source, b->job.source,
                                      hone_space_param(r->space, param)->name);
}

// --- a round ---

// A geometry that cannot be launched leaves the look without a job.
static enum hone_status begin(const struct round *r, struct look *look, uint64_t index,
                              struct hone_error *err)
{
    struct hone_error inner = {0};
    look->wanted = true;
    enum hone_status status = hone_kernel_job(&look->job, r->kernel, index, NULL, &inner);
    if (status == HONE_EINPUT) return HONE_OK;
    if (status == HONE_OK && r->options->builder)
        status = hone_job_queue(&look->job, r->options->builder, r->options->arch,
                                &look->ticket, &inner);
    look->queued = status == HONE_OK && r->options->builder;
    return hone_error_pass(err, status, &inner);
}

// Another value of param from a random one on that gives a valid configuration.
static bool find_neighbour(struct round *r, size_t param, uint64_t *index)
{
    const size_t values = hone_space_param(r->space, param)->count;
    const uint16_t own = r->choices[param];
    const size_t first = (size_t)hone_rng_below(&r->rng, values);
    bool found = false;
    for (size_t i = 0; i < values && !found; i++) {
        r->choices[param] = (uint16_t)((first + i) % values);
        found = r->choices[param] != own &&
                hone_space_index(r->space, r->choices, index) == HONE_OK;
    }
    r->choices[param] = own;
    return found;
}

static enum hone_status queue_all(struct round *r, uint64_t base,
                                  const struct hone_param_effect *found,
                                  struct hone_error *err)
{
    const size_t params = hone_space_param_count(r->space);
    hone_space_choices(r->space, base, r->choices);
    enum hone_status status = begin(r, &r->looks[0], base, err);
    for (size_t p = 0; p < params && status == HONE_OK; p++) {
        uint64_t index;
        if (!found[p].differs && find_neighbour(r, p, &index))
            status = begin(r, &r->looks[1 + p], index, err);
    }
    return status;
}

static enum hone_status take_all(struct round *r, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 1 + hone_space_param_count(r->space); i++) {
        struct look *look = &r->looks[i];
        if (!look->queued) continue;
        enum hone_status taken =
            hone_builder_take(r->options->builder, look->ticket, &look->build,
                              status != HONE_OK ? NULL : err);
        if (status == HONE_OK) status = taken;
    }
    return status;
}

static void clear(struct round *r)
{
    for (size_t i = 0; i < 1 + hone_space_param_count(r->space); i++) {
        if (r->looks[i].build) hone_build_release(r->looks[i].build);
        if (r->looks[i].job.memory) hone_job_fini(&r->looks[i].job);
        r->looks[i] = (struct look){0};
    }
}

static enum hone_status run_round(struct round *r, uint64_t base,
                                  struct hone_param_effect *found, struct hone_error *err)
{
    enum hone_status status = queue_all(r, base, found, err);
    enum hone_status taken = take_all(r, status != HONE_OK ? NULL : err);
    if (status == HONE_OK) status = taken;
    for (size_t p = 0; p < hone_space_param_count(r->space) && status == HONE_OK; p++)
        if (!found[p].differs) compare_pairs(r, p, &found[p]);
    clear(r);
    return status;
}

enum hone_status hone_param_effects(const struct hone_kernel *kernel,
                                    const struct hone_param_effect_options *options,
                                    struct hone_param_effect *found,
                                    struct hone_error *err)
{
    const struct hone_space *space = hone_kernel_space(kernel);
    const size_t params = hone_space_param_count(space);
    struct round r = {.kernel = kernel, .space = space, .options = options};
    enum hone_status status = HONE_OK;
    uint64_t bases[ROUNDS];
    r.looks = calloc(params + 1, sizeof *r.looks);
    r.choices = calloc(params + 1, sizeof *r.choices);
    if (!r.looks || !r.choices)
        status = hone_no_memory(err, "to look for parameters without effect");
    hone_rng_seed(&r.rng, options->seed);
    size_t rounds = hone_space_sample(space, &r.rng, bases, ROUNDS);
    if (options->base && rounds) bases[0] = *options->base;
    memset(found, 0, params * sizeof *found);
    for (size_t i = 0; i < rounds && status == HONE_OK; i++)
        status = run_round(&r, bases[i], found, err);
    free(r.looks);
    free(r.choices);
    return status;
}
