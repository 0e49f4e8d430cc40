// From the journals of runs that are done to what is shipped: votes, files,
// headers.
#include "campaign/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/log.h"
#include "campaign_internal.h"
#include "merge_ship.h"
#include "page/page.h"
#include "report/values.h"
#include "tuning/made_header.h"
#include "tuning/parts.h"
#include "tuning/winners.h"

struct merger {
    const struct hone_merge_options *options;
    const struct hone_campaign *campaign;
    struct hone_merge *out;
    bool *done;   // of the chosen runs
    char *folder; // of the device at hand
    size_t *runs; // of the kernel and device at hand
    size_t run_count;
    struct hone_recordings shipped; // of the same
    struct hone_error *err;
};

// --- names ---

// Sizes that are the same in all runs of the kernel, done or not, tell nothing.
static bool is_told(const struct merger *m, size_t size)
{
    const struct hone_campaign *campaign = m->campaign;
    const struct hone_campaign_run *first = &campaign->runs[m->runs[0]];
    const char *result = campaign->sources[first->kernel].result;
    for (size_t i = 0; i < campaign->run_count; i++) {
        const struct hone_campaign_run *run = &campaign->runs[i];
        if (strcmp(campaign->sources[run->kernel].result, result) == 0 &&
            !hone_value_same(first->values[size], run->values[size]))
            return true;
    }
    return false;
}

enum { NAME_MOST = 150 }; // bytes of a file's name before its ending

// "-M512-N64" behind name; a value that a file's name cannot hold whole is followed by a
// hash of the problem, or two problems would share a file.
static void add_problem(struct hone_strbuf *name, const struct merger *m,
                        const struct hone_campaign_run *run)
{
    const struct hone_campaign_source *source = &m->campaign->sources[run->kernel];
    struct hone_strbuf text = HONE_STRBUF_INIT;
    bool whole = true;
    for (size_t i = 0; i < source->name_count; i++) {
        char value[4096];
        if (!is_told(m, i)) continue;
        hone_value_print(value, sizeof value, run->values[i]);
        for (char *p = value; *p; p++) {
            if (hone_is_alnum(*p)) continue;
            // The point of a number; that of a text could begin an ending.
            if (*p == '.' && run->values[i].type == HONE_FLOAT) continue;
            *p = '_';
            whole = false;
        }
        hone_strbuf_printf(name, "-%s%s", source->names[i].name, value);
    }
    if (whole && name->len <= NAME_MOST) return;
    hone_run_problem_text(&text, m->campaign, run);
    if (text.failed) name->failed = true;
    if (name->len > NAME_MOST) name->data[name->len = NAME_MOST] = '\0';
    if (!name->failed)
        hone_strbuf_printf(name, "-%08" PRIx32,
                           (uint32_t)hone_hash64(text.data, text.len));
    hone_strbuf_fini(&text);
}

// "OUTPUT/a100/sgemm-M512-N64.predicted.jsonl"
static char *journal_path(const struct merger *m, const struct hone_campaign_run *run,
                          bool predicted)
{
    const struct hone_campaign_source *source = &m->campaign->sources[run->kernel];
    struct hone_strbuf name = HONE_STRBUF_INIT;
    hone_strbuf_add(&name, source->result);
    add_problem(&name, m, run);
    hone_strbuf_printf(&name, "%s.jsonl", predicted ? ".predicted" : "");
    char *path = name.failed ? NULL : hone_path_join(m->folder, name.data);
    hone_strbuf_fini(&name);
    return path;
}

static char *result_path(const struct merger *m, const struct hone_merged *item,
                         const char *ending)
{
    struct hone_strbuf name = HONE_STRBUF_INIT;
    hone_strbuf_printf(&name, "%s%s%s", item->kernel, item->predicted ? ".predicted" : "",
                       ending);
    char *path = name.failed ? NULL : hone_path_join(m->folder, name.data);
    hone_strbuf_fini(&name);
    return path;
}

// --- votes ---

static bool same_problem(const struct merger *m, const struct hone_campaign_run *a,
                         const struct hone_campaign_run *b)
{
    for (size_t i = 0; i < m->campaign->sources[a->kernel].name_count; i++)
        if (!hone_value_same(a->values[i], b->values[i])) return false;
    return true;
}

static enum hone_status config_of(char **out, const struct hone_recording *recording,
                                  struct hone_error *err)
{
    const struct hone_trial *best = hone_recording_best(recording);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    *out = NULL;
    if (!best) return HONE_OK;
    hone_config_text(&text, hone_recording_space(recording), best->index);
    *out = hone_strbuf_steal(&text);
    return *out ? HONE_OK : hone_no_memory(err, "for a configuration");
}

// The winner that most tunings of the problem named, of equals the fastest; and
// the tuning that found it fastest. No recording where none found a valid
// configuration.
static enum hone_status vote(const struct hone_recording **out, bool *agreed,
                             const struct hone_recordings *tunings,
                             struct hone_error *err)
{
    struct hone_winners winners = {0};
    enum hone_status status = HONE_OK;
    double least = INFINITY;
    *out = NULL;
    for (size_t i = 0; status == HONE_OK && i < tunings->count; i++) {
        char *config;
        status = config_of(&config, tunings->items[i], err);
        if (status == HONE_OK && config)
            status = hone_winners_add(
                &winners, config, hone_trial_cost(hone_recording_best(tunings->items[i])),
                err);
        free(config);
    }
    hone_winners_sort(&winners);
    *agreed = winners.count == 1;
    for (size_t i = 0; status == HONE_OK && winners.count && i < tunings->count; i++) {
        char *config;
        status = config_of(&config, tunings->items[i], err);
        const double cost = config
                                ? hone_trial_cost(hone_recording_best(tunings->items[i]))
                                : (double)INFINITY;
        if (config && strcmp(config, winners.items[0].config) == 0 && cost < least) {
            *out = tunings->items[i];
            least = cost;
        }
        free(config);
    }
    hone_winners_fini(&winners);
    return status;
}

// --- one kernel on one device ---

static enum hone_status load_tunings(struct hone_recordings *out, const struct merger *m,
                                     size_t at)
{
    const struct hone_campaign_run *run = &m->campaign->runs[m->runs[at]];
    const char **paths = calloc(m->run_count + 1, sizeof *paths);
    size_t count = 0;
    enum hone_status status = paths ? HONE_OK : hone_no_memory(m->err, "for journals");
    for (size_t i = at; status == HONE_OK && i < m->run_count; i++) {
        const struct hone_campaign_run *other = &m->campaign->runs[m->runs[i]];
        if (!same_problem(m, run, other)) continue;
        paths[count] = hone_run_file(other, HONE_RUN_JOURNAL);
        if (!paths[count++]) status = hone_no_memory(m->err, "for journals");
    }
    if (status == HONE_OK) status = hone_recordings_load(out, paths, count, m->err);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)paths[i]);
    free(paths);
    return status;
}

static bool is_first_of_problem(const struct merger *m, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_problem(m, &m->campaign->runs[m->runs[i]],
                         &m->campaign->runs[m->runs[at]]))
            return false;
    return true;
}

static enum hone_status keep_shipped(struct merger *m, const char *path)
{
    struct hone_recordings one = {0};
    const char *const paths[] = {path};
    enum hone_status status = hone_recordings_load(&one, paths, 1, m->err);
    if (status != HONE_OK) return status;
    void *items =
        realloc(m->shipped.items, (m->shipped.count + 1) * sizeof *m->shipped.items);
    if (items) {
        m->shipped.items = items;
        m->shipped.items[m->shipped.count++] = one.items[0];
        one.count = 0;
    }
    hone_recordings_fini(&one);
    return items ? HONE_OK : hone_no_memory(m->err, "for journals");
}

static enum hone_status ship_problem(struct merger *m, struct hone_merged *item,
                                     size_t at)
{
    struct hone_recordings tunings = {0};
    const struct hone_recording *best = NULL;
    bool agreed = false;
    enum hone_status status = load_tunings(&tunings, m, at);
    if (status == HONE_OK) status = vote(&best, &agreed, &tunings, m->err);
    if (status == HONE_OK && best) {
        const bool predicted = hone_recording_info(best)->times == HONE_TIME_PREDICTED;
        char *path = journal_path(m, &m->campaign->runs[m->runs[at]], predicted);
        status = path ? hone_ship_journal(path, best, m->options->rows, m->err)
                      : hone_no_memory(m->err, "for journals");
        if (status == HONE_OK) status = keep_shipped(m, path);
        item->predicted = item->predicted || predicted;
        item->problems++;
        item->agreed += agreed;
        free(path);
    }
    hone_recordings_fini(&tunings);
    return status;
}

static enum hone_status write_text(char **path, const struct merger *m,
                                   const struct hone_merged *item, const char *ending,
                                   const struct hone_strbuf *text)
{
    *path = result_path(m, item, ending);
    if (!*path || text->failed) return hone_no_memory(m->err, "for results");
    return hone_file_write(*path, text->data, text->len, m->err);
}

static enum hone_status write_header(struct merger *m, struct hone_merged *item)
{
    const struct hone_header_options options = {
        .recordings = (const struct hone_recording *const *)m->shipped.items,
        .count = m->shipped.count,
        .emit = {.accept_predicted = m->options->accept_predicted}};
    struct hone_made_header made = {0};
    struct hone_error why = {0};
    enum hone_status status = hone_header_make(&made, &options, &why);
    if (status == HONE_OK) {
        status = write_text(&item->header, m, item, ".h", &made.text);
    } else if (status == HONE_ENOMEM) {
        hone_no_memory(m->err, "for a header");
    } else {
        // What keeps a kernel from a header keeps no other kernel from its.
        item->why = strdup(hone_error_line(&why).text);
        status = HONE_OK;
    }
    hone_made_header_fini(&made);
    return status;
}

static enum hone_status write_report(struct merger *m, struct hone_merged *item)
{
    struct hone_strbuf page = HONE_STRBUF_INIT;
    enum hone_status status =
        hone_page_write(&page, (const struct hone_recording *const *)m->shipped.items,
                        m->shipped.count, m->err);
    if (status == HONE_OK) status = write_text(&item->report, m, item, ".html", &page);
    hone_strbuf_fini(&page);
    return status;
}

static struct hone_merged *add_item(struct merger *m, const struct hone_campaign_run *run)
{
    struct hone_merge *out = m->out;
    const char *label = m->campaign->def->devices[run->device].label;
    if (!HONE_GROW(&out->items, &out->cap, out->count + 1, 16)) return NULL;
    struct hone_merged *item = &out->items[out->count++];
    *item =
        (struct hone_merged){.kernel = strdup(m->campaign->sources[run->kernel].result),
                             .device = hone_device_folder(label),
                             .runs = m->run_count};
    free(m->folder);
    m->folder = item->device ? hone_path_join(m->campaign->output, item->device) : NULL;
    return item->kernel && m->folder ? item : NULL;
}

static enum hone_status merge_group(struct merger *m)
{
    struct hone_merged *item = add_item(m, &m->campaign->runs[m->runs[0]]);
    enum hone_status status = item ? hone_file_mkdirs(m->folder, m->err)
                                   : hone_no_memory(m->err, "for results");
    for (size_t i = 0; status == HONE_OK && i < m->run_count; i++)
        if (is_first_of_problem(m, i)) status = ship_problem(m, item, i);
    if (status == HONE_OK && m->shipped.count) status = write_header(m, item);
    if (status == HONE_OK && m->shipped.count && !m->options->rows)
        status = write_report(m, item);
    if (status == HONE_OK && !m->shipped.count)
        item->why = strdup("no run found a valid configuration");
    hone_recordings_fini(&m->shipped);
    m->shipped = (struct hone_recordings){0};
    return status;
}

// --- all ---

static enum hone_status find_done(struct merger *m)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < m->campaign->run_count; i++) {
        struct hone_run_state state;
        if (!m->options->chosen[i]) continue;
        status = hone_run_state_now(&state, m->campaign, i, m->err);
        m->done[i] = status == HONE_OK && state.phase == HONE_RUN_DONE;
        m->out->missing += !m->done[i];
    }
    return status;
}

// Runs of one result: kernels of one name, whatever entry of the list they are
// of.
static void find_group(struct merger *m, size_t first)
{
    const struct hone_campaign_run *run = &m->campaign->runs[first];
    const char *result = m->campaign->sources[run->kernel].result;
    m->run_count = 0;
    for (size_t i = first; i < m->campaign->run_count; i++) {
        const struct hone_campaign_run *other = &m->campaign->runs[i];
        if (!m->done[i] || other->device != run->device ||
            strcmp(m->campaign->sources[other->kernel].result, result) != 0)
            continue;
        m->runs[m->run_count++] = i;
        m->done[i] = false; // it has its place
    }
}

enum hone_status hone_campaign_merge(struct hone_merge *out,
                                     const struct hone_merge_options *options,
                                     struct hone_error *err)
{
    const size_t count = options->campaign->run_count;
    *out = (struct hone_merge){0};
    struct merger m = {.options = options,
                       .campaign = options->campaign,
                       .out = out,
                       .done = calloc(count + 1, sizeof *m.done),
                       .runs = calloc(count + 1, sizeof *m.runs),
                       .err = err};
    enum hone_status status =
        m.done && m.runs ? find_done(&m) : hone_no_memory(err, "for results");
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        if (!m.done[i]) continue;
        find_group(&m, i);
        status = merge_group(&m);
    }
    hone_recordings_fini(&m.shipped);
    free(m.folder);
    free(m.done);
    free(m.runs);
    return status;
}

void hone_merge_fini(struct hone_merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        free(merge->items[i].kernel);
        free(merge->items[i].device);
        free(merge->items[i].header);
        free(merge->items[i].report);
        free(merge->items[i].why);
    }
    free(merge->items);
    *merge = (struct hone_merge){0};
}
