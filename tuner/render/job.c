// From a configuration and a problem to a job: the values of all names first, then
// geometry (geometry.c), arguments and figures by formulas over them, then the source.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/value_text.h"
#include "hone/strbuf.h"
#include "maker.h"
#include "tolerance.h"

enum hone_status hone_formula_eval(const struct hone_kernel *kernel,
                                   const struct hone_formula *formula,
                                   const struct hone_value *slots, struct hone_value *out,
                                   struct hone_error *err)
{
    struct hone_error inner = {0};
    enum hone_status status = hone_expr_eval(formula->expr, slots, out, NULL, &inner);
    if (status == HONE_OK) return HONE_OK;
    return hone_fail_at(err, status, kernel->def.source, formula->line, "%s '%s': %s",
                        formula->what, hone_expr_text(formula->expr), inner.text);
}

enum hone_status hone_maker_refuse(const struct hone_maker *maker,
                                   const struct hone_formula *formula,
                                   struct hone_value value, const char *wanted)
{
    char number[HONE_NUMBER_TEXT], origin[128];
    hone_formula_origin(origin, sizeof origin, maker->kernel, formula);
    return hone_fail_at(maker->err, HONE_EINPUT, maker->kernel->def.source, formula->line,
                        "%s '%s'%s is %s, must be %s", formula->what,
                        hone_expr_text(formula->expr), origin,
                        hone_value_in_full(number, value), wanted);
}

enum hone_status hone_maker_count(const struct hone_maker *maker,
                                  const struct hone_formula *formula, int64_t least,
                                  int64_t limit, int64_t *out)
{
    struct hone_value value;
    enum hone_status status =
        hone_formula_eval(maker->kernel, formula, maker->slots, &value, maker->err);
    if (status != HONE_OK) return status;
    const bool whole = hone_value_to_int(value, out);
    if (whole && *out >= least && *out <= limit) return HONE_OK;
    char wanted[320], way_out[256] = "";
    *maker->too_large = whole && *out > limit;
    if (!*maker->too_large)
        hone_formula_way_out(way_out, sizeof way_out, maker->kernel, formula);
    snprintf(wanted, sizeof wanted, "an integer in %lld .. %lld%s", (long long)least,
             (long long)limit, way_out);
    return hone_maker_refuse(maker, formula, value, wanted);
}

enum hone_status hone_maker_number(const struct hone_maker *maker,
                                   const struct hone_formula *formula, double fallback,
                                   double *out)
{
    *out = fallback;
    if (!formula->expr) return HONE_OK;
    struct hone_value value;
    enum hone_status status =
        hone_formula_eval(maker->kernel, formula, maker->slots, &value, maker->err);
    if (status != HONE_OK) return status;
    if (hone_value_to_double(value, out) && isfinite(*out) && *out >= 0) return HONE_OK;
    return hone_maker_refuse(maker, formula, value, "a finite number, not negative");
}

// false for a floating type; else its range, as far as int64_t goes.
static bool integer_range(enum hone_dtype dtype, int64_t *low, int64_t *high)
{
    const char *name = hone_dtype_name(dtype);
    if (name[0] != 'i' && name[0] != 'u') return false;
    unsigned bits = (unsigned)hone_dtype_size(dtype) * 8 - (name[0] == 'i');
    *high = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    *low = name[0] == 'i' ? -*high - 1 : 0;
    return true;
}

static enum hone_status make_scalar(const struct hone_maker *maker,
                                    const struct hone_formula *formula,
                                    struct hone_job_arg *arg)
{
    int64_t low, high;
    if (integer_range(arg->dtype, &low, &high)) {
        arg->value.type = HONE_INT;
        enum hone_status whole =
            hone_maker_count(maker, formula, low, high, &arg->value.i);
        *maker->too_large = false; // the limit is the type's that the script chose
        return whole;
    }
    struct hone_value value;
    enum hone_status status =
        hone_formula_eval(maker->kernel, formula, maker->slots, &value, maker->err);
    if (status != HONE_OK) return status;
    arg->value.type = HONE_FLOAT;
    if (hone_value_to_double(value, &arg->value.f)) return HONE_OK;
    return hone_maker_refuse(maker, formula, value, "a number");
}

static enum hone_status make_count(const struct hone_maker *maker,
                                   const struct hone_formula *formula,
                                   struct hone_job_arg *arg)
{
    const int64_t limit = INT64_MAX / (int64_t)hone_dtype_size(arg->dtype);
    const bool workspace = arg->kind == HONE_ARG_WORKSPACE;
    if (workspace && maker->is_reference) return HONE_OK; // it may depend on parameters
    int64_t count;
    enum hone_status status =
        hone_maker_count(maker, formula, workspace ? 0 : 1, limit, &count);
    if (status == HONE_OK) arg->count = (uint64_t)count;
    return status;
}

static enum hone_status make_pointers(const struct hone_maker *maker,
                                      const struct hone_formula *formula,
                                      struct hone_job_arg *arg)
{
    int64_t count;
    if (!formula->expr) return HONE_OK;
    enum hone_status status = hone_maker_count(maker, formula, 1, INT32_MAX, &count);
    if (status == HONE_OK) arg->pointers = (uint64_t)count;
    return status;
}

// One axis: its size and box, and how far its elements lie apart.
static enum hone_status make_axis_of_map(const struct hone_maker *maker,
                                         const struct hone_map_formulas *formulas,
                                         uint32_t i, struct hone_tensor_map *map)
{
    int64_t size, box, stride = 0;
    const int64_t element = (int64_t)map->stride_bytes[0];
    const int64_t most = INT64_C(1) << 32;
    enum hone_status status = hone_maker_count(maker, &formulas->size[i], 1, most, &size);
    if (status == HONE_OK)
        status = hone_maker_count(maker, &formulas->box[i], 1, most, &box);
    if (status == HONE_OK && formulas->stride[i].expr)
        status =
            hone_maker_count(maker, &formulas->stride[i], 1, INT64_C(1) << 40, &stride);
    if (status != HONE_OK) return status;
    map->size[i] = (uint64_t)size;
    map->box[i] = box < UINT32_MAX ? (uint32_t)box : UINT32_MAX;
    if (stride)
        map->stride_bytes[i] = (uint64_t)(stride * element);
    else if (i)
        map->stride_bytes[i] = map->stride_bytes[i - 1] * map->size[i - 1];
    return HONE_OK;
}

static enum hone_status make_map(const struct hone_maker *maker,
                                 const struct hone_map_formulas *formulas,
                                 const struct hone_arg_def *def, struct hone_job_arg *arg)
{
    char why[128];
    struct hone_tensor_map *map = &arg->map;
    if (!def->map || maker->is_reference) return HONE_OK;
    *map = (struct hone_tensor_map){.rank = (uint32_t)def->map->rank,
                                    .type = hone_map_type(hone_dtype_name(arg->dtype)),
                                    .stride_bytes = {hone_dtype_size(arg->dtype)},
                                    .modes = def->map->modes};
    for (uint32_t i = 0; i < map->rank; i++) {
        enum hone_status status = make_axis_of_map(maker, formulas, i, map);
        if (status != HONE_OK) return status;
    }
    if (hone_map_check(map, why, sizeof why)) return HONE_OK;
    *maker->too_large = true;
    return hone_fail_at(maker->err, HONE_EINPUT, maker->kernel->def.source, def->line,
                        "tensor map of argument '%s' has %s", def->name, why);
}

// Integers stay as they are: a double has nothing to add.
static void widen(struct hone_job_arg *arg)
{
    int64_t low, high;
    if (integer_range(arg->dtype, &low, &high) || arg->dtype == HONE_F64) return;
    arg->wide = true;
    arg->narrow = arg->dtype;
    arg->dtype = HONE_F64;
}

static enum hone_status make_args(const struct hone_maker *maker)
{
    const struct hone_kernel_def *def = &maker->kernel->def;
    struct hone_job_arg *args =
        hone_arena_array(maker->arena, def->arg_count, sizeof *args);
    if (!args) return hone_no_memory(maker->err, "making a job");
    for (size_t i = 0; i < def->arg_count; i++) {
        const struct hone_formula *formula = &maker->kernel->args[i];
        args[i] = (struct hone_job_arg){
            .name = hone_arena_strdup(maker->arena, def->args[i].name),
            .kind = def->args[i].kind,
            .dtype = def->args[i].dtype,
            .fill = def->args[i].fill,
            .early = def->args[i].early,
            .line = def->args[i].line,
            .data = def->args[i].data};
        if (maker->is_reference && def->reference.wide) widen(&args[i]);
        enum hone_status status = args[i].kind == HONE_ARG_SCALAR
                                      ? make_scalar(maker, formula, &args[i])
                                      : make_count(maker, formula, &args[i]);
        if (status == HONE_OK)
            status = make_pointers(maker, &maker->kernel->pointers[i], &args[i]);
        if (status == HONE_OK)
            status = make_map(maker, &maker->kernel->maps[i], &def->args[i], &args[i]);
        // the kernel's, and it may depend on parameters
        args[i].bounded = def->args[i].tolerance && !maker->is_reference;
        if (status == HONE_OK && args[i].bounded)
            status = hone_tolerance_make(maker, &maker->kernel->tolerances[i],
                                         &args[i].tolerance);
        if (status != HONE_OK) return status;
        if (!args[i].name) return hone_no_memory(maker->err, "making a job");
    }
    maker->job->args = args;
    maker->job->arg_count = def->arg_count;
    return HONE_OK;
}

static enum hone_status make_figures(const struct hone_maker *maker)
{
    const struct hone_kernel *kernel = maker->kernel;
    struct hone_job *job = maker->job;
    enum hone_status status =
        hone_tolerance_make(maker, &kernel->tolerance, &job->tolerance);
    if (status == HONE_OK)
        status = hone_maker_number(maker, &kernel->flops, NAN, &job->flops);
    if (status == HONE_OK)
        status = hone_maker_number(maker, &kernel->bytes, NAN, &job->bytes);
    return status;
}

// Numbers that no configuration and no problem changes are refused before any is chosen.
enum hone_status hone_figures_check(const struct hone_kernel *kernel,
                                    struct hone_error *err)
{
    bool too_large;
    const struct hone_maker maker = {
        .kernel = kernel, .too_large = &too_large, .err = err};
    enum hone_status status = hone_tolerance_check(&maker, &kernel->tolerance);
    for (size_t i = 0; i < kernel->def.arg_count && status == HONE_OK; i++)
        status = hone_tolerance_check(&maker, &kernel->tolerances[i]);
    double number;
    if (status == HONE_OK && hone_formula_is_fixed(&kernel->flops))
        status = hone_maker_number(&maker, &kernel->flops, 0, &number);
    if (status == HONE_OK && hone_formula_is_fixed(&kernel->bytes))
        status = hone_maker_number(&maker, &kernel->bytes, 0, &number);
    return status;
}

static enum hone_status job_make_options(const struct hone_maker *maker)
{
    const struct hone_kernel_def *def = &maker->kernel->def;
    const char **options =
        hone_arena_array(maker->arena, def->option_count, sizeof *options);
    if (!options) return hone_no_memory(maker->err, "making a job");
    for (size_t i = 0; i < def->option_count; i++) {
        options[i] = hone_arena_strdup(maker->arena, def->options[i]);
        if (!options[i]) return hone_no_memory(maker->err, "making a job");
    }
    maker->job->options = options;
    maker->job->option_count = def->option_count;
    return HONE_OK;
}

// Booleans become 0 and 1, so that #if can test them; strings stand as they are, so that
// a parameter can name a type or a function.
static void add_define(struct hone_strbuf *out, const char *name, struct hone_value value)
{
    if (value.type == HONE_BOOL)
        value = (struct hone_value){.type = HONE_INT, .i = value.b};
    char number[HONE_NUMBER_TEXT];
    hone_strbuf_printf(out, "#define %s %s\n", name, hone_value_in_full(number, value));
}

static enum hone_status make_source(const struct hone_maker *maker,
                                    const struct hone_template *template,
                                    size_t param_count, const char *entry)
{
    const struct hone_kernel_def *def = &maker->kernel->def;
    struct hone_strbuf out = HONE_STRBUF_INIT;
    if (maker->is_reference && def->reference.wide)
        hone_strbuf_add(&out, "#define HONE_REAL double\n");
    for (size_t i = 0; i < param_count; i++)
        add_define(&out, def->space.params[i].name, maker->slots[i]);
    for (size_t i = 0; i < def->define_count; i++)
        for (size_t j = 0; j < def->problem_count; j++)
            if (strcmp(def->space.constants[j].name, def->defines[i]) == 0)
                add_define(&out, def->defines[i],
                           maker->slots[maker->kernel->first_constant + j]);
    hone_strbuf_add(&out, template->text);
    maker->job->source = hone_strbuf_steal(&out);
    maker->job->headers = template->headers;
    maker->job->header_count = template->header_count;
    maker->job->source_name = hone_arena_strdup(maker->arena, template->name);
    maker->job->entry = hone_arena_strdup(maker->arena, entry);
    maker->job->script = def->source; // the kernel's, as headers are
    if (!maker->job->source || !maker->job->source_name || !maker->job->entry)
        return hone_no_memory(maker->err, "making a job");
    return HONE_OK;
}

static void set_constants(const struct hone_maker *maker,
                          const struct hone_problem *problem)
{
    const struct hone_kernel_def *def = &maker->kernel->def;
    struct hone_value *constants = maker->slots + maker->kernel->first_constant;
    for (size_t i = 0; i < def->space.constant_count; i++)
        constants[i] = def->space.constants[i].value;
    for (size_t i = 0; problem && i < def->problem_count; i++)
        constants[i] = problem->values[i];
}

// Parameters from the space; what depends on the problem is worked out here.
static enum hone_status fill_slots(const struct hone_maker *maker, uint64_t index,
                                   const struct hone_problem *problem)
{
    const struct hone_kernel *kernel = maker->kernel;
    const struct hone_space_def *space = &kernel->def.space;
    uint16_t *choices =
        hone_arena_array(maker->arena, space->param_count, sizeof *choices);
    if (!choices) return hone_no_memory(maker->err, "making a job");
    hone_space_choices(kernel->space, index, choices);
    for (size_t i = 0; i < space->param_count; i++)
        maker->slots[i] = space->params[i].values[choices[i]];
    set_constants(maker, problem);
    for (size_t i = 0; i < space->derived_count; i++) {
        size_t d = kernel->derived_order[i];
        enum hone_status status =
            hone_formula_eval(kernel, &kernel->derived[d], maker->slots,
                              &maker->slots[space->param_count + d], maker->err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

static enum hone_status job_start(struct hone_maker *maker, struct hone_job *job,
                                  const struct hone_kernel *kernel, bool *too_large,
                                  struct hone_error *err)
{
    *job = (struct hone_job){.flops = NAN, .bytes = NAN};
    *maker = (struct hone_maker){
        .kernel = kernel, .job = job, .too_large = too_large, .err = err};
    maker->arena = job->memory = calloc(1, sizeof *maker->arena);
    if (!maker->arena) return hone_no_memory(err, "making a job");
    maker->slots =
        hone_arena_array(maker->arena, kernel->name_count, sizeof *maker->slots);
    return maker->slots ? HONE_OK : hone_no_memory(err, "making a job");
}

static enum hone_status job_finish(struct hone_job *job, enum hone_status status)
{
    if (status != HONE_OK) hone_job_fini(job);
    return status;
}

enum hone_status hone_kernel_job(struct hone_job *out, const struct hone_kernel *kernel,
                                 uint64_t index, const struct hone_problem *problem,
                                 struct hone_error *err)
{
    struct hone_maker maker;
    bool too_large = false;
    enum hone_status status = job_start(&maker, out, kernel, &too_large, err);
    if (status == HONE_OK) status = fill_slots(&maker, index, problem);
    if (status == HONE_OK)
        status = hone_maker_geometry(&maker, &kernel->launch, kernel->def.launch.flags);
    if (status == HONE_OK) status = make_args(&maker);
    if (status == HONE_OK) status = make_figures(&maker);
    if (status == HONE_OK) status = job_make_options(&maker);
    if (status == HONE_OK)
        status = make_source(&maker, &kernel->template, kernel->def.space.param_count,
                             kernel->def.entry);
    if (status == HONE_EINPUT && !too_large) status = HONE_EUSAGE;
    return job_finish(out, status);
}

enum hone_status hone_kernel_reference_job(struct hone_job *out,
                                           const struct hone_kernel *kernel,
                                           const struct hone_problem *problem,
                                           struct hone_error *err)
{
    *out = (struct hone_job){0};
    if (!kernel->def.reference.template_path)
        return hone_fail(err, HONE_ENOTFOUND, "kernel '%s' has no reference",
                         kernel->def.name);
    struct hone_maker maker;
    bool too_large = false;
    enum hone_status status = job_start(&maker, out, kernel, &too_large, err);
    maker.is_reference = true;
    if (status == HONE_OK) {
        set_constants(&maker, problem);
        status = hone_maker_geometry(&maker, &kernel->reference_launch,
                                     kernel->def.reference.launch.flags);
    }
    if (status == HONE_OK) status = make_args(&maker);
    if (status == HONE_OK) status = job_make_options(&maker);
    if (status == HONE_OK)
        status = make_source(&maker, &kernel->reference, 0, kernel->def.reference.entry);
    return job_finish(out, status);
}

bool hone_job_is_wide(const struct hone_job *job)
{
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->args[i].wide) return true;
    return false;
}

const struct hone_tolerance *hone_job_tolerance(const struct hone_job *job,
                                                const char *output)
{
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->args[i].bounded && strcmp(job->args[i].name, output) == 0)
            return &job->args[i].tolerance;
    return &job->tolerance;
}

void hone_job_share_source(struct hone_job *job, const struct hone_job *first)
{
    if (job->borrows || strcmp(job->source, first->source) != 0) return;
    free(job->source);
    job->source = first->source;
    job->borrows = true;
}

void hone_job_fini(struct hone_job *job)
{
    if (!job->borrows) free(job->source);
    if (job->memory) hone_arena_fini(job->memory);
    free(job->memory);
    *job = (struct hone_job){0};
}
