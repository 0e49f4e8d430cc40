// hone_bench_predict [SHARED [N [SEED [POINTS]]]]: how good predictions are. Recorded
// convolutions that stage in shared memory are drawn, N of them [80], built and predicted
// by the emulator of the GPU they were recorded on, and compared with the recorded times:
// as they are, and calibrated with 20 points, on the others. POINTS gets all figures, a
// line of JSON a configuration. Needs NVRTC and SHARED/recorded.
// hone_bench_predict JOURNAL.jsonl SCRIPT DEVICE [N [SEED [POINTS]]]: the same for a
// journal of one's own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "accuracy.h"
#include "calibrate.h"
#include "hone/evaluate.h"
#include "hone/rng.h"
#include "hone/version.h"
#include "recorded.h"

enum {
    SAMPLE_MAX = 2000,
    TRAIN = 20,
    SPLITS = 100,
    TOP = 5,
    PARAM_MAX = 64,
    TEXT_MAX = 64
};

struct machine {
    const struct recorded_source *source;
    struct recorded recorded;
    struct hone_evaluator *evaluator;
    FILE *dump;
};

struct sample {
    struct hone_calibration_point points[SAMPLE_MAX];
    size_t count;
    uint64_t seed;
};

static enum hone_status open_machine(struct machine *m,
                                     const struct recorded_source *source,
                                     struct hone_error *err)
{
    const struct hone_builder_options builder = {0};
    const struct hone_evaluate_options evaluate = {.flags = HONE_EVALUATE_NO_VERIFY,
                                                   .policy = hone_time_policy_default};
    *m = (struct machine){.source = source};
    enum hone_status status = recorded_open(&m->recorded, source, err);
    struct hone_workbench *bench = &m->recorded.bench;
    if (status == HONE_OK)
        status =
            hone_workbench_prepare(bench, source->device, HONE_CLOCK_NONE, &builder, err);
    if (status == HONE_OK)
        status = hone_evaluator_direct(&m->evaluator, bench->kernel, bench->device,
                                       bench->builder, &evaluate, err);
    return status;
}

static void close_machine(struct machine *m)
{
    if (m->evaluator) hone_evaluator_close(m->evaluator);
    recorded_close(&m->recorded);
}

// Recorded trials that can be compared, in random order; returns how many.
static size_t draw(const struct machine *m, uint64_t seed, const struct hone_trial **out,
                   size_t cap)
{
    const struct hone_recording *recording = m->recorded.recording;
    struct hone_rng rng;
    size_t seen = 0;
    uint64_t index;
    hone_rng_seed(&rng, seed);
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        const struct hone_value *staged = recorded_value(recording, trial, "use_shmem");
        if (m->source->foreign && staged && staged->i != 1) continue;
        if (trial->outcome != HONE_VALID || isnan(trial->time_us) ||
            !recorded_index(&m->recorded, recording, trial, &index))
            continue;
        // Inside out: each prefix is a uniform sample in random order (Fisher, Yates).
        const size_t place = (size_t)hone_rng_below(&rng, ++seen);
        if (seen <= cap) out[seen - 1] = place < seen - 1 ? out[place] : trial;
        if (place < cap) out[place] = trial;
    }
    return seen < cap ? seen : cap;
}

static void dump_config(const struct machine *m, uint64_t index)
{
    const struct hone_space *space = m->recorded.bench.space;
    uint16_t choices[PARAM_MAX];
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        const struct hone_value *value = &param->values[choices[i]];
        char text[TEXT_MAX];
        hone_value_print(text, sizeof text, *value);
        const char *quote = value->type == HONE_STRING ? "\"" : "";
        fprintf(m->dump, ",\"%s\":%s%s%s", param->name, quote, text, quote);
    }
}

// A line of what a model can be fitted to.
static void dump(const struct machine *m, const struct hone_trial *trial)
{
    fprintf(m->dump, "{\"device\":\"%s\",\"time_us\":%.9g,\"predicted_us\":%.9g",
            m->recorded.bench.device->id, trial->time_us, trial->predicted_us);
    dump_config(m, trial->index);
    for (uint32_t i = 0; i < trial->metric_count; i++)
        fprintf(m->dump, ",\"%s\":%.9g", trial->metrics[i].name, trial->metrics[i].value);
    fprintf(m->dump, ",\"registers\":%d}\n", trial->resources.registers);
}

static enum hone_status predict(struct machine *m, const struct hone_trial **recorded,
                                size_t count, struct sample *out, struct hone_error *err)
{
    struct hone_evaluator *e = m->evaluator;
    size_t submitted = 0;
    for (size_t done = 0; done < count;) {
        enum hone_status status = HONE_OK;
        while (submitted < count && submitted - done < e->fns->capacity(e)) {
            uint64_t index = 0;
            recorded_index(&m->recorded, m->recorded.recording, recorded[submitted++],
                           &index);
            status = e->fns->submit(e, index, err);
            if (status != HONE_OK) return status;
        }
        struct hone_trial trial; // they come in the order of submission
        size_t got = 0;
        status = e->fns->wait(e, &trial, 1, &got, err);
        if (status != HONE_OK) return status;
        trial.time_us = recorded[done]->time_us;
        if (m->dump) dump(m, &trial);
        if (trial.outcome != HONE_VALID)
            printf("  not predicted: %s\n", trial.reason);
        else if (hone_calibration_point(&out->points[out->count], &trial))
            out->count++;
        done += got;
    }
    return HONE_OK;
}

// ---- figures ----

struct figures {
    double spearman, top, error;
};

static struct figures judge(const struct accuracy_pair *pairs, size_t count)
{
    return (struct figures){.spearman = accuracy_spearman(pairs, count),
                            .top = accuracy_top(pairs, count, TOP),
                            .error = accuracy_scaled_error(pairs, count)};
}

static struct figures judge_model(const struct sample *sample, double *random)
{
    struct accuracy_pair pairs[SAMPLE_MAX];
    for (size_t i = 0; i < sample->count; i++)
        pairs[i] = (struct accuracy_pair){sample->points[i].predicted_us,
                                          sample->points[i].measured_us};
    *random = accuracy_random(pairs, sample->count, TOP);
    return judge(pairs, sample->count);
}

static void shuffle(struct sample *sample, struct hone_rng *rng)
{
    for (size_t i = sample->count; i > 1; i--) {
        const size_t k = (size_t)hone_rng_below(rng, i);
        const struct hone_calibration_point point = sample->points[i - 1];
        sample->points[i - 1] = sample->points[k];
        sample->points[k] = point;
    }
}

// Calibrated with the first TRAIN points, judged on the others.
static struct figures judge_calibrated(const struct sample *sample, size_t train)
{
    struct hone_calibration calibration;
    struct accuracy_pair pairs[SAMPLE_MAX];
    const bool fitted = hone_calibration_fit(&calibration, sample->points, train);
    for (size_t i = train; i < sample->count; i++) {
        const struct hone_calibration_point *point = &sample->points[i];
        pairs[i - train] = (struct accuracy_pair){
            fitted ? hone_calibration_apply(&calibration, point) : point->predicted_us,
            point->measured_us};
    }
    return judge(pairs, sample->count - train);
}

static void print_calibrated(struct sample *sample)
{
    struct figures sum = {0};
    struct hone_rng rng;
    double least = 1.0;
    hone_rng_seed(&rng, sample->seed);
    for (int split = 0; split < SPLITS; split++) {
        shuffle(sample, &rng);
        const struct figures f = judge_calibrated(sample, TRAIN);
        sum.spearman += f.spearman / SPLITS;
        sum.top += f.top / SPLITS;
        sum.error += f.error / SPLITS;
        if (f.spearman < least) least = f.spearman;
    }
    printf("  calibrated, %d points  %8.3f %9.3f %9.1f %%   held out; mean of %d splits, "
           "least rho %.3f\n",
           TRAIN, sum.spearman, sum.top, 100 * sum.error, SPLITS, least);
}

static void print_figures(struct sample *sample)
{
    double random;
    const struct figures model = judge_model(sample, &random);
    printf("  %-22s %8s %9s %11s\n", "", "rho", "top-5", "error");
    printf("  %-22s %8.3f %9.3f %9.1f %%\n", "model", model.spearman, model.top,
           100 * model.error);
    if (sample->count >= 2 * TRAIN) print_calibrated(sample);
    printf("  %-22s %8.3f %9.3f\n", "random", 0.0, random);
}

struct arguments {
    size_t size;
    uint64_t seed;
    FILE *dump; // NULL for none
};

static void bench(const struct arguments *args, const struct recorded_source *source)
{
    static const struct hone_trial *recorded[SAMPLE_MAX];
    static struct sample sample;
    struct machine m;
    struct hone_error err = {0};
    sample = (struct sample){.seed = args->seed};
    enum hone_status status = open_machine(&m, source, &err);
    m.dump = args->dump;
    if (status == HONE_OK)
        status = predict(&m, recorded, draw(&m, args->seed, recorded, args->size),
                         &sample, &err);
    if (status == HONE_OK) {
        printf("%s on %s, %zu configurations, seed %llu\n", source->journal,
               source->device, sample.count, (unsigned long long)args->seed);
        print_figures(&sample);
    } else {
        printf("%s on %s: skipped: %s\n", source->journal, source->device, err.text);
    }
    fflush(stdout);
    close_machine(&m);
}

// The public convolution recordings and the GPU that each comes from. The younger ones
// have configurations that do not stage in shared memory, which the published kernel
// ignores; the older ones always stage, and have other values for some parameters.
static void bench_public(const struct arguments *args, const char *shared)
{
    static const struct {
        const char *name, *device;
    } recordings[] = {
        {"convolution_milo_A100", "emu:a100-pcie-40"},
        {"convolution_milo_A6000", "emu:a6000"},
        {"convolution_RTX_3090", "emu:rtx3090"},
        {"convolution_RTX_Titan", "emu:titan-rtx"},
        {"convolution_RTX_3060_laptop", "emu:rtx3060-laptop"},
    };
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/recorded/%s.jsonl", shared, recordings[i].name);
        bench(args, &(struct recorded_source){.journal = path,
                                              .script = HONE_SOURCE_DIR
                                              "/kernels/convolution.lua",
                                              .device = recordings[i].device,
                                              .foreign = true});
    }
}

static void print_machine(void)
{
    struct utsname system;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    uname(&system);
    printf("hone %s, %s, %s %s, %ld cores\n\n", HONE_VERSION, date, system.sysname,
           system.machine, sysconf(_SC_NPROCESSORS_ONLN));
}

static bool is_journal(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".jsonl") == 0;
}

int main(int argc, char **argv)
{
    const bool own = argc > 1 && is_journal(argv[1]);
    const int next = own ? 4 : 2; // after what to predict
    const struct arguments args = {
        .size = argc > next ? strtoul(argv[next], NULL, 10) : 80,
        .seed = argc > next + 1 ? strtoull(argv[next + 1], NULL, 10) : 1,
        .dump = argc > next + 2 ? fopen(argv[next + 2], "w") : NULL};
    if (args.size < 2 || args.size > SAMPLE_MAX || (argc > next + 2 && !args.dump) ||
        (own && argc < next)) {
        fprintf(stderr,
                "usage: %s [SHARED | JOURNAL.jsonl SCRIPT DEVICE] [N from 2 to %d [SEED "
                "[POINTS-FILE]]]\n",
                argv[0], SAMPLE_MAX);
        return 2;
    }
    print_machine();
    if (own)
        bench(&args, &(struct recorded_source){
                         .journal = argv[1], .script = argv[2], .device = argv[3]});
    else
        bench_public(&args, argc > 1 ? argv[1] : HONE_SOURCE_DIR "/../shared");
    if (args.dump) fclose(args.dump);
    return 0;
}
