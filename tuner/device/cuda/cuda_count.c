// What the counters of a GPU show of a launch. CUPTI replays nothing by itself: the range
// is launched here, once a pass, on the same data and on an L2 as empty as that of times.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "counter_plan.h"
#include "cuda_internal.h"
#include "cupti_clock.h"
#include "cupti_target.h"
#include "flush.h"

// CUPTI itself says when it has enough; a profiler that never has must end, too.
enum { PASSES_MORE = 8 };

struct counting {
    struct hone_device *dev;
    struct hone_module *module;
    const struct hone_launch *launch;
    const struct hone_count_policy *policy;
    struct hone_fault *fault;
    const struct hone_cupti_target *calls;
    struct hone_counter_planner planner;
    struct hone_counter_plan plan;
    struct hone_cupti_profiler *profiler;
    bool initialized;
    uint8_t *available, *data;
    size_t data_bytes;
    const char **names;
    double *values;
};

#define PARAMS(type, last, ...)                                                          \
    {                                                                                    \
        .size = HONE_CUPTI_SIZE(struct type, last), __VA_ARGS__                          \
    }

// Everything that CUPTI refuses is this launch's fault, never the run's end.
static bool is_fine(const struct counting *c)
{
    return c->fault->outcome == HONE_VALID;
}

static void give_up(const struct counting *c, const char *why)
{
    if (!is_fine(c)) return;
    c->fault->outcome = HONE_LAUNCH_FAILED;
    snprintf(c->fault->reason, sizeof c->fault->reason, "%s", why);
}

static const char *way_out(int result)
{
    switch (result) {
    case 26:
        return ": another profiler has the counters, perhaps DCGM: `dcgmi profpause`, or "
               "end it";
    case 27:
    case 38:
        return ": this GPU, driver or CUPTI does not count by ranges";
    case 33:
    case 40:
        return ": the virtual GPU does not let its counters be read, which who runs the "
               "hypervisor can allow";
    case 35:
        return " (ERR_NVGPUCTRPERM): the driver gives counters to administrators only: "
               "be root, have CAP_SYS_ADMIN, or load the driver's module with "
               "NVreg_RestrictProfilingToAdminUsers=0 (docs/counters.md#rights)";
    case 36:
    case 39:
        return ": another profiler is attached to this process: run without it";
    case 41:
        return ": confidential computing is on, which hides counters";
    case 43:
        return ": a part of a GPU (MIG) has no counters of its own";
    default:
        return "";
    }
}

static void check_call(const struct counting *c, const char *call, int result)
{
    char why[HONE_REASON_MAX];
    if (!result) return;
    snprintf(why, sizeof why, "CUPTI: %s failed, %d%s", call, result, way_out(result));
    give_up(c, why);
}

// The part of it that speaks against counting.
static void check_support(const struct counting *c)
{
    struct hone_cupti_supported p =
        PARAMS(hone_cupti_supported, profiler,
               .device = ((const struct hone_cuda *)c->dev->priv)->device);
    enum { SUPPORTED = 3 };
    const struct {
        const int *level;
        const char *what;
    } parts[] = {{&p.architecture, "compute capability below 7.5"},
                 {&p.vgpu, "a virtual GPU whose host does not allow it"},
                 {&p.confidential, "confidential computing"},
                 {&p.wsl, "WSL"},
                 {&p.sli, "SLI"},
                 {&p.mining, "a GPU for mining"}};
    check_call(c, "cuptiProfilerDeviceSupported", c->calls->supported(&p));
    if (!is_fine(c) || p.all == SUPPORTED) return;
    const char *what = "something that it does not name";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i].level != SUPPORTED) what = parts[i].what;
    char why[HONE_REASON_MAX];
    snprintf(why, sizeof why, "CUPTI counts nothing here, because of %s", what);
    give_up(c, why);
}

// What is free now: somebody else may have the rest.
static enum hone_status read_availability(struct counting *c, struct hone_error *err)
{
    const struct hone_cuda *cuda = c->dev->priv;
    struct hone_cupti_availability p =
        PARAMS(hone_cupti_availability, image, .context = cuda->context);
    check_call(c, "cuptiProfilerGetCounterAvailability", c->calls->availability(&p));
    if (!is_fine(c)) return HONE_OK;
    p.image = c->available = calloc(1, p.bytes + 1);
    if (!p.image) return hone_no_memory(err, "for the counters that are free");
    check_call(c, "cuptiProfilerGetCounterAvailability", c->calls->availability(&p));
    return HONE_OK;
}

static enum hone_status make_plan(struct counting *c, struct hone_error *err)
{
    const struct hone_cuda *cuda = c->dev->priv;
    struct hone_cupti_chip chip =
        PARAMS(hone_cupti_chip, name, .device = (size_t)cuda->device);
    check_call(c, "cuptiDeviceGetChipName", c->calls->chip(&chip));
    enum hone_status status = is_fine(c) ? read_availability(c, err) : HONE_OK;
    if (status != HONE_OK || !is_fine(c)) return status;
    struct hone_error why = {0};
    status = hone_counter_plan_begin(&c->plan, &c->planner, chip.name, c->policy->light,
                                     c->available, &why);
    if (status == HONE_ENOMEM) return hone_error_pass(err, status, &why);
    if (status != HONE_OK)
        give_up(c, why.text);
    else if (!c->plan.count)
        give_up(c, "none of the counters is free on this GPU");
    return HONE_OK;
}

static enum hone_status make_rooms(struct counting *c, struct hone_error *err)
{
    c->names = calloc(c->plan.count + 1, sizeof *c->names);
    c->values = calloc(c->plan.count + 1, sizeof *c->values);
    if (!c->names || !c->values) return hone_no_memory(err, "for counters");
    for (size_t i = 0; i < c->plan.count; i++) {
        c->names[i] = c->plan.counters[i].cupti;
        c->values[i] = (double)NAN;
    }
    return HONE_OK;
}

static enum hone_status configure(struct counting *c, struct hone_error *err)
{
    struct hone_cupti_data_size size =
        PARAMS(hone_cupti_data_size, bytes, .profiler = c->profiler, .names = c->names,
               .count = c->plan.count, .ranges = 1, .nodes = 1);
    check_call(c, "cuptiRangeProfilerGetCounterDataSize", c->calls->data_size(&size));
    if (!is_fine(c)) return HONE_OK;
    c->data_bytes = size.bytes;
    c->data = calloc(1, size.bytes + 1);
    if (!c->data) return hone_no_memory(err, "for what counters show");
    struct hone_cupti_data data = PARAMS(hone_cupti_data, image, .profiler = c->profiler,
                                         .bytes = size.bytes, .image = c->data);
    check_call(c, "cuptiRangeProfilerCounterDataImageInitialize", c->calls->data(&data));
    struct hone_cupti_config config = PARAMS(
        hone_cupti_config, level, .profiler = c->profiler, .config = c->plan.image,
        .config_bytes = c->plan.image_bytes, .data = c->data, .data_bytes = size.bytes,
        .range = HONE_CUPTI_USER_RANGE, .replay = HONE_CUPTI_USER_REPLAY, .ranges = 1,
        .levels = 1, .least_level = 1, .level = 1);
    if (is_fine(c))
        check_call(c, "cuptiRangeProfilerSetConfig", c->calls->config(&config));
    return HONE_OK;
}

static enum hone_status begin_counting(struct counting *c, struct hone_error *err)
{
    const struct hone_cuda *cuda = c->dev->priv;
    struct hone_error why = {0};
    if (!hone_cuda_driver_profilable(cuda->driver)) {
        give_up(c, "the driver offers nothing to CUPTI, which counts");
        return HONE_OK;
    }
    if (hone_cupti_target_open(&c->calls, &why) != HONE_OK) {
        give_up(c, why.text);
        return HONE_OK;
    }
    struct hone_cupti_nothing init = PARAMS(hone_cupti_nothing, priv, .priv = NULL);
    check_call(c, "cuptiProfilerInitialize", c->calls->initialize(&init));
    c->initialized = is_fine(c);
    if (c->initialized) check_support(c);
    enum hone_status status = is_fine(c) ? make_plan(c, err) : HONE_OK;
    if (status != HONE_OK || !is_fine(c)) return status;
    struct hone_cupti_enable enable =
        PARAMS(hone_cupti_enable, profiler, .context = cuda->context);
    check_call(c, "cuptiRangeProfilerEnable", c->calls->enable(&enable));
    if (!is_fine(c)) return HONE_OK;
    c->profiler = enable.profiler;
    status = make_rooms(c, err);
    return status == HONE_OK ? configure(c, err) : status;
}

// The data as it was and an L2 without it, unless times are warm.
static enum hone_status prepare_pass(struct counting *c, struct hone_error *err)
{
    struct hone_cuda *cuda = c->dev->priv;
    const double deadline_s = hone_cuda_deadline(c->launch);
    const struct hone_count_policy *policy = c->policy;
    enum hone_status status = policy->arm ? policy->arm(policy->context, err) : HONE_OK;
    if (status != HONE_OK) return status;
    CUresult result = CUDA_SUCCESS;
    if (!policy->warm_cache && c->module->keeps)
        result = hone_cuda_forget_lines(c->dev, deadline_s);
    if (result == CUDA_SUCCESS && !policy->warm_cache)
        result = hone_cuda_flush(c->dev, 0);
    result = hone_cuda_finish(cuda, result, deadline_s);
    if (result != CUDA_SUCCESS) hone_cuda_set_fault(cuda, c->fault, result, c->launch);
    return HONE_OK;
}

// The kernel has ended before CUPTI is asked again, which would wait for it without end.
static void launch_pass(struct counting *c, bool *all)
{
    struct hone_cuda *cuda = c->dev->priv;
    struct hone_cupti_step step =
        PARAMS(hone_cupti_step, profiler, .profiler = c->profiler);
    struct hone_cupti_push push =
        PARAMS(hone_cupti_push, name, .profiler = c->profiler, .name = "launch");
    struct hone_cupti_stop stop = PARAMS(hone_cupti_stop, all, .profiler = c->profiler);
    check_call(c, "cuptiRangeProfilerStart", c->calls->start(&step));
    if (is_fine(c)) check_call(c, "cuptiRangeProfilerPushRange", c->calls->push(&push));
    if (!is_fine(c)) return;
    CUresult result = hone_cuda_submit(cuda, c->module, c->launch);
    result = hone_cuda_finish(cuda, result, hone_cuda_deadline(c->launch));
    if (result != CUDA_SUCCESS) {
        hone_cuda_set_fault(cuda, c->fault, result, c->launch);
        return;
    }
    check_call(c, "cuptiRangeProfilerPopRange", c->calls->pop(&step));
    if (is_fine(c)) check_call(c, "cuptiRangeProfilerStop", c->calls->stop(&stop));
    *all = stop.all;
}

static enum hone_status run_passes(struct counting *c, struct hone_error *err)
{
    const size_t most = 2 * c->plan.passes + PASSES_MORE;
    enum hone_status status =
        c->policy->warm_cache ? HONE_OK : hone_cuda_prepare_flush(c->dev, err);
    bool all = false;
    for (size_t i = 0; status == HONE_OK && is_fine(c) && !all && i < most; i++) {
        status = prepare_pass(c, err);
        if (status == HONE_OK && is_fine(c)) launch_pass(c, &all);
    }
    char why[HONE_REASON_MAX];
    snprintf(why, sizeof why,
             "CUPTI has not counted to the end after %zu launches, %zu were planned",
             most, c->plan.passes);
    if (status == HONE_OK && !all) give_up(c, why);
    return status;
}

// What is no number was not counted.
static void read_counters(struct counting *c, struct hone_counted *out)
{
    size_t count = 0;
    struct hone_cupti_decode decode =
        PARAMS(hone_cupti_decode, dropped, .profiler = c->profiler);
    check_call(c, "cuptiRangeProfilerDecodeData", c->calls->decode(&decode));
    if (decode.dropped) give_up(c, "CUPTI dropped what it counted");
    if (!is_fine(c)) return;
    struct hone_cupti_evaluate p =
        PARAMS(hone_cupti_evaluate, values, .object = c->planner.object, .data = c->data,
               .bytes = c->data_bytes, .names = c->names, .count = c->plan.count,
               .values = c->values);
    check_call(c, "cuptiProfilerHostEvaluateToGpuValues", c->calls->evaluate(&p));
    for (size_t i = 0; is_fine(c) && i < c->plan.count && count < HONE_COUNTED_MAX; i++) {
        const struct hone_counter *counter = c->plan.counters[i].counter;
        if (isfinite(c->values[i]))
            out[count++] =
                (struct hone_counted){counter->name, counter->unit, c->values[i]};
        else
            hone_log(HONE_LOG_DEBUG, "CUPTI has no number for %s", c->names[i]);
    }
    out[count] = (struct hone_counted){0};
    if (!count) give_up(c, "CUPTI has a number for none of the counters");
}

// With a kernel that never ends CUPTI would wait for it: the process is to end.
static void end_counting(struct counting *c)
{
    const struct hone_cuda *cuda = c->dev->priv;
    struct hone_cupti_step step =
        PARAMS(hone_cupti_step, profiler, .profiler = c->profiler);
    struct hone_cupti_nothing end = PARAMS(hone_cupti_nothing, priv, .priv = NULL);
    if (c->profiler && !cuda->hung) c->calls->disable(&step);
    hone_counter_planner_end(&c->planner);
    if (c->initialized && !cuda->hung) c->calls->deinitialize(&end);
    hone_counter_plan_fini(&c->plan);
    free(c->available);
    free(c->data);
    free(c->names);
    free(c->values);
}

enum hone_status hone_cuda_read_counters(struct hone_device *dev,
                                         struct hone_module *module,
                                         const struct hone_launch *launch,
                                         const struct hone_count_policy *policy,
                                         struct hone_counted *out,
                                         struct hone_fault *fault, struct hone_error *err)
{
    struct counting c = {
        .dev = dev, .module = module, .launch = launch, .policy = policy, .fault = fault};
    *out = (struct hone_counted){0};
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    enum hone_status status = hone_cuda_enter(dev, err);
    hone_cupti_pause(); // records of launches and counters exclude each other
    if (status == HONE_OK) status = begin_counting(&c, err);
    if (status == HONE_OK && is_fine(&c)) status = run_passes(&c, err);
    if (status == HONE_OK && is_fine(&c)) read_counters(&c, out);
    end_counting(&c);
    hone_cupti_resume();
    return status;
}
