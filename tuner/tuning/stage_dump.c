// What a stage on the way from the template to a prediction made of one configuration.
#include <string.h>

#include "device/emu.h"
#include "evaluate/evaluator.h"
#include "evaluate/module.h"
#include "hone/strbuf.h"
#include "verification_parts.h"

struct stage_dump {
    const struct hone_workbench *bench;
    uint64_t index;
    struct hone_job job;
    const struct hone_build *build;
};

static void add_source(struct hone_strbuf *out, const struct stage_dump *d)
{
    hone_strbuf_add(out, d->job.source);
}

static void add_ptx(struct hone_strbuf *out, const struct stage_dump *d)
{
    hone_strbuf_add(out, d->build->ptx);
}

static void add_log(struct hone_strbuf *out, const struct stage_dump *d)
{
    hone_strbuf_add(out, d->build->log);
}

static const struct compiled_stage {
    const char *name;
    void (*add)(struct hone_strbuf *out, const struct stage_dump *d);
    bool of_failed; /* there is one of a build that failed, too */
} compiled_stages[] = {
    {"source", add_source, true},
    {"log", add_log, true},
    {"ptx", add_ptx, false},
};
enum { COMPILED_STAGES = sizeof compiled_stages / sizeof *compiled_stages };

static const struct compiled_stage *find_compiled(const char *name)
{
    for (size_t i = 0; i < COMPILED_STAGES; i++)
        if (strcmp(compiled_stages[i].name, name) == 0) return &compiled_stages[i];
    return NULL;
}

static const char hardware_stage[] = "counters";

static bool is_hardware_stage(const char *name)
{
    return strcmp(name, hardware_stage) == 0;
}

static bool is_emulated_stage(const char *name)
{
    return !find_compiled(name) && !is_hardware_stage(name);
}

const char *hone_stage_name(size_t i)
{
    size_t emulated = 0;
    if (i < COMPILED_STAGES) return compiled_stages[i].name;
    while (hone_emu_stage_name(emulated))
        emulated++;
    i -= COMPILED_STAGES;
    if (i < emulated) return hone_emu_stage_name(i);
    if (i == emulated) return "counts";
    return i == emulated + 1 ? hardware_stage : NULL;
}

enum hone_status hone_stage_expect(const char *stage, struct hone_error *err)
{
    struct hone_strbuf names = HONE_STRBUF_INIT;
    const char *name;
    for (size_t i = 0; (name = hone_stage_name(i)); i++) {
        if (strcmp(name, stage) == 0) break;
        hone_strbuf_printf(&names, "%s%s", i ? ", " : "", name);
    }
    if (!name)
        hone_fail(err, HONE_EUSAGE, "no stage '%s' to dump; there are %s", stage,
                  names.data);
    hone_strbuf_fini(&names);
    return name ? HONE_OK : HONE_EUSAGE;
}

// By what the evaluator makes of the configuration; *evaluator is to be closed.
static enum hone_status evaluate_it(struct hone_evaluator **evaluator,
                                    struct hone_trial *trial, const struct stage_dump *d,
                                    unsigned flags, struct hone_error *err)
{
    const struct hone_evaluate_options options = {
        .flags = HONE_EVALUATE_NO_VERIFY | flags, .policy = hone_time_policy_default};
    enum hone_status status = hone_evaluator_direct(
        evaluator, d->bench->kernel, d->bench->device, d->bench->builder, &options, err);
    if (status == HONE_OK) status = hone_evaluate_one(trial, *evaluator, d->index, err);
    if (status != HONE_OK || trial->outcome == HONE_VALID) return status;
    return hone_fail(err, HONE_EDEVICE, "%s: %s", hone_outcome_name(trial->outcome),
                     trial->reason);
}

static enum hone_status add_counts(struct hone_strbuf *out, const struct stage_dump *d,
                                   struct hone_error *err)
{
    struct hone_evaluator *evaluator = NULL;
    struct hone_trial trial = {0};
    const enum hone_status status = evaluate_it(&evaluator, &trial, d, 0, err);
    if (status == HONE_OK)
        hone_strbuf_printf(out, "%-24s %.6g\n", "predicted_us", trial.predicted_us);
    for (uint32_t i = 0; status == HONE_OK && i < trial.metric_count; i++)
        hone_strbuf_printf(out, "%-24s %.6g\n", trial.metrics[i].name,
                           trial.metrics[i].value);
    hone_evaluator_close(evaluator);
    return status;
}

static enum hone_status add_counters(struct hone_strbuf *out, const struct stage_dump *d,
                                     struct hone_error *err)
{
    struct hone_evaluator *evaluator = NULL;
    struct hone_trial trial = {0};
    const enum hone_status status = evaluate_it(
        &evaluator, &trial, d, HONE_EVALUATE_COUNT | HONE_EVALUATE_COUNT_ALL, err);
    for (size_t i = 0; status == HONE_OK && trial.counters[i].name; i++)
        hone_strbuf_printf(out, "%-26s %.9g %s\n", trial.counters[i].name,
                           trial.counters[i].value, trial.counters[i].unit);
    hone_evaluator_close(evaluator);
    return status;
}

static enum hone_status add_stage(struct hone_strbuf *out, struct stage_dump *d,
                                  const char *stage, struct hone_error *err)
{
    const struct compiled_stage *compiled = find_compiled(stage);
    const struct hone_workbench *bench = d->bench;
    uint64_t ticket = 0;
    enum hone_status status =
        hone_job_queue(&d->job, bench->builder, bench->device->limits.arch, &ticket, err);
    if (status == HONE_OK)
        status = hone_builder_take(bench->builder, ticket, &d->build, err);
    if (status != HONE_OK) return status;
    if (d->build->outcome != HONE_VALID && !(compiled && compiled->of_failed))
        return hone_fail(err, HONE_EDEVICE, "it does not build: %s", d->build->reason);
    if (compiled) {
        compiled->add(out, d);
        return HONE_OK;
    }
    if (strcmp(stage, "counts") == 0) return add_counts(out, d, err);
    if (is_hardware_stage(stage)) return add_counters(out, d, err);
    return hone_emu_dump(out, bench->device, d->build, d->job.entry, stage, err);
}

// An emulated device runs here whatever the stage; so does a compiler for a GPU.
static enum hone_status dump_bench_open(struct hone_verification *v, const char *stage,
                                        struct hone_error *err)
{
    enum hone_status status = hone_verification_bench_open(v, v->options->device, err);
    if (status != HONE_OK) return status;
    if (is_emulated_stage(stage) && v->bench.device->clock != HONE_CLOCK_EMULATED)
        return hone_fail(err, HONE_EUSAGE,
                         "stage '%s' is of the emulator, %s is none: --device emu:a100",
                         stage, v->bench.device->id);
    if (is_hardware_stage(stage) && v->bench.device->clock == HONE_CLOCK_EMULATED)
        return hone_fail(err, HONE_EUSAGE,
                         "stage '%s' is of a GPU's hardware, %s is emulated: 'counts' is "
                         "what the emulator counts",
                         stage, v->bench.device->id);
    return HONE_OK;
}

enum hone_status hone_stage_dump(struct hone_strbuf *out,
                                 const struct hone_verification_options *options,
                                 const char *stage, struct hone_error *err)
{
    struct hone_verification v = {.options = options};
    struct stage_dump d = {.bench = &v.bench};
    enum hone_status status = dump_bench_open(&v, stage, err);
    if (status == HONE_OK) {
        d.index = v.bench.has_default ? v.bench.default_index : 0;
        status = hone_kernel_job(&d.job, v.bench.kernel, d.index, NULL, err);
    }
    if (status == HONE_OK) status = add_stage(out, &d, stage, err);
    if (status == HONE_OK && out->failed)
        status = hone_no_memory(err, "for the text of a stage");
    hone_build_release(d.build);
    hone_job_fini(&d.job);
    hone_verification_close(&v);
    return status;
}
