#include "evaluate/filler.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "build/build_once.h"
#include "fill_rule.h"
#include "hone/strbuf.h"

extern const unsigned char hone_fill_values[], hone_fill_kernel[];

static const char entry[] = "hone_fill";

// What fill_values.h wants to know of its includer.
// clang-format off
static const char prologue[] =
    "typedef unsigned long long hone_fill_bits;\n"
    "#define HONE_FILL_FUNCTION static __device__\n"
    "static __device__ hone_fill_bits hone_fill_bits_of(double value)\n"
    "{ return (hone_fill_bits)__double_as_longlong(value); }\n"
    "static __device__ hone_fill_bits hone_fill_bits_of_single(float value)\n"
    "{ return __float_as_uint(value); }\n"
    "enum hone_fill {"
#define FILL_TEXT(name, text) " HONE_FILL_" #name ","
    HONE_FILL_LIST(FILL_TEXT)
#undef FILL_TEXT
    " HONE_FILL_COUNT };\n";
// clang-format on

// As many threads as keep memory busy, each with many elements.
enum { THREADS = 256, BLOCKS_PER_SM = 8 };

char *hone_filler_source(void)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text, "%s%s%s", prologue, (const char *)hone_fill_values,
                       (const char *)hone_fill_kernel);
    return hone_strbuf_steal(&text);
}

static enum hone_status filler_give_up(struct hone_filler *filler, const char *why)
{
    filler->given_up = true;
    hone_log(HONE_LOG_INFO, "buffers are filled by the host: %s", why);
    return HONE_OK;
}

// Not among the builds of configurations: a GPU would idle until all in front are done.
static enum hone_status filler_build(struct hone_filler *filler,
                                     const struct hone_build **out,
                                     struct hone_error *err)
{
    char *source = hone_filler_source();
    if (!source) return hone_no_memory(err, "to fill buffers");
    const struct hone_build_request request = {.source = source,
                                               .source_name = "fill_kernel.cu",
                                               .entry = entry,
                                               .arch = filler->device->limits.arch};
    enum hone_status status =
        hone_build_once(out, &request, filler->device->cuda_version, err);
    free(source);
    return status;
}

static enum hone_status filler_load(struct hone_filler *filler, struct hone_error *err)
{
    const struct hone_build *made = NULL;
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_error refused = {0};
    enum hone_status status = filler_build(filler, &made, &refused);
    if (status == HONE_ENODEVICE) return filler_give_up(filler, refused.text);
    if (status != HONE_OK) return hone_error_pass(err, status, &refused);
    const char *why = made->reason;
    if (made->outcome == HONE_VALID) {
        status = filler->device->fns->load(filler->device, made, entry, &filler->module,
                                           &fault, err);
        why = fault.reason;
    }
    if (status == HONE_OK && !filler->module) status = filler_give_up(filler, why);
    hone_build_release(made);
    return status;
}

static enum hone_status filler_launch(struct hone_filler *filler, hone_devptr data,
                                      const struct hone_job_arg *arg, uint64_t seed,
                                      struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_fill_rule rule = hone_fill_rule_of(arg, seed);
    const hone_fill_bits count = arg->count;
    const struct hone_launch how = {
        .grid = {(uint32_t)filler->device->limits.sm_count * BLOCKS_PER_SM, 1, 1},
        .block = {THREADS, 1, 1},
        .params = (const void *const[]){&data, &count, &rule},
        .param_sizes = (const size_t[]){sizeof data, sizeof count, sizeof rule},
        .param_count = 3,
        .extents = &(const struct hone_extent){.base = data,
                                               .bytes = count * rule.bytes,
                                               .name = arg->name},
        .extent_count = 1,
    };
    return filler->device->fns->launch(filler->device, filler->module, &how, fault, err);
}

// The kernel repeats what lies at the start of the buffer.
static enum hone_status copy_period(struct hone_filler *filler, hone_devptr data,
                                    const struct hone_job_arg *arg,
                                    struct hone_error *err)
{
    const size_t bytes = (size_t)arg->count * hone_dtype_size(arg->dtype);
    const size_t period = arg->data.size < bytes ? arg->data.size : bytes;
    if (arg->fill != HONE_FILL_FILE) return HONE_OK;
    return filler->device->fns->copy(filler->device, HONE_TO_DEVICE, data,
                                     (void *)(uintptr_t)arg->data.bytes, period, err);
}

static bool is_worth_it(const struct hone_filler *filler, const struct hone_job_arg *arg)
{
    return filler->device && filler->device->clock != HONE_CLOCK_EMULATED &&
           !filler->given_up && !arg->wide &&
           arg->count >= HONE_FILLER_LEAST / hone_dtype_size(arg->dtype);
}

enum hone_status hone_filler_fill(struct hone_filler *filler, hone_devptr data,
                                  const struct hone_job_arg *arg, uint64_t seed,
                                  bool *done, struct hone_error *err)
{
    struct hone_fault fault = {.outcome = HONE_VALID};
    enum hone_status status = HONE_OK;
    *done = false;
    if (!is_worth_it(filler, arg)) return HONE_OK;
    if (!filler->module) status = filler_load(filler, err);
    if (status != HONE_OK || filler->given_up) return status;
    status = copy_period(filler, data, arg, err);
    if (status == HONE_OK) status = filler_launch(filler, data, arg, seed, &fault, err);
    if (status != HONE_OK) return status;
    *done = fault.outcome == HONE_VALID;
    if (*done) return HONE_OK;
    if (fault.sticky)
        return hone_fail(err, HONE_EDEVICE, "filling '%s' on %s: %s", arg->name,
                         filler->device->id, fault.reason);
    return filler_give_up(filler, fault.reason);
}

void hone_filler_fini(struct hone_filler *filler)
{
    if (filler->module) filler->device->fns->unload(filler->device, filler->module);
    *filler = (struct hone_filler){0};
}
