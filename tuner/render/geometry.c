// How a job is launched: extents by their formulas, and what no device could launch.
#include "maker.h"

// Largest grid, block and block volume of any CUDA device so far (CUDA C++ Programming
// Guide, technical specifications per compute capability: the same from 3.0 to 12.x).
static const int64_t max_grid[3] = {2147483647, 65535, 65535};
static const int64_t max_block[3] = {1024, 1024, 64};
enum { MAX_THREADS = 1024 };

static enum hone_status make_axis(const struct hone_maker *maker,
                                  const struct hone_formula *formula, int64_t limit,
                                  uint32_t *out)
{
    int64_t n = 1;
    if (formula->expr) {
        enum hone_status status = hone_maker_count(maker, formula, 1, limit, &n);
        if (status != HONE_OK) return status;
    }
    *out = (uint32_t)n;
    return HONE_OK;
}

static enum hone_status check_threads(const struct hone_maker *maker,
                                      const struct hone_launch_formulas *launch,
                                      const uint32_t block[3])
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads <= MAX_THREADS) return HONE_OK;
    const struct hone_formula *x = &launch->block[0];
    return hone_fail_at(
        maker->err, HONE_EINPUT, maker->kernel->def.source, x->line,
        "block %u x %u x %u ('%s', ...) has %llu threads, no device allows "
        "more than %d",
        block[0], block[1], block[2], x->expr ? hone_expr_text(x->expr) : "1",
        (unsigned long long)threads, MAX_THREADS);
}

enum hone_status hone_maker_geometry(const struct hone_maker *maker,
                                     const struct hone_launch_formulas *launch)
{
    struct hone_geometry *geometry = &maker->job->geometry;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 3 && status == HONE_OK; i++) {
        status = make_axis(maker, &launch->grid[i], max_grid[i], &geometry->grid[i]);
        if (status == HONE_OK)
            status =
                make_axis(maker, &launch->block[i], max_block[i], &geometry->block[i]);
    }
    if (status == HONE_OK) status = check_threads(maker, launch, geometry->block);
    if (status != HONE_OK || !launch->shared.expr) return status;
    int64_t bytes;
    status = hone_maker_count(maker, &launch->shared, 0, INT32_MAX, &bytes);
    if (status == HONE_OK) geometry->shared_bytes = (uint32_t)bytes;
    return status;
}
