#include "evaluate/plausible.h"

#include <math.h>
#include <stdio.h>

#include "base/c_text.h"

// Nominal figures are beaten a little by boost clocks and by memory that is clocked up.
static const double tolerance = 1.25;

// Operations a cycle and multiprocessor of the fastest type, from the peak rates in the
// architecture whitepapers: A100 1248 TOPS of 4-bit integers on 108 SMs at 1.41 GHz, Ada
// 2642 sparse FP8 on 128 at 2.52, H100 3958 sparse FP8 on 132 at 1.83, Blackwell 20
// PFLOPS of sparse FP4 on 148 at 1.9. Newer ones are given the last.
static double operations_per_cycle(int64_t cc_major)
{
    if (cc_major < 8) return 2048;
    if (cc_major == 8) return 8192;
    if (cc_major == 9) return 16384;
    return 73728;
}

// Bytes of all buffers of one of these kinds.
static double bytes_of(const struct hone_job *job, unsigned kinds)
{
    double bytes = 0;
    for (size_t i = 0; i < job->arg_count; i++)
        if (kinds >> job->args[i].kind & 1)
            bytes +=
                (double)job->args[i].count * (double)hone_dtype_size(job->args[i].dtype);
    return bytes;
}

enum {
    READ = 1u << HONE_ARG_INPUT | 1u << HONE_ARG_INOUT,
    WRITTEN = 1u << HONE_ARG_OUTPUT | 1u << HONE_ARG_INOUT | 1u << HONE_ARG_WORKSPACE
};

// What does not fit L2 travels; with a cold one also what is read for the first time.
static double least_us_of_memory(const struct hone_job *job,
                                 const struct hone_limits *limits, bool cold)
{
    const double room = (double)limits->l2_bytes;
    const double first =
        fmin(job->bytes - fmin(room, bytes_of(job, WRITTEN)), bytes_of(job, READ));
    const double bytes = cold ? fmax(job->bytes - room, first) : job->bytes - room;
    if (!(bytes > 0) || limits->memory_bandwidth_mbs <= 0) return 0;
    return bytes / (double)limits->memory_bandwidth_mbs / tolerance;
}

static double least_us_of_arithmetic(const struct hone_job *job,
                                     const struct hone_limits *limits)
{
    const double per_us = (double)limits->sm_count * (double)limits->sm_clock_khz * 1e-3 *
                          operations_per_cycle(limits->cc_major);
    if (!(job->flops > 0) || !(per_us > 0)) return 0;
    return job->flops / per_us / tolerance;
}

enum hone_outcome hone_time_plausible(const struct hone_job *job,
                                      const struct hone_limits *limits, bool cold,
                                      double time_us, char reason[HONE_REASON_MAX])
{
    const double memory = least_us_of_memory(job, limits, cold);
    const double arithmetic = least_us_of_arithmetic(job, limits);
    if (!(time_us < fmax(memory, arithmetic))) return HONE_VALID;
    if (memory >= arithmetic)
        hone_snprintf(
            reason, HONE_REASON_MAX,
            "implausible: %.4g bytes in %.4g us are %.4g GB/s, %s has %.4g and needs "
            "at least %.4g us for them%s",
            job->bytes, time_us, job->bytes / time_us * 1e-3, limits->name,
            (double)limits->memory_bandwidth_mbs * 1e-3, memory,
            cold ? " with a cold L2" : "");
    else
        hone_snprintf(
            reason, HONE_REASON_MAX,
            "implausible: %.4g operations in %.4g us, %s needs at least %.4g us for "
            "them",
            job->flops, time_us, limits->name, arithmetic);
    return HONE_WRONG_RESULT;
}

// A multiply-add a cycle in each of 128 lanes of a multiprocessor.
bool hone_job_is_compute_bound(const struct hone_job *job,
                               const struct hone_limits *limits)
{
    static const double per_cycle = 2 * 128;
    const double operations =
        (double)limits->sm_count * (double)limits->sm_clock_khz * 1e3 * per_cycle;
    const double bytes = (double)limits->memory_bandwidth_mbs * 1e6;
    return bytes > 0 && job->flops > 0 && job->bytes > 0 &&
           job->flops / job->bytes > operations / bytes;
}
