#include "evaluate/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"

// Draws that fail in a row until what was found is all there is.
enum { PATIENCE = 2000 };

// Configurations of which one must be allowed at a size: else nothing would run there.
enum { PROBES = 16 };

// As many are asked, one after the other, before it is said of a size that the script
// names that none is allowed there.
enum { ASKED_MOST = 20000 };

struct drawer {
    const struct hone_kernel *kernel;
    const struct hone_kernel_def *def;
    struct hone_rng rng;
    uint64_t probes[PROBES];
    size_t probe_count;
    struct hone_sizes *sizes;
};

// --- one value ---

// Both ends and their neighbours, where loops begin and end.
static double draw_edge(struct hone_rng *rng, double low, double high)
{
    const double edges[] = {low, low + 1, high - 1, high};
    return edges[hone_rng_below(rng, 4)];
}

static double draw_log(struct hone_rng *rng, double low, double high)
{
    const double from = fmax(low, 1);
    if (high <= from) return low + floor(hone_rng_double(rng) * (high - low + 1));
    return floor(from * exp(hone_rng_double(rng) * log((high + 1) / from)));
}

// A power of two, or a multiple of what tiles measure, or next to it.
static double draw_round(struct hone_rng *rng, double low, double high, bool power)
{
    static const double tiles[] = {8, 16, 24, 32, 48, 64, 96, 128};
    const double near = draw_log(rng, low, high);
    const double off = (double)hone_rng_below(rng, 3) - 1;
    const double tile = tiles[hone_rng_below(rng, sizeof tiles / sizeof *tiles)];
    if (power) return (near >= 1 ? exp2(round(log2(near))) : 1) + off;
    return fmax(round(near / tile), 1) * tile + off;
}

static double draw_near(struct hone_rng *rng, double low, double high)
{
    switch (hone_rng_below(rng, 4)) {
    case 0:
        return draw_edge(rng, low, high);
    case 1:
        return draw_round(rng, low, high, true);
    case 2:
        return draw_round(rng, low, high, false);
    default:
        return draw_log(rng, low, high);
    }
}

// The number of one of the choices. The first tries take both corners.
static uint64_t draw_number(struct hone_rng *rng, const struct hone_draw_choice *choice,
                            size_t attempt)
{
    const uint64_t last = choice->count - 1;
    if (attempt < 2) return attempt ? last : 0;
    if (choice->values) return hone_rng_below(rng, choice->count);
    const double low = (double)choice->first, step = (double)choice->step;
    const double wanted = draw_near(rng, low, low + (double)last * step);
    const double number = round((wanted - low) / step);
    return number <= 0 ? 0 : number >= (double)last ? last : (uint64_t)number;
}

static struct hone_value value_of(const struct hone_draw_choice *choice, uint64_t number)
{
    if (choice->values) return choice->values[number];
    return (struct hone_value){.type = HONE_INT,
                               .i = choice->first + (int64_t)number * choice->step};
}

// --- one size ---

static bool is_new(const struct drawer *drawer, const struct hone_value *values)
{
    const size_t width = drawer->def->problem_count;
    for (size_t i = 0; i < drawer->sizes->count; i++) {
        size_t same = 0;
        while (same < width &&
               hone_value_same(drawer->sizes->problems[i].values[same], values[same]))
            same++;
        if (same == width) return false;
    }
    return true;
}

static enum hone_status is_allowed(const struct drawer *drawer,
                                   const struct hone_value *values, bool *allowed,
                                   struct hone_error *err)
{
    const struct hone_problem problem = {values};
    enum hone_status status = HONE_OK;
    *allowed = false;
    for (size_t i = 0; status == HONE_OK && !*allowed && i < drawer->probe_count; i++)
        status =
            hone_kernel_allows(drawer->kernel, drawer->probes[i], &problem, allowed, err);
    return status;
}

static void draw_values(struct drawer *drawer, const struct hone_draw *draw,
                        size_t attempt, struct hone_value *out)
{
    for (size_t i = 0; i < drawer->def->problem_count; i++) {
        const struct hone_draw_choice *choice = &draw->choices[i];
        out[i] = value_of(choice, draw_number(&drawer->rng, choice, attempt));
    }
}

static enum hone_status draw_all(struct drawer *drawer, const struct hone_draw *draw,
                                 struct hone_error *err)
{
    struct hone_sizes *sizes = drawer->sizes;
    const size_t width = drawer->def->problem_count, before = sizes->count;
    size_t failed = 0;
    for (size_t i = 0; sizes->count < before + draw->count && failed < PATIENCE; i++) {
        struct hone_value *values = sizes->values + (sizes->count - sizes->named) * width;
        bool allowed = false;
        draw_values(drawer, draw, i, values);
        enum hone_status status =
            is_new(drawer, values) ? is_allowed(drawer, values, &allowed, err) : HONE_OK;
        if (status != HONE_OK) return status;
        failed = allowed ? 0 : failed + 1;
        if (allowed) sizes->problems[sizes->count++].values = values;
    }
    if (sizes->count > before) return HONE_OK;
    return hone_fail_at(err, HONE_EINPUT, drawer->def->source, draw->line,
                        "verify draws sizes from ranges in which there is none that the "
                        "constraints allow and that it does not name itself");
}

// --- all of them ---

// Where it stands in the space.
static enum hone_status probe_default(struct drawer *drawer, struct hone_error *err)
{
    const struct hone_space *space = hone_kernel_space(drawer->kernel);
    const size_t params = drawer->def->space.param_count;
    bool known = drawer->def->defaults;
    uint64_t index;
    if (!known) return HONE_OK;
    uint16_t *choices = calloc(params + 1, sizeof *choices);
    if (!choices) return hone_no_memory(err, "for the default configuration");
    for (size_t i = 0; known && i < params; i++)
        known = hone_space_choice_of(space, i, drawer->def->defaults[i], &choices[i]) ==
                HONE_OK;
    if (known && hone_space_index(space, choices, &index) == HONE_OK)
        drawer->probes[drawer->probe_count++] = index;
    free(choices);
    return HONE_OK;
}

// By random numbers of their own: how many there are changes nothing of what is drawn.
static enum hone_status choose_probes(struct drawer *drawer, uint64_t seed,
                                      struct hone_error *err)
{
    struct hone_rng rng;
    enum hone_status status = probe_default(drawer, err);
    if (status != HONE_OK) return status;
    hone_rng_seed(&rng, seed);
    drawer->probe_count += hone_space_sample(hone_kernel_space(drawer->kernel), &rng,
                                             drawer->probes + drawer->probe_count,
                                             PROBES - drawer->probe_count);
    return HONE_OK;
}

static void take_given(struct hone_sizes *sizes, size_t width,
                       const struct hone_evaluate_options *options)
{
    const size_t values = options->drawn_sizes * width;
    if (values) memcpy(sizes->values, options->drawn, values * sizeof *sizes->values);
    for (size_t i = 0; i < options->drawn_sizes; i++)
        sizes->problems[sizes->count++].values = sizes->values + i * width;
}

// A larger space than is asked whole is taken to have one.
static enum hone_status ask_all(const struct drawer *drawer,
                                const struct hone_problem *problem, bool *allowed,
                                struct hone_error *err)
{
    const uint64_t count = hone_space_count(hone_kernel_space(drawer->kernel));
    enum hone_status status = HONE_OK;
    *allowed = count > ASKED_MOST;
    for (uint64_t i = 0; status == HONE_OK && !*allowed && i < count; i++)
        status = hone_kernel_allows(drawer->kernel, i, problem, allowed, err);
    return status;
}

static enum hone_status check_named(const struct drawer *drawer, struct hone_error *err)
{
    const struct hone_kernel_def *def = drawer->def;
    for (size_t i = 0; i < def->verify_count; i++) {
        char where[256];
        bool allowed = false;
        enum hone_status status =
            is_allowed(drawer, def->verify[i].values, &allowed, err);
        if (status == HONE_OK && !allowed)
            status = ask_all(drawer, &def->verify[i], &allowed, err);
        if (status != HONE_OK) return status;
        if (allowed) continue;
        hone_problem_describe(where, sizeof where, def, &def->verify[i]);
        return hone_fail_at(err, HONE_EINPUT, def->source, def->verify_line,
                            "verify names %s, where the constraints allow no "
                            "configuration: name a size that they allow, or say what "
                            "they forbid otherwise",
                            where);
    }
    return HONE_OK;
}

static enum hone_status draw_sizes(struct drawer *drawer, uint64_t seed,
                                   struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    hone_rng_seed(&drawer->rng, seed);
    for (size_t i = 0; status == HONE_OK && i < drawer->def->draw_count; i++)
        status = draw_all(drawer, &drawer->def->draws[i], err);
    return status;
}

enum hone_status hone_sizes_init(struct hone_sizes *sizes,
                                 const struct hone_kernel *kernel,
                                 const struct hone_evaluate_options *options,
                                 struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    struct drawer drawer = {.kernel = kernel, .def = def, .sizes = sizes};
    size_t most = options->drawn ? options->drawn_sizes : 0;
    for (size_t i = 0; !options->drawn && i < def->draw_count; i++)
        most += def->draws[i].count;
    *sizes = (struct hone_sizes){.named = def->verify_count};
    sizes->problems = calloc(def->verify_count + most + 1, sizeof *sizes->problems);
    sizes->values = calloc((most + 1) * (def->problem_count + 1), sizeof *sizes->values);
    enum hone_status status = HONE_OK;
    if (!sizes->problems || !sizes->values)
        status = hone_no_memory(err, "for the sizes to verify at");
    for (size_t i = 0; status == HONE_OK && i < def->verify_count; i++)
        sizes->problems[sizes->count++] = def->verify[i];
    if (status == HONE_OK && (def->verify_count || def->draw_count)) {
        status = choose_probes(&drawer, options->data_seed, err);
        if (status == HONE_OK) status = check_named(&drawer, err);
    }
    if (status == HONE_OK && options->drawn)
        take_given(sizes, def->problem_count, options);
    else if (status == HONE_OK)
        status = draw_sizes(&drawer, options->data_seed, err);
    if (status != HONE_OK) hone_sizes_fini(sizes);
    return status;
}

void hone_problem_describe(char *out, size_t size, const struct hone_kernel_def *def,
                           const struct hone_problem *problem)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < def->problem_count; i++) {
        char value[32];
        hone_value_print(value, sizeof value,
                         problem ? problem->values[i] : def->space.constants[i].value);
        const int n = snprintf(out + used, size - used, "%s%s=%s", i ? " " : "",
                               def->space.constants[i].name, value);
        if (n < 0 || used + (size_t)n >= size) break;
        used += (size_t)n;
    }
}

void hone_sizes_fini(struct hone_sizes *sizes)
{
    free(sizes->problems);
    free(sizes->values);
    *sizes = (struct hone_sizes){0};
}

enum hone_status hone_evaluate_sizes(const struct hone_kernel *kernel,
                                     const struct hone_evaluate_options *options,
                                     struct hone_size_counts *counts,
                                     struct hone_value **values, struct hone_error *err)
{
    struct hone_sizes sizes;
    if (values) *values = NULL;
    enum hone_status status = hone_sizes_init(&sizes, kernel, options, err);
    if (status != HONE_OK) return status;
    if (values) {
        *values = sizes.values;
        sizes.values = NULL;
    }
    *counts = (struct hone_size_counts){sizes.named, sizes.count - sizes.named};
    hone_sizes_fini(&sizes);
    return HONE_OK;
}
