// An evaluator that corrects the predictions of another one by what was measured.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "evaluate/evaluator.h"

struct calibrated {
    struct hone_evaluator *inner;
    struct hone_calibration calibration;
};

static size_t calibrated_capacity(struct hone_evaluator *evaluator)
{
    const struct calibrated *c = evaluator->priv;
    return c->inner->fns->capacity(c->inner);
}

static enum hone_status calibrated_submit(struct hone_evaluator *evaluator,
                                          uint64_t index, struct hone_error *err)
{
    const struct calibrated *c = evaluator->priv;
    c->inner->begin = evaluator->begin;
    c->inner->begin_context = evaluator->begin_context;
    return c->inner->fns->submit(c->inner, index, err);
}

static enum hone_status correct(struct hone_evaluator *evaluator,
                                struct hone_trial *trial, struct hone_error *err)
{
    const struct calibrated *c = evaluator->priv;
    struct hone_calibration_point point;
    struct hone_trial_notes notes;
    if (!hone_calibration_point(&point, trial)) return HONE_OK;
    hone_trial_note(trial, &notes);
    hone_trial_refer(trial, &notes);
    if (trial->metric_count < HONE_METRIC_MAX)
        notes.metrics[trial->metric_count++] =
            (struct hone_metric){"uncalibrated_us", trial->predicted_us};
    trial->predicted_us = hone_calibration_apply(&c->calibration, &point);
    return hone_evaluator_keep(evaluator, trial, err);
}

static enum hone_status calibrated_wait(struct hone_evaluator *evaluator,
                                        struct hone_trial *out, size_t cap, size_t *count,
                                        struct hone_error *err)
{
    const struct calibrated *c = evaluator->priv;
    enum hone_status status = c->inner->fns->wait(c->inner, out, cap, count, err);
    for (size_t i = 0; status == HONE_OK && i < *count; i++)
        status = correct(evaluator, &out[i], err);
    return status;
}

static enum hone_status calibrated_confirm(struct hone_evaluator *evaluator,
                                           struct hone_confirmation *confirmation,
                                           struct hone_error *err)
{
    const struct calibrated *c = evaluator->priv;
    if (c->inner->fns->confirm)
        return c->inner->fns->confirm(c->inner, confirmation, err);
    return hone_fail(err, HONE_EUNSUPPORTED, "evaluator '%s' compares no results",
                     c->inner->fns->name);
}

static double calibrated_absent(const struct hone_evaluator *evaluator)
{
    const struct calibrated *c = evaluator->priv;
    return c->inner->fns->absent_s ? c->inner->fns->absent_s(c->inner) : 0;
}

static void calibrated_close(struct hone_evaluator *evaluator)
{
    struct calibrated *c = evaluator->priv;
    hone_evaluator_close(c->inner);
}

static const struct hone_evaluator_fns fns = {.name = "calibrated",
                                              .priv_size = sizeof(struct calibrated),
                                              .capacity = calibrated_capacity,
                                              .submit = calibrated_submit,
                                              .wait = calibrated_wait,
                                              .confirm = calibrated_confirm,
                                              .absent_s = calibrated_absent,
                                              .close = calibrated_close};

// ---- points ----

// Predict one measured configuration; *point is filled when that works.
static enum hone_status take_point(struct hone_evaluator *inner, uint64_t index,
                                   double time_us, struct hone_calibration_point *point,
                                   bool *taken, struct hone_error *err)
{
    struct hone_trial trial;
    const enum hone_status status = hone_evaluate_one(&trial, inner, index, err);
    if (status != HONE_OK) return status;
    trial.time_us = time_us;
    *taken = trial.outcome == HONE_VALID && hone_calibration_point(point, &trial);
    return HONE_OK;
}

static bool is_measured(const struct hone_trial *trial)
{
    return trial->outcome == HONE_VALID && isfinite(trial->time_us) && trial->time_us > 0;
}

static enum hone_status take_points(struct hone_evaluator *inner,
                                    const struct hone_space *space,
                                    const struct hone_recording *measured,
                                    struct hone_calibration_point *points, size_t *count,
                                    struct hone_error *err)
{
    const size_t n = hone_space_param_count(space) +
                     hone_space_param_count(hone_recording_space(measured));
    uint16_t *choices = calloc(n + 1, sizeof *choices);
    if (!choices) return hone_no_memory(err, "for a calibration");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < hone_recording_count(measured); i++) {
        const struct hone_trial *trial = hone_recording_trial(measured, i);
        uint64_t index;
        bool taken = false;
        if (status != HONE_OK || *count == HONE_CALIBRATION_MAX_POINTS) break;
        if (!is_measured(trial) ||
            !hone_recording_index_in(measured, trial, space, choices, &index))
            continue;
        status = take_point(inner, index, trial->time_us, &points[*count], &taken, err);
        *count += taken;
    }
    free(choices);
    return status;
}

enum hone_status hone_evaluator_calibrated(struct hone_evaluator **out,
                                           struct hone_evaluator *inner,
                                           const struct hone_space *space,
                                           const struct hone_recording *measured,
                                           size_t *points_used, struct hone_error *err)
{
    struct hone_calibration_point points[HONE_CALIBRATION_MAX_POINTS];
    struct hone_calibration calibration;
    *points_used = 0;
    enum hone_status status =
        take_points(inner, space, measured, points, points_used, err);
    if (status != HONE_OK) return status;
    if (!hone_calibration_fit(&calibration, points, *points_used))
        return hone_fail(err, HONE_EINPUT,
                         "'%s' has %zu measured configurations of this space that can be "
                         "predicted, calibration needs %d",
                         hone_recording_path(measured), *points_used,
                         HONE_CALIBRATION_MIN_POINTS);
    status = hone_evaluator_make(out, &fns, err);
    if (status != HONE_OK) return status;
    struct calibrated *c = (*out)->priv;
    *c = (struct calibrated){.inner = inner, .calibration = calibration};
    return HONE_OK;
}
