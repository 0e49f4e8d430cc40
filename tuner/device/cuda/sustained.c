#include "sustained.h"

#include <math.h>

#include "graph.h"
#include "log.h"
#include "sample_stats.h"

// A clock that power holds down is set anew every 10 to 100 ms. Five windows show one
// that comes closer by a third of what is left in 300 ms until one percent is left.
static const double window_us = 5e4, steady = 0.005;
enum { WINDOWS = 4 };

static const double first_us = 5e6, later_us = 1e6;

// A graph of at least so much work is launched in time for the GPU not to wait.
static const double graph_us = 1e3;

// Launches of graphs, or of a kernel of which none can be made, that are queued at once.
enum { QUEUED_MOST = 512 };

struct row {
    struct hone_device *dev;
    struct hone_cuda *cuda;
    struct hone_module *module;
    const struct hone_launch *launch;
    struct hone_fault *fault;
    struct hone_graph graph;   // {0}: the kernel itself
    double each_us;            // of a launch, when last seen
    double means[WINDOWS + 1]; // of windows, a ring
    size_t windows;
};

static size_t launches_of(const struct row *row)
{
    return row->graph.exec ? row->graph.nodes : 1;
}

static CUresult queue(struct row *row, size_t count)
{
    const struct hone_cuda_driver *driver = row->cuda->driver;
    CUresult result = driver->cuEventRecord(row->cuda->events[0], row->cuda->stream);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = row->graph.exec
                     ? driver->cuGraphLaunch(row->graph.exec, row->cuda->stream)
                     : hone_cuda_submit(row->cuda, row->module, row->launch);
    if (result != CUDA_SUCCESS) return result;
    return driver->cuEventRecord(row->cuda->events[1], row->cuda->stream);
}

// Kernel time of count graphs or launches in a row; 0 with a fault.
static double run_row(struct row *row, size_t count)
{
    const double deadline_s =
        (double)(count * launches_of(row)) * hone_cuda_deadline(row->launch);
    float ms = 0;
    CUresult result = queue(row, count);
    const CUresult waited = hone_cuda_wait(row->cuda, deadline_s);
    if (waited != CUDA_SUCCESS) result = waited;
    if (result == CUDA_SUCCESS)
        result = row->cuda->driver->cuEventElapsedTime(&ms, row->cuda->events[0],
                                                       row->cuda->events[1]);
    if (result != CUDA_SUCCESS)
        hone_cuda_set_fault(row->cuda, row->fault, result, deadline_s);
    else if (!(ms > 0))
        *row->fault =
            (struct hone_fault){.outcome = HONE_LAUNCH_FAILED,
                                .reason = "the clock sees no time pass in this kernel"};
    if (row->fault->outcome != HONE_VALID) return 0;
    row->each_us = (double)ms * 1e3 / (double)(count * launches_of(row));
    return (double)ms * 1e3;
}

// So many launches as touch twice L2 before one comes round.
static double rotation(const struct row *row)
{
    double bytes = 0;
    for (size_t i = 0; i < row->launch->extent_count; i++)
        bytes += (double)row->launch->extents[i].bytes;
    return bytes > 0 ? 2 * (double)row->dev->limits.l2_bytes / bytes + 1 : 1;
}

static void make_graph(struct row *row, bool warm_cache)
{
    const double wanted =
        fmax(graph_us / row->each_us + 1, warm_cache ? 1 : rotation(row));
    const size_t nodes = (size_t)fmin(wanted, HONE_GRAPH_NODES);
    const CUresult result = hone_graph_make(row->dev, &row->graph, row->module,
                                            row->launch, nodes, !warm_cache);
    if (result == CUDA_SUCCESS) return;
    hone_graph_fini(row->cuda, &row->graph);
    if (result != CUDA_ERROR_NOT_SUPPORTED)
        hone_cuda_set_fault(row->cuda, row->fault, result, 0);
}

static bool is_steady(const struct row *row)
{
    double least = INFINITY, most = 0;
    if (row->windows <= WINDOWS) return false;
    for (size_t i = 0; i <= WINDOWS; i++) {
        least = fmin(least, row->means[i]);
        most = fmax(most, row->means[i]);
    }
    return most - least <= steady * least;
}

static void run_until_steady(struct row *row, double limit_us)
{
    double spent_us = 0;
    while (!is_steady(row) && spent_us < limit_us) {
        const double of_one = row->each_us * (double)launches_of(row);
        const double wanted = fmin(window_us / of_one, QUEUED_MOST);
        const double took_us = run_row(row, wanted > 1 ? (size_t)wanted : 1);
        if (row->fault->outcome != HONE_VALID) return;
        row->means[row->windows++ % (WINDOWS + 1)] = row->each_us;
        spent_us += took_us;
    }
    if (!is_steady(row))
        hone_log(HONE_LOG_INFO, "%s: '%s' is not steady after %.3g s in a row",
                 row->dev->id, row->module->name, spent_us * 1e-6);
}

static void report_row(const struct row *row, struct hone_timing *out)
{
    double last[WINDOWS];
    size_t n = 0;
    while (n < WINDOWS && n < row->windows) {
        n++;
        last[n - 1] = row->means[(row->windows - n) % (WINDOWS + 1)];
    }
    const struct hone_sample_stats stats = hone_sample_stats_of(last, n);
    out->kind = HONE_TIME_SUSTAINED;
    out->time_us = stats.sum / (double)n;
    out->rel_std = stats.rel_std;
    out->samples = (uint32_t)n;
}

// False with the fault where one shows.
static bool time_row(struct row *row, bool warm_cache)
{
    const enum hone_outcome *outcome = &row->fault->outcome;
    run_row(row, 1); // loads the code
    if (*outcome != HONE_VALID) return false;
    make_graph(row, warm_cache);
    if (*outcome != HONE_VALID) return false;
    run_row(row, 1);
    if (*outcome != HONE_VALID) return false;
    run_until_steady(row, row->module->sustained ? later_us : first_us);
    return *outcome == HONE_VALID;
}

void hone_cuda_time_sustained(struct hone_device *dev, struct hone_module *module,
                              const struct hone_launch *launch,
                              const struct hone_time_policy *policy,
                              struct hone_timing *out, struct hone_fault *fault)
{
    struct row row = {.dev = dev,
                      .cuda = dev->priv,
                      .module = module,
                      .launch = launch,
                      .fault = fault};
    module->sustained = time_row(&row, policy->warm_cache);
    if (module->sustained) report_row(&row, out);
    if (!row.cuda->hung) hone_graph_fini(row.cuda, &row.graph);
}
