#include "sustained.h"

#include <math.h>

#include "base/log.h"
#include "base/sample_stats.h"
#include "graph.h"

// A clock that power holds down is set anew every 10 to 100 ms. Five windows show one
// that comes closer by a third of what is left in 300 ms until one percent is left.
static const double window_us = 5e4, steady = 0.005;
enum { WINDOWS = 4 };

// A clock that steps up and down (by 15 MHz, one percent) shows in two means of four
// windows each that it stays, where it goes no further than this.
static const double steps_most = 0.03;

static const double first_us = 5e6, later_us = 1e6;

// A graph of at least so much work is launched in time for the GPU not to wait.
static const double graph_us = 1e3;

// Chunks of launches that are in the stream at once, so that it is never empty: of 128
// launches and 10 ms at most, since the driver queues about a thousand and the next one
// would block. Of longer ones two will do.
enum { CHUNKS = 3, CHUNK_LAUNCHES = 128, RING = CHUNKS + 1 };
static const double chunk_us = 1e4;

struct row {
    struct hone_device *dev;
    struct hone_cuda *cuda;
    struct hone_module *module;
    const struct hone_launch *launch;
    struct hone_fault *fault;
    struct hone_graph graph;   // {0}: the kernel itself
    double each_us;            // of a launch, when last seen
    size_t counts[RING];       // launches of the chunks in the stream, a ring
    size_t queued, done;       // chunks so far
    double means[2 * WINDOWS]; // of windows, a ring
    size_t windows;
};

static size_t launches_of(const struct row *row)
{
    return row->graph.exec ? row->graph.nodes : 1;
}

static void fail_row(struct row *row, CUresult result)
{
    if (result != CUDA_SUCCESS)
        hone_cuda_set_fault(row->cuda, row->fault, result, row->launch);
}

static CUresult launch_graph(struct row *row)
{
    if (!row->graph.exec) return hone_cuda_submit(row->cuda, row->module, row->launch);
    return row->cuda->driver->cuGraphLaunch(row->graph.exec, row->cuda->stream);
}

static CUresult record(struct row *row, size_t event)
{
    return row->cuda->driver->cuEventRecord(row->cuda->events[event], row->cuda->stream);
}

static bool saw_time_pass(struct row *row, double us)
{
    if (us > 0) return true;
    *row->fault =
        (struct hone_fault){.outcome = HONE_LAUNCH_FAILED,
                            .reason = "the clock sees no time pass in this kernel"};
    return false;
}

// One graph or launch, waited for.
static void launch_once(struct row *row)
{
    const size_t count = launches_of(row);
    double us = 0;
    CUresult result = record(row, 0);
    if (result == CUDA_SUCCESS) result = launch_graph(row);
    if (result == CUDA_SUCCESS) result = record(row, 1);
    result = hone_cuda_finish(row->cuda, result,
                              hone_cuda_row_deadline(row->launch, count, row->each_us));
    if (result == CUDA_SUCCESS) result = hone_cuda_elapsed(row->cuda, 0, 1, &us);
    fail_row(row, result);
    if (result == CUDA_SUCCESS && saw_time_pass(row, us))
        row->each_us = us / (double)count;
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
    if (result != CUDA_ERROR_NOT_SUPPORTED) fail_row(row, result);
}

static double range_of_last(const struct row *row, size_t count)
{
    double least = INFINITY, most = 0;
    for (size_t i = row->windows - count; i < row->windows; i++) {
        const double mean = row->means[i % (2 * WINDOWS)];
        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return (most - least) / least;
}

// Averages four windows, from the n-th last on.
static double mean_of_four(const struct row *row, size_t n)
{
    double sum = 0;
    for (size_t i = row->windows - n; i < row->windows - n + WINDOWS; i++)
        sum += row->means[i % (2 * WINDOWS)];
    return sum / WINDOWS;
}

static bool is_steady(const struct row *row)
{
    if (row->windows > WINDOWS && range_of_last(row, WINDOWS + 1) <= steady) return true;
    if (row->windows < 2 * WINDOWS) return false;
    const double before = mean_of_four(row, 2 * WINDOWS);
    return range_of_last(row, 2 * WINDOWS) <= steps_most &&
           fabs(mean_of_four(row, WINDOWS) - before) <= steady * before;
}

// Launches and an event behind them; the first chunk has one before them as well.
static CUresult queue_chunk(struct row *row)
{
    const double of_one = row->each_us * (double)launches_of(row);
    const double most = (double)CHUNK_LAUNCHES / (double)launches_of(row);
    const size_t count = (size_t)fmax(1, fmin(chunk_us / of_one, most));
    CUresult result = row->queued ? CUDA_SUCCESS : record(row, 0);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = launch_graph(row);
    if (result == CUDA_SUCCESS) result = record(row, (row->queued + 1) % RING);
    row->counts[row->queued++ % RING] = count * launches_of(row);
    return result;
}

static size_t launches_in_stream(const struct row *row)
{
    size_t count = 0;
    for (size_t i = row->done; i < row->queued; i++)
        count += row->counts[i % RING];
    return count;
}

static bool wants_chunk(const struct row *row)
{
    const double in_stream_us = (double)launches_in_stream(row) * row->each_us;
    const size_t chunks = row->queued - row->done;
    return chunks < 2 || (chunks < CHUNKS && in_stream_us < 2 * chunk_us);
}

static double row_deadline(const struct row *row)
{
    return hone_cuda_row_deadline(row->launch, launches_in_stream(row), row->each_us);
}

// Kernel time of the next chunk that ends, with others behind it; 0 with a fault.
static double run_chunk(struct row *row)
{
    const size_t from = row->done % RING, to = (row->done + 1) % RING;
    double us = 0;
    CUresult result = CUDA_SUCCESS;
    while (result == CUDA_SUCCESS && wants_chunk(row))
        result = queue_chunk(row);
    if (result == CUDA_SUCCESS)
        result = hone_cuda_wait_for(row->cuda, row->cuda->events[to], row_deadline(row));
    else
        result = hone_cuda_finish(row->cuda, result, row_deadline(row));
    if (result == CUDA_SUCCESS) result = hone_cuda_elapsed(row->cuda, from, to, &us);
    fail_row(row, result);
    if (result != CUDA_SUCCESS || !saw_time_pass(row, us)) return 0;
    row->each_us = us / (double)row->counts[from];
    row->done++;
    return us;
}

// Chunks in a row until the window is over; false with a fault.
static bool run_window(struct row *row, double *spent_us)
{
    double us = 0;
    size_t launches = 0;
    while (us < window_us) {
        const size_t chunk = row->done % RING;
        const double took_us = run_chunk(row);
        if (row->fault->outcome != HONE_VALID) return false;
        us += took_us;
        launches += row->counts[chunk];
    }
    row->means[row->windows++ % (2 * WINDOWS)] = us / (double)launches;
    *spent_us += us;
    return true;
}

static void run_until_steady(struct row *row, double limit_us)
{
    double spent_us = 0;
    while (!is_steady(row) && spent_us < limit_us)
        if (!run_window(row, &spent_us)) return;
    fail_row(row, hone_cuda_wait(row->cuda, row_deadline(row)));
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
        last[n - 1] = row->means[(row->windows - n) % (2 * WINDOWS)];
    }
    const struct hone_sample_stats stats = hone_sample_stats_of(last, n);
    out->kind = HONE_TIME_SUSTAINED;
    out->time_us = stats.sum / (double)n;
    out->rel_std = stats.rel_std;
    out->samples = (uint32_t)n;
}

// False with the fault where one shows. The first launch loads the code, and its first
// launch brings a graph to the GPU: neither tells how long one takes.
static bool time_row(struct row *row, const struct hone_time_policy *policy)
{
    const enum hone_outcome *outcome = &row->fault->outcome;
    const double usual_us = row->module->sustained ? later_us : first_us;
    const double asked_us =
        policy->sustained_s > 0 ? policy->sustained_s * 1e6 : usual_us;
    for (int i = 0; i < 2 && *outcome == HONE_VALID; i++)
        launch_once(row);
    if (*outcome == HONE_VALID) make_graph(row, policy->warm_cache);
    for (int i = 0; i < 2 && *outcome == HONE_VALID; i++)
        launch_once(row);
    if (*outcome == HONE_VALID) run_until_steady(row, fmin(usual_us, asked_us));
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
    module->sustained = time_row(&row, policy);
    if (module->sustained) report_row(&row, out);
    if (!row.cuda->hung) hone_graph_fini(row.cuda, &row.graph);
}
