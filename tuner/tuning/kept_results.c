// Which journals a header may be made of: those of the script as it is now.
#include "tuning/kept_results.h"

#include <assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "hone/device.h"
#include "hone/version.h"

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

// "0.1." of "0.1.0": what a minor version may change.
static bool is_ours(const char *version)
{
    char prefix[32];
    const int len =
        snprintf(prefix, sizeof prefix, "%d.%d.", HONE_VERSION_MAJOR, HONE_VERSION_MINOR);
    return version && strncmp(version, prefix, (size_t)len) == 0;
}

static enum hone_status compare_hashes(const struct hone_kernel *kernel,
                                       const struct hone_record_info *info,
                                       struct hone_error *err)
{
    if (!same_text(hone_kernel_template_hash(kernel), info->template_hash))
        return hone_fail(err, HONE_EINPUT, "its template hash is %s, now it is %s",
                         info->template_hash ? info->template_hash : "absent",
                         hone_kernel_template_hash(kernel));
    if (!same_text(hone_kernel_space_hash(kernel), info->space_hash))
        return hone_fail(err, HONE_EINPUT, "its space hash is %s, now it is %s",
                         info->space_hash ? info->space_hash : "absent",
                         hone_kernel_space_hash(kernel));
    return HONE_OK;
}

// *why says how the journal differs, *stranger that it is of another kernel altogether;
// the status is that of the script.
static enum hone_status compare_script(bool *stranger,
                                       const struct hone_kept_options *options,
                                       const struct hone_recording *recording,
                                       struct hone_error *why, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    const bool ours = info->limits && is_ours(info->hone_version);
    struct hone_workbench bench = {0};
    struct hone_script_options script = *options->script_options;
    struct hone_limits limits = {0};
    script.limits = &limits;
    enum hone_status status = HONE_OK;
    if (ours)
        limits = *info->limits;
    else // a name is the same on any GPU
        status = hone_device_limits(&limits, "emu:h200", err);
    if (status == HONE_OK)
        status = hone_workbench_load(&bench, options->script, &script, err);
    // First the name: what recorded another kernel's journal is nobody's concern here.
    *stranger = status == HONE_OK && !same_text(bench.def.name, info->kernel);
    if (*stranger) {
        hone_fail(why, HONE_EINPUT, "it is of kernel %s", info->kernel);
    } else if (status == HONE_OK && !ours) {
        hone_fail(why, HONE_EINPUT, "it was recorded by hone %s, this is %s",
                  info->hone_version ? info->hone_version : "unknown", HONE_VERSION);
    } else if (status == HONE_OK) {
        enum hone_status same = hone_workbench_turn_to(&bench, info, why);
        if (same == HONE_OK) same = hone_workbench_make_kernel(&bench, why);
        if (same == HONE_OK) compare_hashes(bench.kernel, info, why);
    }
    hone_workbench_close(&bench);
    return status;
}

static bool has_valid(const struct hone_recording *recording)
{
    for (size_t i = 0; i < hone_recording_count(recording); i++)
        if (hone_recording_trial(recording, i)->outcome == HONE_VALID) return true;
    return false;
}

static bool is_prediction(const struct hone_recording *recording)
{
    return hone_recording_info(recording)->times == HONE_TIME_PREDICTED;
}

// In a folder of all kernels, a file that is no journal is refused as others are.
static enum hone_status load_kept(struct hone_recording **out, const char *path,
                                  bool shared, struct hone_error *why,
                                  struct hone_error *err)
{
    const enum hone_status status = hone_recording_load(out, path, shared ? why : err);
    if (!shared || status == HONE_OK) return status;
    return status == HONE_EINPUT ? HONE_OK
                                 : hone_fail_at(err, status, path, 0, "%s", why->text);
}

static enum hone_status add_one(struct hone_kept_results *results,
                                const struct hone_kept_options *options, const char *path,
                                bool shared, struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    struct hone_error why = {0};
    bool stranger = false;
    enum hone_status status = load_kept(&recording, path, shared, &why, err);
    if (status == HONE_OK && recording)
        status = compare_script(&stranger, options, recording, &why, err);
    if (status == HONE_OK && !why.code && !has_valid(recording))
        hone_fail(&why, HONE_EINPUT, "it has no valid trial");
    if (status == HONE_OK && !why.code && is_prediction(recording) &&
        !options->accept_predicted)
        hone_fail(&why, HONE_EINPUT, "it holds predictions (--accept-predicted)");
    if (status == HONE_OK && !why.code) {
        void *items = realloc(results->items, (results->count + 1) * sizeof(void *));
        if (items) {
            results->items = items;
            results->items[results->count++] = recording;
            return HONE_OK;
        }
        status = hone_no_memory(err, "for '%s'", path);
    }
    if (status == HONE_OK && !(shared && stranger)) {
        results->refused_count++;
        hone_strbuf_printf(&results->refused, "%s: %s\n", path, why.text);
    }
    hone_recording_free(recording);
    return status;
}

// A header holds one kind: what was measured is worth more.
static void drop_predictions(struct hone_kept_results *results)
{
    size_t measured = 0;
    for (size_t i = 0; i < results->count; i++)
        measured += !is_prediction(results->items[i]);
    if (!measured || measured == results->count) return;
    measured = 0;
    for (size_t i = 0; i < results->count; i++) {
        struct hone_recording *item = results->items[i];
        if (!is_prediction(item)) {
            results->items[measured++] = item;
            continue;
        }
        results->refused_count++;
        hone_strbuf_printf(&results->refused, "%s: it holds predictions, others do not\n",
                           hone_recording_path(item));
        hone_recording_free(item);
    }
    results->count = measured;
}

// Journals of other kernels are expected where a pattern is shared by many kernels.
static enum hone_status add_files(struct hone_kept_results *results,
                                  const struct hone_kept_options *options,
                                  const char *folder, const char *names, bool shared,
                                  struct hone_error *err)
{
    glob_t found = {0};
    char *pattern = hone_path_join(folder, names);
    if (!pattern) return hone_no_memory(err, "for the name of a folder");
    enum hone_status status = HONE_OK;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; status == HONE_OK && i < found.gl_pathc; i++)
            status = add_one(results, options, found.gl_pathv[i], shared, err);
    globfree(&found);
    free(pattern);
    return status;
}

enum hone_status hone_kept_results_add(struct hone_kept_results *results,
                                       const struct hone_kept_options *options,
                                       const char *folder, const char *file,
                                       struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    assert(options->script && options->script_options);
    if (folder) status = add_files(results, options, folder, "*.jsonl", false, err);
    // What campaigns merge: a folder a GPU, for all kernels.
    if (status == HONE_OK && folder)
        status = add_files(results, options, folder, "*/*.jsonl", true, err);
    if (status == HONE_OK && file && hone_file_exists(file))
        status = add_one(results, options, file, false, err);
    drop_predictions(results);
    return status;
}

void hone_kept_results_warn(const struct hone_kept_results *results)
{
    const char *next = results->refused.data;
    for (size_t i = 0; i < results->refused_count; i++) {
        const size_t len = strcspn(next, "\n");
        hone_log(HONE_LOG_WARNING, "not used: %.*s", (int)len, next);
        next += len + (next[len] != '\0');
    }
}

void hone_kept_results_fini(struct hone_kept_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        hone_recording_free(results->items[i]);
    free(results->items);
    hone_strbuf_fini(&results->refused);
}

static bool is_of_problem(const struct hone_recording *recording,
                          const struct hone_kernel_def *def)
{
    for (size_t p = 0; p < hone_recording_problem_count(recording); p++) {
        const struct hone_record_info *info =
            hone_recording_info(hone_recording_problem(recording, p));
        size_t same = 0;
        while (
            same < def->problem_count &&
            hone_value_same(info->problem[same].value, def->space.constants[same].value))
            same++;
        if (same == def->problem_count) return true;
    }
    return false;
}

static bool covers(const struct hone_kept_results *results,
                   const struct hone_workbench *bench, bool many)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct hone_limits *limits = hone_recording_info(results->items[i])->limits;
        if (same_text(limits->name, bench->limits.name) &&
            limits->sm_count == bench->limits.sm_count &&
            (many || is_of_problem(results->items[i], &bench->def)))
            return true;
    }
    return false;
}

enum hone_status hone_kept_results_cover(bool *covered,
                                         const struct hone_kept_results *results,
                                         const struct hone_kept_options *options,
                                         const struct hone_limits *limits, bool many,
                                         struct hone_error *err)
{
    struct hone_workbench bench = {0};
    struct hone_script_options script = *options->script_options;
    script.limits = limits;
    enum hone_status status = hone_workbench_load(&bench, options->script, &script, err);
    if (status == HONE_OK)
        *covered = covers(results, &bench, many || bench.def.problems_count > 1);
    hone_workbench_close(&bench);
    return status;
}
