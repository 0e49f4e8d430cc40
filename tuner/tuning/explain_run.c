#include "tuning/explain_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "insight/machine.h"
#include "tuning/parts.h"
#include "tuning/probe.h"

static bool is_script(const char *path)
{
    const size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".lua") == 0;
}

static enum hone_status run_script(struct hone_explain_run *run, struct hone_error *err)
{
    const struct hone_explain_options *o = run->options;
    const struct hone_around around = {.tuning = &run->tuning,
                                       .config = o->config,
                                       .config_count = o->config_count,
                                       .neighbours = o->neighbours};
    run->tuning.script = o->path;
    if (o->script)
        return hone_fail(err, HONE_EUSAGE, "--script goes with a journal: '%s' is one",
                         run->tuning.script);
    if (!hone_device_is_emulated(run->tuning.device))
        return hone_fail(err, HONE_EUSAGE,
                         "a script is explained on an emulated device, like emu:a100: a "
                         "journal of %s can be explained too",
                         run->tuning.device);
    const enum hone_status status =
        hone_around_run(&run->whole, &run->trial, &around, err);
    run->part = run->whole;
    return status;
}

// Counts for a journal that has none: its best and its default, run once more.
static enum hone_status run_again(struct hone_explain_run *run, struct hone_error *err)
{
    struct hone_machine machine;
    const struct hone_record_info *info = hone_recording_info(run->part);
    const struct hone_trial *trials[2] = {run->trial, hone_recording_default(run->part)};
    const bool forced = run->options->script != NULL;
    const char *own = run->tuning.device;
    char device[64];
    bool changed;
    const bool known = hone_machine_of(&machine, info) && machine.gpu;
    if (!known && forced)
        return hone_fail(err, HONE_EUSAGE, "--script: '%s' is of no GPU that is emulated",
                         hone_recording_path(run->part));
    if (!known) return HONE_OK;
    run->tuning.script =
        hone_kernel_script(&run->install, run->options->script, info->kernel);
    if (!run->tuning.script) return HONE_OK;
    snprintf(device, sizeof device, "emu:%s", machine.gpu);
    run->tuning.device = device;
    const struct hone_again again = {.tuning = &run->tuning,
                                     .recording = run->part,
                                     .trials = trials,
                                     .count = trials[1] ? 2 : 1,
                                     .force = forced};
    const enum hone_status status = hone_again_run(&run->again, &changed, &again, err);
    if (status == HONE_OK && changed && forced)
        hone_log(HONE_LOG_WARNING,
                 "the template is not the journal's: counts are of the one that '%s' has",
                 run->tuning.script);
    run->tuning.device = own;
    return status;
}

static enum hone_status load_journal(struct hone_explain_run *run, struct hone_error *err)
{
    const struct hone_explain_options *o = run->options;
    enum hone_status status = hone_recording_load_noted(&run->whole, o->path, err);
    if (status == HONE_OK)
        status = hone_part_of(&run->part, run->whole, run->tuning.set,
                              run->tuning.set_count, err);
    if (status == HONE_OK)
        status =
            hone_chosen_trial(&run->trial, run->part, o->config, o->config_count, err);
    if (status == HONE_OK &&
        (o->script || isnan(hone_trial_metric(run->trial, "grid_blocks", (double)NAN))))
        status = run_again(run, err);
    return status;
}

enum hone_status hone_explain_run_open(struct hone_explain_run *run,
                                       const struct hone_explain_options *options,
                                       struct hone_error *err)
{
    run->options = options;
    return is_script(options->path) ? run_script(run, err) : load_journal(run, err);
}

enum hone_status hone_explain_run_shapes(struct hone_shapes *out,
                                         struct hone_explain_run *run,
                                         const struct hone_trial *counted,
                                         struct hone_error *err)
{
    const struct hone_recording *there = run->again ? run->again : run->part;
    if (!run->tuning.script || !counted)
        return hone_fail(err, HONE_EUSAGE,
                         "--shapes runs the kernel at other sizes: it wants a script, or "
                         "--script beside a journal");
    run->tuning.device = hone_recording_info(there)->device_id;
    return hone_shapes_run(out, there, counted, &run->tuning, err);
}

void hone_explain_run_close(struct hone_explain_run *run)
{
    hone_recording_free(run->again);
    hone_recording_free(run->whole);
}
