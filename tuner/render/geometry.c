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

static const char *text_of(const struct hone_formula *formula)
{
    return formula->expr ? hone_expr_text(formula->expr) : "1";
}

static enum hone_status check_threads(const struct hone_maker *maker,
                                      const struct hone_launch_formulas *launch,
                                      const uint32_t block[3])
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads <= MAX_THREADS) return HONE_OK;
    *maker->too_large = true;
    const struct hone_formula *x = &launch->block[0];
    return hone_fail_at(
        maker->err, HONE_EINPUT, maker->kernel->def.source, x->line,
        "block %u x %u x %u ('%s', ...) has %llu threads, no device allows "
        "more than %d",
        block[0], block[1], block[2], text_of(x), (unsigned long long)threads,
        MAX_THREADS);
}

static bool has_cluster(const struct hone_launch_formulas *launch)
{
    return launch->cluster[0].expr || launch->cluster[1].expr || launch->cluster[2].expr;
}

static enum hone_status make_cluster(const struct hone_maker *maker,
                                     const struct hone_launch_formulas *launch,
                                     uint32_t cluster[3])
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 3 && status == HONE_OK; i++)
        status = make_axis(maker, &launch->cluster[i], HONE_CLUSTER_MOST, &cluster[i]);
    if (status != HONE_OK || cluster[0] * cluster[1] * cluster[2] <= HONE_CLUSTER_MOST)
        return status;
    *maker->too_large = true;
    const struct hone_formula *formulas = launch->cluster;
    return hone_fail_at(
        maker->err, HONE_EINPUT, maker->kernel->def.source, formulas->line,
        "cluster %u x %u x %u ('%s', '%s', '%s') has %u blocks, no device allows more "
        "than %d, and all of them %d",
        cluster[0], cluster[1], cluster[2], text_of(&formulas[0]), text_of(&formulas[1]),
        text_of(&formulas[2]), cluster[0] * cluster[1] * cluster[2], HONE_CLUSTER_MOST,
        HONE_CLUSTER_PORTABLE);
}

static enum hone_status check_clusters_fit(const struct hone_maker *maker,
                                           const struct hone_launch_formulas *launch,
                                           const struct hone_geometry *geometry)
{
    for (size_t i = 0; i < 3; i++) {
        const uint32_t grid = geometry->grid[i], cluster = geometry->cluster[i];
        const struct hone_formula *formula = &launch->grid[i];
        if (grid % cluster == 0) continue;
        return hone_fail_at(
            maker->err, HONE_EINPUT, maker->kernel->def.source, formula->line,
            "%s '%s' is %u blocks, which clusters of %u ('%s') do not divide: let it "
            "round up, ceil_div(%s, %s) * (%s), and blocks too many do nothing",
            formula->what, text_of(formula), grid, cluster, text_of(&launch->cluster[i]),
            text_of(formula), text_of(&launch->cluster[i]), text_of(&launch->cluster[i]));
    }
    return HONE_OK;
}

enum hone_status hone_maker_geometry(const struct hone_maker *maker,
                                     const struct hone_launch_formulas *launch,
                                     uint32_t flags)
{
    struct hone_geometry *geometry = &maker->job->geometry;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 3 && status == HONE_OK; i++) {
        status = make_axis(maker, &launch->grid[i], max_grid[i], &geometry->grid[i]);
        if (status == HONE_OK)
            status =
                make_axis(maker, &launch->block[i], max_block[i], &geometry->block[i]);
    }
    geometry->flags = flags;
    if (status == HONE_OK) status = check_threads(maker, launch, geometry->block);
    if (status == HONE_OK && has_cluster(launch)) {
        status = make_cluster(maker, launch, geometry->cluster);
        if (status == HONE_OK) status = check_clusters_fit(maker, launch, geometry);
    }
    if (status != HONE_OK || !launch->shared.expr) return status;
    int64_t bytes;
    status = hone_maker_count(maker, &launch->shared, 0, INT32_MAX, &bytes);
    if (status == HONE_OK) geometry->shared_bytes = (uint32_t)bytes;
    return status;
}

enum hone_status hone_cluster_check(const struct hone_kernel *kernel,
                                    struct hone_error *err)
{
    const struct hone_launch_formulas *launch = &kernel->launch;
    bool too_large = false;
    const struct hone_maker maker = {
        .kernel = kernel, .too_large = &too_large, .err = err};
    uint32_t cluster[3];
    for (size_t i = 0; i < 3; i++)
        if (launch->cluster[i].expr && hone_expr_var_count(launch->cluster[i].expr))
            return HONE_OK;
    return make_cluster(&maker, launch, cluster);
}
