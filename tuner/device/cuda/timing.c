// Timing on a GPU: batches of launches, each after L2 was flushed, sampled by CUPTI, by
// events or by events round a graph of launches, until the median is known well enough.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "cuda_internal.h"
#include "cuda_result.h"
#include "cupti_clock.h"
#include "energy.h"
#include "flush.h"
#include "graph.h"
#include "heat.h"
#include "sampling.h"
#include "sustained.h"

// A batch is queued without looking back, so the GPU never waits for the host; this
// bounds what a slow kernel can queue.
static const double batch_us = 20e3;

// Launches that are queued at once: where one hangs, the driver's queue must not be full,
// since the next launch would block.
enum { QUEUED_MOST = 512 };

// A graph has so many launches that it lasts this long: what two events add to it, 1 to
// 3 us (docs/devices.md), is then about a percent.
static const double graph_us = 200;

// A launch this many times as long as the rival's has lost the race, clocks or not.
static const double hopeless = 3;

// What is cold besides L2, the instruction cache above all, costs a kernel a microsecond
// or two: of those that take less than this the warm time is told as well.
static const double short_us = 20;

// For a GPU that is slowed down, a configuration waits 1 s at most.
enum { PAUSES = 5, PAUSE_MS = 200 };

// Where heat held a configuration down for more than this share of its sampling, its
// samples say little about the kernel.
static const double held_most = 0.05;

struct sampling {
    struct hone_device *dev;
    struct hone_cuda *cuda;
    struct hone_module *module;
    const struct hone_launch *launch;
    const struct hone_time_policy *policy;
    struct hone_fault *fault;
    bool hot;                // the GPU has just worked, and on this module before
    struct hone_graph graph; // what one sample launches; {0}: the kernel itself
    double each_us;          // of a sample, when last seen; 0 before the first
    double *samples;         // of the device's clock
    double *events;          // the same launches by events, for the cross-check
    size_t count, event_count, room;
    size_t empty_batches;        // in a row, without a single record
    size_t pauses;               // taken because the GPU was slowed down
    double held_share;           // of the time of sampling
    struct hone_gpu_state state; // after the last batch
};

static size_t launches_per_sample(const struct sampling *s)
{
    return s->graph.exec ? s->graph.nodes : 1;
}

// One of n samples in a row may hang. A flush takes less time than a launch may.
static double deadline_of(const struct sampling *s, size_t n)
{
    return hone_cuda_row_deadline(s->launch, n, s->each_us);
}

static CUresult submit(struct sampling *s)
{
    if (!s->graph.exec) return hone_cuda_submit(s->cuda, s->module, s->launch);
    return s->cuda->driver->cuGraphLaunch(s->graph.exec, s->cuda->stream);
}

// One sample: flush, event, launch, event.
static CUresult queue_sample(struct sampling *s, size_t i)
{
    struct hone_cuda *cuda = s->cuda;
    const struct hone_cuda_driver *driver = cuda->driver;
    CUresult result = CUDA_SUCCESS;
    if (!s->policy->warm_cache) result = hone_cuda_flush(s->dev, (unsigned char)i);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(cuda->events[2 * i], cuda->stream);
    if (result == CUDA_SUCCESS) result = submit(s);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(cuda->events[2 * i + 1], cuda->stream);
    return result;
}

// Samples in a row, without looking back: but a kernel that keeps lines would find in
// every sample what the one before has read.
static CUresult queue_samples(struct sampling *s, size_t n)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < n && result == CUDA_SUCCESS; i++) {
        if (!s->policy->warm_cache && (i == 0 || s->module->keeps))
            result = hone_cuda_forget_lines(s->dev, deadline_of(s, 1));
        if (result == CUDA_SUCCESS) result = queue_sample(s, i);
    }
    return result;
}

static CUresult read_events(struct sampling *s, size_t n)
{
    struct hone_cuda *cuda = s->cuda;
    for (size_t i = 0; i < n; i++) {
        double us = 0;
        CUresult result = hone_cuda_elapsed(cuda, 2 * i, 2 * i + 1, &us);
        if (result != CUDA_SUCCESS) return result;
        if (s->event_count < s->room)
            s->events[s->event_count++] = us / (double)launches_per_sample(s);
    }
    return CUDA_SUCCESS;
}

// Queue n samples and wait for them; a fault ends the sampling and is not a failure of
// the device.
static CUresult run_launches(struct sampling *s, size_t n)
{
    CUresult result = hone_cuda_finish(s->cuda, queue_samples(s, n), deadline_of(s, n));
    if (result == CUDA_SUCCESS) result = read_events(s, n);
    if (result != CUDA_SUCCESS) hone_cuda_set_fault(s->cuda, s->fault, result, s->launch);
    return result;
}

static enum hone_status event_batch(struct sampling *s, size_t n)
{
    size_t before = s->event_count;
    if (run_launches(s, n) != CUDA_SUCCESS) return HONE_OK;
    memcpy(s->samples + s->count, s->events + before, n * sizeof *s->samples);
    s->count += n;
    return HONE_OK;
}

// CUPTI may drop records; two batches without any mean that it has stopped, and the
// configuration is given up rather than timed by another clock than its rivals.
static enum hone_status cupti_batch(struct sampling *s, size_t n, struct hone_error *err)
{
    enum hone_status status =
        hone_cupti_begin(s->cuda->context, s->module->name, s->launch, err);
    if (status != HONE_OK) return status;
    CUresult result = run_launches(s, n);
    size_t count = 0;
    status = hone_cupti_end(s->samples + s->count, result == CUDA_SUCCESS ? n : 0, &count,
                            err);
    if (status != HONE_OK || result != CUDA_SUCCESS) return status;
    s->count += count;
    s->empty_batches = count ? 0 : s->empty_batches + 1;
    if (s->empty_batches == 2) {
        *s->fault = (struct hone_fault){
            .outcome = HONE_LAUNCH_FAILED,
            .reason =
                "CUPTI gave no record of the kernel (HONE_CLOCK=event avoids CUPTI)"};
    }
    return HONE_OK;
}

static enum hone_status batch(struct sampling *s, size_t n, struct hone_error *err)
{
    if (s->dev->clock == HONE_CLOCK_CUPTI) return cupti_batch(s, n, err);
    return event_batch(s, n);
}

// Returns how many of the samples wanted may be queued at once.
static size_t batch_size(const struct sampling *s, size_t wanted)
{
    const double most =
        fmin(HONE_CUDA_BATCH, (double)QUEUED_MOST / (double)launches_per_sample(s));
    size_t n = (double)wanted < most ? wanted : (size_t)most;
    if ((double)n * s->each_us > batch_us) n = (size_t)(batch_us / s->each_us);
    return n ? n : 1;
}

// The first launches load code, fill the TLB and raise the clocks: 5 ms of them, or 63.
// One that is hopeless in the race needs no raised clocks. In the rounds of a contest the
// code is there and the clocks are up: a single launch then brings back what the others
// have evicted.
static enum hone_status warm_up(struct sampling *s, struct hone_error *err)
{
    enum hone_status status =
        s->policy->warm_cache ? HONE_OK : hone_cuda_prepare_flush(s->dev, err);
    if (status != HONE_OK) return status;
    double spent_us = 0;
    for (size_t n = 1; n <= HONE_CUDA_BATCH && spent_us < 5e3; n *= 2) {
        s->event_count = 0;
        if (run_launches(s, n) != CUDA_SUCCESS) break;
        struct hone_sample_stats stats = hone_sample_stats_of(s->events, n);
        spent_us += stats.sum;
        s->each_us = stats.median;
        if (s->hot) break;
        if (s->policy->rival_us > 0 && s->each_us > hopeless * s->policy->rival_us) break;
    }
    s->event_count = 0;
    return HONE_OK;
}

// Its first launch brings a graph to the GPU and is no sample.
static void make_graph(struct sampling *s)
{
    if (s->dev->clock != HONE_CLOCK_GRAPH || s->fault->outcome != HONE_VALID) return;
    size_t nodes = HONE_GRAPH_NODES;
    if (s->each_us * HONE_GRAPH_NODES > graph_us)
        nodes = (size_t)(graph_us / s->each_us) + 1;
    CUresult result = hone_graph_make(s->dev, &s->graph, s->module, s->launch, nodes,
                                      !s->policy->warm_cache);
    if (result != CUDA_SUCCESS) {
        hone_cuda_set_fault(s->cuda, s->fault, result, NULL);
        return;
    }
    s->each_us *= (double)s->graph.nodes;
    run_launches(s, 1);
    s->event_count = 0;
}

static enum hone_status sample_once(struct sampling *s, struct hone_sample_stats *stats,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    s->count = s->event_count = 0;
    *stats = (struct hone_sample_stats){0};
    size_t wanted = hone_timing_next(stats, s->policy);
    while (status == HONE_OK && s->fault->outcome == HONE_VALID && wanted) {
        status = batch(s, batch_size(s, wanted), err);
        if (!s->count) continue;
        *stats = hone_sample_stats_of(s->samples, s->count);
        wanted = hone_timing_next(stats, s->policy);
    }
    return status;
}

// The counters move on every 100 ms: heat since their last reading, be it of another
// configuration or of what ran between the two, counts as if all of it were the
// sampling's. Where they are not there, what NVML says at the end has to do, and that a
// GPU idles by then.
static bool was_slowed(struct sampling *s, const struct hone_gpu_held *before)
{
    const struct hone_gpu_held after = hone_nvml_held(&s->cuda->nvml);
    const struct hone_gpu_held last = s->cuda->held.known ? s->cuda->held : *before;
    const double sampled_s = after.at_s - before->at_s;
    const bool counted = before->known && after.known;
    s->state = s->policy->brief && counted ? (struct hone_gpu_state){NAN, NAN, NAN, 0}
                                           : hone_nvml_read(&s->cuda->nvml);
    s->cuda->held = after;
    s->held_share = 0;
    if (!counted) return hone_nvml_is_slowed(&s->state);
    if (sampled_s > 0) s->held_share = fmin(1, (after.held_s - last.held_s) / sampled_s);
    return s->held_share > held_most;
}

// A GPU that hardware slows down says nothing about the kernel: the samples are dropped,
// and it gets time to recover. One that does not is timed all the same; how long it was
// held down is on record. A call of NVML may take milliseconds, in which the GPU idles:
// they are made once a configuration.
static enum hone_status sample(struct sampling *s, struct hone_sample_stats *stats,
                               struct hone_error *err)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    enum hone_status status = warm_up(s, err);
    if (status == HONE_OK) make_graph(s);
    while (status == HONE_OK && s->fault->outcome == HONE_VALID) {
        const struct hone_gpu_held before = hone_nvml_held(&s->cuda->nvml);
        if (s->pauses) s->cuda->held = before; // the heat of before is in it by now
        status = sample_once(s, stats, err);
        if (!was_slowed(s, &before) || s->pauses == PAUSES) break;
        s->pauses++;
        nanosleep(&pause, NULL);
    }
    return status;
}

static void add_metric(struct hone_timing *out, const char *name, double value)
{
    if (isfinite(value))
        out->metrics[out->metric_count++] =
            (struct hone_metric){.name = name, .value = value};
}

// Events see the launch as well, a few microseconds; more than that means that one of the
// clocks lies about this kernel.
static void cross_check(const struct sampling *s, struct hone_timing *out)
{
    if (s->dev->clock != HONE_CLOCK_CUPTI || !s->event_count) return;
    double event_us = hone_sample_stats_of(s->events, s->event_count).median;
    add_metric(out, "event_us", event_us);
    if (s->cuda->clocks_differ ||
        fabs(event_us - out->time_us) <= fmax(5, 0.05 * out->time_us))
        return;
    s->cuda->clocks_differ = true;
    hone_log(
        HONE_LOG_WARNING,
        "%s: '%s' takes %.3f us by CUPTI and %.3f us by events; further such kernels "
        "have it in their metric event_us",
        s->dev->id, s->module->name, out->time_us, event_us);
}

// A row of launches, of which only the first may find the caches cold.
static enum hone_status time_warm(struct sampling *s, struct hone_timing *out,
                                  struct hone_error *err)
{
    const struct hone_time_policy *cold = s->policy;
    struct hone_time_policy warm = *cold;
    const bool wanted = !cold->brief && !cold->warm_cache;
    if (!wanted || out->time_us > short_us || out->samples < cold->min_samples)
        return HONE_OK;
    warm.warm_cache = true;
    s->policy = &warm;
    hone_graph_fini(s->cuda, &s->graph);
    s->each_us = out->time_us;
    make_graph(s);
    s->count = s->event_count = 0;
    enum hone_status status = HONE_OK;
    if (s->fault->outcome == HONE_VALID)
        status = batch(s, batch_size(s, HONE_CUDA_BATCH), err);
    s->policy = cold;
    if (status == HONE_OK && s->fault->outcome == HONE_VALID && s->count)
        add_metric(out, "warm_us", hone_sample_stats_of(s->samples, s->count).median);
    return status;
}

static void report_state(const struct sampling *s, struct hone_timing *out)
{
    add_metric(out, "sm_mhz", s->state.sm_mhz);
    add_metric(out, "temperature_c", s->state.temperature_c);
    add_metric(out, "power_w", s->state.power_w);
    if (s->state.reasons) add_metric(out, "clock_reasons", (double)s->state.reasons);
    if (s->held_share > held_most) add_metric(out, "slowdown_share", s->held_share);
    if (s->pauses) add_metric(out, "slowdown_pauses", (double)s->pauses);
}

static enum hone_status sample_and_report(struct sampling *s, struct hone_timing *out,
                                          struct hone_error *err)
{
    struct hone_sample_stats stats = {0};
    enum hone_status status = sample(s, &stats, err);
    if (status != HONE_OK || s->fault->outcome != HONE_VALID) return status;
    if (!(stats.median > 0)) {
        *s->fault =
            (struct hone_fault){.outcome = HONE_LAUNCH_FAILED,
                                .reason = "the clock sees no time pass in this kernel"};
        return HONE_OK;
    }
    out->time_us = stats.median;
    out->kind = HONE_TIME_BURST;
    out->rel_std = stats.rel_std;
    out->samples = (uint32_t)stats.count;
    if (s->graph.exec) add_metric(out, "graph_launches", (double)s->graph.nodes);
    cross_check(s, out);
    report_state(s, out);
    return time_warm(s, out, err);
}

static enum hone_status time_samples(struct hone_device *dev, struct hone_module *module,
                                     const struct hone_launch *launch,
                                     const struct hone_time_policy *policy,
                                     struct hone_timing *out, struct hone_fault *fault,
                                     struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    size_t room = policy->max_samples + HONE_CUDA_BATCH;
    struct sampling s = {.dev = dev,
                         .cuda = dev->priv,
                         .module = module,
                         .launch = launch,
                         .policy = policy,
                         .fault = fault,
                         .hot = module->timed && hone_cuda_is_hot(dev),
                         .room = room,
                         .samples = calloc(room, sizeof *s.samples),
                         .events = calloc(room, sizeof *s.events)};
    hone_cuda_heat(dev);
    if (s.samples && s.events)
        status = sample_and_report(&s, out, err);
    else
        status = hone_no_memory(err, "for %zu samples", room);
    if (!s.cuda->hung) hone_graph_fini(s.cuda, &s.graph);
    free(s.samples);
    free(s.events);
    return status;
}

// Launches are recorded while CUPTI times them, and no longer. None begins before the one
// before it has ended: times are of the kernel alone.
enum hone_status hone_cuda_time(struct hone_device *dev, struct hone_module *module,
                                const struct hone_launch *asked,
                                const struct hone_time_policy *policy,
                                struct hone_timing *out, struct hone_fault *fault,
                                struct hone_error *err)
{
    struct hone_launch alone = *asked;
    const struct hone_launch *launch = &alone;
    alone.flags &= ~(uint32_t)HONE_LAUNCH_DEPENDENT;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    *out = (struct hone_timing){.clock = dev->clock,
                                .time_us = NAN,
                                .predicted_us = NAN,
                                .energy_j = NAN,
                                .rel_std = NAN};
    const bool records = dev->clock == HONE_CLOCK_CUPTI && !policy->sustained;
    const bool counts = policy->energy_ms > 0 && !policy->sustained;
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK) return status;
    if (records) status = time_samples(dev, module, launch, policy, out, fault, err);
    hone_cupti_pause();
    if (policy->sustained)
        hone_cuda_time_sustained(dev, module, launch, policy, out, fault);
    else if (!records)
        status = time_samples(dev, module, launch, policy, out, fault, err);
    if (isfinite(out->time_us) && fault->outcome == HONE_VALID && counts)
        out->energy_j = hone_cuda_count_energy(dev, module, launch, out->time_us,
                                               policy->energy_ms, fault);
    hone_cupti_resume();
    hone_cuda_stay_hot(dev);
    module->timed = fault->outcome == HONE_VALID;
    return status;
}
