// An argument of the script against a parameter of the kernel: what the PTX says of it is
// certain, what the source says makes words and may add a type.
#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "build/params.h"
#include "render/declaration.h"

struct fitting {
    const struct hone_job *job;
    struct hone_build_params params;
    struct hone_declaration declared; // of as many parameters, or none
    struct hone_misfit *misfit;
};

static bool is_float(enum hone_dtype dtype)
{
    return dtype <= HONE_E5M2;
}

static bool is_buffer(const struct hone_job_arg *arg)
{
    return arg->kind != HONE_ARG_SCALAR && arg->kind != HONE_ARG_CONSTANT &&
           !arg->map.rank;
}

static size_t given_bytes(const struct hone_job_arg *arg)
{
    if (arg->map.rank) return HONE_MAP_BYTES;
    if (is_buffer(arg)) return sizeof(uint64_t);
    const size_t element = hone_dtype_size(arg->dtype);
    return arg->kind == HONE_ARG_SCALAR ? element : (size_t)arg->count * element;
}

static const struct hone_declared_param *declared(const struct fitting *f, size_t i)
{
    return i < f->declared.count ? &f->declared.params[i] : NULL;
}

// What a script would write for that parameter; false: several things, or none.
static bool wanted(char *out, size_t size, const struct fitting *f, size_t i)
{
    const struct hone_build_param *param = &f->params.items[i];
    const struct hone_declared_param *known = declared(f, i);
    const char *type = NULL;
    const bool address = param->pointer || (known && known->pointers);
    if (address)
        snprintf(out, size, "a buffer");
    else if (known && known->type == HONE_DECLARED_ELEMENT)
        type = hone_dtype_name(known->dtype);
    else if (param->kind == HONE_PARAM_FLOAT)
        type = param->bytes == 4 ? "f32" : "f64";
    else if (param->kind == HONE_PARAM_INTEGER && param->bytes < 8)
        type = param->bytes == 4 ? "i32" : param->bytes == 2 ? "i16" : "u8";
    if (type) snprintf(out, size, "hone.%s", type);
    return address || type;
}

static void describe_param(char *out, size_t size, const struct fitting *f, size_t i)
{
    static const char *const kinds[] = {"bits", "an integer", "a floating number",
                                        "a struct"};
    const struct hone_build_param *param = &f->params.items[i];
    const struct hone_declared_param *known = declared(f, i);
    if (known && known->text[0])
        snprintf(out, size, "'%s', %zu bytes", known->text, param->bytes);
    else
        snprintf(out, size, "%s of %zu bytes", kinds[param->kind], param->bytes);
}

static void describe_arg(char *out, size_t size, const struct hone_job_arg *arg)
{
    const char *dtype = hone_dtype_name(arg->dtype);
    if (arg->map.rank)
        snprintf(out, size, "a tensor map, %zu bytes aligned to 64", given_bytes(arg));
    else if (arg->kind == HONE_ARG_SCALAR)
        snprintf(out, size, "hone.%s, %zu bytes", dtype, given_bytes(arg));
    else if (arg->kind == HONE_ARG_CONSTANT)
        snprintf(out, size, "hone.constant of %llu %s, %zu bytes",
                 (unsigned long long)arg->count, dtype, given_bytes(arg));
    else
        snprintf(out, size, "hone.%s of %s", hone_arg_kind_name(arg->kind), dtype);
}

static bool is_fixed(const struct fitting *f)
{
    return f->declared.count && !f->declared.varies;
}

// why is a sentence's end: what to do about it.
static bool refuse(const struct fitting *f, const struct hone_job_arg *arg, size_t i,
                   const char *why)
{
    char given[96], taken[128];
    struct hone_misfit *misfit = f->misfit;
    describe_arg(given, sizeof given, arg);
    describe_param(taken, sizeof taken, f, i);
    misfit->line = arg->line;
    misfit->fixed = is_fixed(f) && arg->kind != HONE_ARG_CONSTANT;
    snprintf(misfit->text, sizeof misfit->text,
             "argument %zu '%.60s' is %s; parameter %zu of '%.60s' is %s%s%s", i + 1,
             arg->name, given, i + 1, f->job->entry, taken, *why ? ": " : "", why);
    return false;
}

static bool refuse_for_size(const struct fitting *f, const struct hone_job_arg *arg,
                            size_t i)
{
    char better[32], why[96] = "";
    if (wanted(better, sizeof better, f, i))
        snprintf(why, sizeof why, "use %s, or the order differs", better);
    return refuse(f, arg, i, why);
}

static bool fits_scalar(const struct fitting *f, const struct hone_job_arg *arg, size_t i)
{
    const struct hone_build_param *param = &f->params.items[i];
    const struct hone_declared_param *known = declared(f, i);
    const bool whole = !is_float(arg->dtype);
    const bool null = whole && arg->value.type == HONE_INT && arg->value.i == 0;
    const bool wide = hone_dtype_size(arg->dtype) >= 4;
    if ((param->pointer || (known && known->pointers)) && !null)
        return refuse(f, arg, i, "it takes an address: use hone.input or hone.output");
    if (wide && whole && param->kind == HONE_PARAM_FLOAT)
        return refuse_for_size(f, arg, i);
    if (wide && !whole && param->kind == HONE_PARAM_INTEGER)
        return refuse_for_size(f, arg, i);
    return true;
}

// Words hold whatever bits a kernel wants: bytes, and unsigned ones of any size.
static bool holds_bits(enum hone_dtype dtype)
{
    return !is_float(dtype) && (hone_dtype_size(dtype) == 1 || dtype == HONE_U16 ||
                                dtype == HONE_U32 || dtype == HONE_U64);
}

// Narrow elements are often taken in wider words, and as other bits of the same size. Of
// 4 and 8 bytes one kind is not taken as the other, nor a half as one of other formats;
// float and double pack nothing: their vectors do, which have no element here.
static bool may_take(enum hone_dtype taken, enum hone_dtype given)
{
    const size_t width = hone_dtype_size(taken), bytes = hone_dtype_size(given);
    if (taken == given || holds_bits(taken)) return true;
    if (is_float(taken) && is_float(given) && width != bytes && width >= 4) return false;
    if (bytes != width) return bytes < width && (bytes < 4 || !is_float(taken));
    if (is_float(taken) != is_float(given)) return bytes < 4;
    return !is_float(taken) || bytes == 1;
}

static bool fits_elements(const struct fitting *f, const struct hone_job_arg *arg,
                          size_t i)
{
    const struct hone_declared_param *known = declared(f, i);
    if (!known || known->type != HONE_DECLARED_ELEMENT || known->pointers != 1 ||
        arg->pointers || may_take(known->dtype, arg->dtype))
        return true;
    char why[96];
    snprintf(why, sizeof why,
             "give the buffer %s, or let the kernel take its type or void *",
             hone_dtype_name(known->dtype));
    return refuse(f, arg, i, why);
}

static bool fits_one(const struct fitting *f, const struct hone_job_arg *arg, size_t i)
{
    const struct hone_build_param *param = &f->params.items[i];
    if (param->bytes != given_bytes(arg)) return refuse_for_size(f, arg, i);
    if (arg->map.rank && param->align < 64)
        return refuse(f, arg, i, "declare it const __grid_constant__ CUtensorMap");
    if (arg->map.rank || arg->kind == HONE_ARG_CONSTANT) return true;
    if (arg->kind == HONE_ARG_SCALAR) return fits_scalar(f, arg, i);
    if (param->kind == HONE_PARAM_FLOAT) return refuse_for_size(f, arg, i);
    return fits_elements(f, arg, i);
}

static const struct hone_job_arg *next_param(const struct hone_job *job, size_t *at)
{
    while (*at < job->arg_count && job->args[*at].kind == HONE_ARG_SYMBOL)
        ++*at;
    return *at < job->arg_count ? &job->args[(*at)++] : NULL;
}

// Where the two lists part is most likely where one is missing.
static bool refuse_count(const struct fitting *f, size_t count)
{
    char list[256] = "", first[128] = "";
    size_t at = 0, i = 0;
    struct hone_misfit *misfit = f->misfit;
    const struct hone_job_arg *arg = next_param(f->job, &at), *last = arg;
    for (; arg && i < f->params.count && fits_one(f, arg, i); i++) {
        last = arg;
        arg = next_param(f->job, &at);
    }
    if (i < f->params.count) describe_param(first, sizeof first, f, i);
    if (!arg)
        snprintf(list, sizeof list, "parameter %zu, %s, gets none", i + 1, first);
    else if (i == f->params.count)
        snprintf(list, sizeof list, "argument %zu '%.60s' is too many", i + 1, arg->name);
    else
        snprintf(list, sizeof list, "they part at argument %zu '%.40s' and %s", i + 1,
                 arg->name, first);
    *misfit = (struct hone_misfit){.line = arg    ? arg->line
                                           : last ? last->line
                                                  : 0,
                                   .fixed = is_fixed(f)};
    snprintf(misfit->text, sizeof misfit->text, "%zu arguments, '%.60s' takes %zu: %s",
             count, f->job->entry, f->params.count, list);
    return false;
}

// Two readings of one kernel must agree; else neither is trusted.
static bool read_kernel(struct fitting *f, const struct hone_build *build)
{
    const char *entry = f->job->entry;
    if (!hone_build_params(&f->params, build, entry)) return false;
    const bool told = hone_declaration_of_mangled(&f->declared, entry) ||
                      hone_declaration_find(&f->declared, f->job->source, entry);
    if (!told) f->declared.count = 0;
    return !told || f->declared.count == f->params.count;
}

bool hone_arguments_fit(const struct hone_build *build, const struct hone_job *job,
                        struct hone_misfit *misfit)
{
    struct fitting f = {.job = job, .misfit = misfit};
    *misfit = (struct hone_misfit){0};
    if (!job->source || !read_kernel(&f, build)) return true;
    size_t at = 0, count = 0;
    while (next_param(job, &at))
        count++;
    if (count != f.params.count) return refuse_count(&f, count);
    at = 0;
    for (size_t i = 0; i < count; i++)
        if (!fits_one(&f, next_param(job, &at), i)) return false;
    return true;
}
