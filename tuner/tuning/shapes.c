// Nearby sizes of a problem: those that alignment, whole tiles and whole waves of blocks
// like better.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insight/journal_space.h"
#include "insight/work.h"
#include "tuning/explaining.h"
#include "tuning/probe.h"

enum { SIZES_MOST = 16 }; // each takes a prediction, some also a build

// What is less is not worth another size (insight/diagnosis.c).
static const double worth = 0.95;

struct shapes_run {
    struct hone_shapes *out;
    const struct hone_recording *recording;
    const struct hone_trial *trial;
    const struct hone_tuning_options *tuning;
    struct hone_builder *builder; // of all sizes
    struct hone_value *sizes;     // [problem_count]
    double us, work;              // of the trial
};

static enum hone_status choose_same(void *context, struct hone_probe_list *list,
                                    struct hone_error *err)
{
    const struct shapes_run *run = context;
    const struct hone_space *space = list->target->space;
    const size_t params = hone_space_param_count(space);
    uint16_t *scratch = calloc(2 * params + 1, sizeof *scratch);
    if (!scratch) return hone_no_memory(err, "for a configuration");
    enum hone_status status = HONE_OK;
    uint64_t index;
    if (hone_recording_index_in(run->recording, run->trial, space, scratch, &index))
        status = hone_probe_add(list, index, err);
    free(scratch);
    return status;
}

// Operations, else bytes; NAN where the script does not tell.
static enum hone_status find_work(double *out, const struct hone_recording *recording,
                                  const struct hone_trial *trial, struct hone_error *err)
{
    struct hone_space *space = NULL;
    struct hone_work work = {NAN, NAN, NAN, NAN};
    enum hone_status status =
        hone_journal_space(&space, hone_recording_info(recording), err);
    if (status == HONE_OK)
        status = hone_journal_work(&work, recording, space, trial, err);
    hone_space_free(space);
    *out = work.flops > 0 ? work.flops : work.bytes;
    return status;
}

// A size of less work takes less time: only the time for a piece of it counts there.
static void keep_shape(struct shapes_run *run, size_t i, int64_t size, double us,
                       double work)
{
    const struct hone_record_info *info = hone_recording_info(run->recording);
    struct hone_shape shape = {
        .us = us, .ratio = us / run->us, .per_work = us / run->us * run->work / work};
    const bool faster = size > run->sizes[i].i && shape.ratio <= worth;
    if (!faster && !(shape.per_work <= worth)) return;
    snprintf(shape.text, sizeof shape.text, "%.60s=%lld", info->problem[i].name,
             (long long)size);
    run->out->items[run->out->count++] = shape;
}

static enum hone_status try_size(struct shapes_run *run, size_t i, int64_t size,
                                 struct hone_error *err)
{
    const struct hone_probe_options probe = {.tuning = run->tuning,
                                             .sizes = run->sizes,
                                             .shared = &run->builder,
                                             .choose = choose_same,
                                             .context = run};
    struct hone_recording *there = NULL;
    struct hone_error why = {0};
    const int64_t own = run->sizes[i].i;
    run->sizes[i].i = size;
    enum hone_status status = hone_probe_run(&there, &probe, &why);
    run->sizes[i].i = own;
    run->out->tried++;
    const struct hone_trial *trial = status == HONE_OK && hone_recording_count(there)
                                         ? hone_recording_trial(there, 0)
                                         : NULL;
    double work;
    if (trial && trial->outcome == HONE_VALID) {
        status = find_work(&work, there, trial, err);
        keep_shape(run, i, size, trial->predicted_us, work);
    }
    hone_recording_free(there);
    // a script may forbid a size
    if (status == HONE_ENOMEM) return hone_no_memory(err, "for another size");
    return status == HONE_ECANCELLED ? hone_fail(err, status, "interrupted") : HONE_OK;
}

static bool is_tried(const int64_t *sizes, size_t count, int64_t size)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i] == size) return true;
    return false;
}

// Multiples of powers of two around size, at most an eighth away.
static size_t nearby(int64_t *out, size_t most, int64_t size)
{
    enum { UNIT_MOST = 512 };
    size_t count = 0;
    if (size < 1 || size > INT64_MAX - UNIT_MOST) return 0;
    for (int64_t unit = 8; unit <= UNIT_MOST; unit *= 2) {
        const int64_t down = (size - 1) / unit * unit, up = size / unit * unit + unit;
        const int64_t both[2] = {up, down};
        for (int i = 0; i < 2 && count < most; i++) {
            const int64_t away = both[i] > size ? both[i] - size : size - both[i];
            if (both[i] > 0 && away <= size / 8 && !is_tried(out, count, both[i]))
                out[count++] = both[i];
        }
    }
    return count;
}

static int by_time_for_work(const void *a, const void *b)
{
    const struct hone_shape *x = a, *y = b;
    const double p = isnan(x->per_work) ? x->ratio : x->per_work;
    const double q = isnan(y->per_work) ? y->ratio : y->per_work;
    return (p > q) - (p < q);
}

static enum hone_status try_all(struct shapes_run *run, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(run->recording);
    size_t numbers = 0;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < info->problem_count; i++)
        numbers += info->problem[i].value.type == HONE_INT;
    const size_t each = numbers && numbers < SIZES_MOST ? SIZES_MOST / numbers : 1;
    for (size_t i = 0; i < info->problem_count && status == HONE_OK; i++) {
        int64_t sizes[SIZES_MOST];
        const struct hone_value value = info->problem[i].value;
        const size_t count = value.type == HONE_INT ? nearby(sizes, each, value.i) : 0;
        for (size_t k = 0; k < count && status == HONE_OK; k++)
            if (run->out->tried < SIZES_MOST) status = try_size(run, i, sizes[k], err);
    }
    return status;
}

enum hone_status hone_shapes_run(struct hone_shapes *out,
                                 const struct hone_recording *recording,
                                 const struct hone_trial *trial,
                                 const struct hone_tuning_options *tuning,
                                 struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct shapes_run run = {.out = out,
                             .recording = recording,
                             .trial = trial,
                             .tuning = tuning,
                             .us = trial->predicted_us};
    *out = (struct hone_shapes){.items = calloc(SIZES_MOST, sizeof *out->items)};
    run.sizes = calloc(info->problem_count + 1, sizeof *run.sizes);
    enum hone_status status = find_work(&run.work, recording, trial, err);
    if (status == HONE_OK && (!out->items || !run.sizes))
        status = hone_no_memory(err, "for other sizes");
    if (status == HONE_OK) {
        for (size_t i = 0; i < info->problem_count; i++)
            run.sizes[i] = info->problem[i].value;
        status = try_all(&run, err);
        qsort(out->items, out->count, sizeof *out->items, by_time_for_work);
    }
    hone_builder_free(run.builder);
    free(run.sizes);
    return status;
}

void hone_shapes_fini(struct hone_shapes *shapes)
{
    free(shapes->items);
    *shapes = (struct hone_shapes){0};
}
