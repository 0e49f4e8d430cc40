#include "energy.h"

#include <math.h>

// Launches between two readings: a step of the counter is seen so late at most, half a
// percent of a second.
static const double batch_us = 5e3;

// At most so many are queued at once: behind a kernel that hangs the driver's queue must
// not be full, since the next launch would block.
enum { QUEUED_MOST = 512 };

// Kernel time without a step of the counter after which it is given up.
static const double patience_us = 2e6;

struct counting {
    struct hone_cuda *cuda;
    struct hone_module *module;
    const struct hone_launch *launch;
    struct hone_fault *fault;
    double each_us;
    size_t launches;
    double joules; // last read
};

static CUresult run_part(struct counting *c, size_t n)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < n && result == CUDA_SUCCESS; i++)
        result = hone_cuda_submit(c->cuda, c->module, c->launch);
    return hone_cuda_finish(c->cuda, result,
                            hone_cuda_row_deadline(c->launch, n, c->each_us));
}

static CUresult run_launches(struct counting *c, size_t n)
{
    CUresult result = CUDA_SUCCESS;
    for (; n > QUEUED_MOST && result == CUDA_SUCCESS; n -= QUEUED_MOST)
        result = run_part(c, QUEUED_MOST);
    return result == CUDA_SUCCESS ? run_part(c, n) : result;
}

// Launches until the counter steps and so much kernel time has passed; false when it does
// not step or a launch fails.
static bool run_to_step(struct counting *c, double least_us)
{
    const size_t n = (size_t)fmax(1, batch_us / c->each_us);
    for (double us = 0; us < least_us + patience_us; us += (double)n * c->each_us) {
        const double before = c->joules;
        const CUresult result = run_launches(c, n);
        if (result != CUDA_SUCCESS) {
            hone_cuda_set_fault(c->cuda, c->fault, result, c->launch);
            return false;
        }
        c->launches += n;
        if (!hone_nvml_energy(&c->cuda->nvml, &c->joules)) return false;
        if (us >= least_us && c->joules > before) return true;
    }
    return false;
}

double hone_cuda_count_energy(struct hone_device *dev, struct hone_module *module,
                              const struct hone_launch *launch, double each_us,
                              double energy_ms, struct hone_fault *fault)
{
    struct counting c = {.cuda = dev->priv,
                         .module = module,
                         .launch = launch,
                         .fault = fault,
                         .each_us = each_us};
    if (!hone_nvml_energy(&c.cuda->nvml, &c.joules) || !run_to_step(&c, 0))
        return (double)NAN;
    const double joules = c.joules;
    c.launches = 0;
    if (!run_to_step(&c, energy_ms * 1e3)) return (double)NAN;
    return (c.joules - joules) / (double)c.launches;
}
