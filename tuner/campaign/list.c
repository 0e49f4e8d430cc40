#include "campaign/list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/quantity.h"
#include "campaign_internal.h"
#include "expr/value_text.h"
#include "hone/device.h"

enum { RUNS_MOST = 1000000 };

struct listing {
    struct hone_campaign *campaign;
    struct hone_hash_table ids;
    size_t cap;
    struct hone_error *err;
};

const char *hone_campaign_path(struct hone_campaign *campaign, const char *name)
{
    char *path = hone_path_join(campaign->folder, name);
    const char *kept = path ? hone_arena_strdup(&campaign->arena, path) : NULL;
    free(path);
    return kept;
}

void hone_run_problem_text(struct hone_strbuf *out, const struct hone_campaign *campaign,
                           const struct hone_campaign_run *run)
{
    const struct hone_campaign_source *source = &campaign->sources[run->kernel];
    for (size_t i = 0; i < source->name_count; i++) {
        char number[HONE_NUMBER_TEXT];
        hone_strbuf_printf(out, "%s%s=%s", i ? " " : "", source->names[i].name,
                           hone_value_in_full(number, run->values[i]));
    }
}

char *hone_run_file(const struct hone_campaign_run *run, const char *name)
{
    return hone_path_join(run->folder, name);
}

// --- listing ---

static enum hone_status note_id(struct listing *l, size_t number)
{
    const struct hone_campaign *campaign = l->campaign;
    const struct hone_campaign_run *run = &campaign->runs[number];
    const uint64_t hash = hone_hash64(run->id, sizeof run->id);
    struct hone_probe probe = hone_hash_table_probe(&l->ids, hash);
    for (uint32_t *i; (i = hone_hash_table_next(&l->ids, &probe)) != NULL;)
        if (strcmp(campaign->runs[*i].id, run->id) == 0)
            return hone_fail_at(l->err, HONE_EINPUT, campaign->path,
                                campaign->def->kernels[run->kernel].line,
                                "kernel %zu and kernel %zu have the same run: the same "
                                "problem, device, budget and seed",
                                campaign->runs[*i].kernel + 1, run->kernel + 1);
    return hone_hash_table_add(&l->ids, hash, (uint32_t)number)
               ? HONE_OK
               : hone_no_memory(l->err, "for the runs of a campaign");
}

static enum hone_status add_run(struct listing *l, const struct hone_campaign_run *given)
{
    struct hone_campaign *campaign = l->campaign;
    const size_t number = campaign->run_count;
    if (number == RUNS_MOST)
        return hone_fail_at(l->err, HONE_EINPUT, campaign->path, campaign->def->line,
                            "more than %d runs: split the campaign", (int)RUNS_MOST);
    if (!HONE_GROW(&campaign->runs, &l->cap, number + 1, 64))
        return hone_no_memory(l->err, "for the runs of a campaign");
    struct hone_campaign_run *run = &campaign->runs[number];
    *run = *given;
    enum hone_status status = hone_run_identify(run, campaign, l->err);
    if (status != HONE_OK) return status;
    run->folder = hone_arena_printf(&campaign->arena, "%s/%s-%s", campaign->state,
                                    campaign->sources[run->kernel].kernel, run->id);
    if (!run->folder) return hone_no_memory(l->err, "for the runs of a campaign");
    campaign->run_count++;
    return note_id(l, number);
}

// Along the list of problems each run follows the one before it, where runs begin warm.
static enum hone_status add_chain(struct listing *l, size_t kernel, size_t device,
                                  uint64_t seed, const struct hone_value *const *problems,
                                  size_t count)
{
    size_t before = HONE_RUN_NONE;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        const struct hone_campaign_run run = {.kernel = kernel,
                                              .device = device,
                                              .values = problems[i],
                                              .seed = seed,
                                              .after = before};
        status = add_run(l, &run);
        if (l->campaign->def->warm) before = l->campaign->run_count - 1;
    }
    return status;
}

// Problems are kept in the arena, since each run of the kernel borrows them.
static enum hone_status keep_problems(const struct hone_value ***out, size_t *count,
                                      struct listing *l,
                                      const struct hone_problem_list *list, size_t n)
{
    struct hone_arena *arena = &l->campaign->arena;
    const size_t most = l->campaign->def->most_problems;
    *count = most && most < list->count ? most : list->count;
    *out = hone_arena_array(arena, *count, sizeof **out);
    for (size_t i = 0; *out && i < *count; i++) {
        struct hone_value *values =
            hone_arena_dup(arena, list->items[i].values, n * sizeof *values);
        (*out)[i] = values;
        for (size_t k = 0; values && k < n; k++) {
            if (values[k].type != HONE_STRING) continue;
            values[k].s = hone_arena_strdup(arena, values[k].s);
            if (!values[k].s) values = NULL;
        }
        if (!values) *out = NULL;
    }
    return *out ? HONE_OK : hone_no_memory(l->err, "for problems");
}

char *hone_device_folder(const char *label)
{
    static const char *const prefixes[] = {"emu:", "NVIDIA ", "GeForce "};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(label, prefixes[i], strlen(prefixes[i])) == 0)
            label += strlen(prefixes[i]);
    char *name = strdup(label);
    for (char *p = name; name && *p; p++)
        *p = hone_is_alnum(*p) ? hone_lower(*p) : '-';
    return name;
}

// Results in one folder would be written over each other.
static enum hone_status check_folders(const struct hone_campaign *campaign,
                                      struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    enum hone_status status = HONE_OK;
    for (size_t d = 1; status == HONE_OK && d < def->device_count; d++) {
        char *folder = hone_device_folder(def->devices[d].label);
        if (!folder) status = hone_no_memory(err, "for a campaign");
        for (size_t i = 0; status == HONE_OK && i < d; i++) {
            char *other = hone_device_folder(def->devices[i].label);
            if (!other)
                status = hone_no_memory(err, "for a campaign");
            else if (strcmp(folder, other) == 0)
                status = hone_fail_at(
                    err, HONE_EINPUT, campaign->path, def->devices[d].line,
                    "devices '%s' and '%s' have one folder of results, '%s': give each "
                    "a campaign with an 'output' of its own",
                    def->devices[i].label, def->devices[d].label, folder);
            free(other);
        }
        free(folder);
    }
    return status;
}

// Results of one name would be written over each other.
static enum hone_status check_result(const struct listing *l, size_t number)
{
    const struct hone_campaign *campaign = l->campaign;
    const struct hone_campaign_source *source = &campaign->sources[number];
    for (size_t i = 0; i < number; i++)
        if (strcmp(campaign->sources[i].result, source->result) == 0 &&
            strcmp(campaign->sources[i].script, source->script) != 0)
            return hone_fail_at(l->err, HONE_EINPUT, campaign->path,
                                campaign->def->kernels[number].line,
                                "kernel %zu and kernel %zu are both called '%s': a "
                                "'name' tells their results apart",
                                i + 1, number + 1, source->result);
    return HONE_OK;
}

static enum hone_status add_kernel(struct listing *l, size_t number)
{
    const struct hone_campaign_def *def = l->campaign->def;
    const struct hone_campaign_kernel *kernel = &def->kernels[number];
    struct hone_problem_list list = {0};
    const struct hone_value **problems;
    size_t count;
    enum hone_status status = hone_campaign_load(l->campaign, number, &list, l->err);
    if (status == HONE_OK) status = check_result(l, number);
    if (status == HONE_OK)
        status = keep_problems(&problems, &count, l, &list,
                               l->campaign->sources[number].name_count);
    for (size_t d = 0; status == HONE_OK && d < kernel->device_count; d++)
        for (size_t v = 0; status == HONE_OK && v < def->votes; v++)
            status =
                add_chain(l, number, kernel->devices[d], def->seed + v, problems, count);
    hone_problem_list_fini(&list);
    return status;
}

// --- the file ---

static enum hone_status check_budget(const struct hone_campaign *campaign,
                                     const char *text, int line, struct hone_error *err)
{
    uint64_t count;
    double seconds;
    if (!text || (hone_parse_count(&count, text) && count > 0) ||
        (hone_parse_seconds(&seconds, text, 0) && seconds > 0))
        return HONE_OK;
    return hone_fail_at(err, HONE_EINPUT, campaign->path, line,
                        "'budget' is a number of evaluations, or a time such as \"5m\", "
                        "got '%s'",
                        text);
}

static enum hone_status check_budgets(const struct hone_campaign *campaign,
                                      struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    enum hone_status status = check_budget(campaign, def->budget, def->budget_line, err);
    for (size_t i = 0; status == HONE_OK && i < def->kernel_count; i++)
        status =
            check_budget(campaign, def->kernels[i].budget, def->kernels[i].line, err);
    return status;
}

// Whether a GPU is in the machine that will run is known there alone.
static bool is_known_there(const char *id)
{
    const size_t kind = strcspn(id, ":");
    return strcmp(id, "auto") == 0 ||
           (kind == strlen("cuda") && !strncmp(id, "cuda", kind));
}

static enum hone_status check_devices(const struct hone_campaign *campaign,
                                      struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    for (size_t d = 0; d < def->device_count; d++)
        for (size_t i = 0; i < def->devices[d].id_count; i++) {
            struct hone_limits limits;
            struct hone_error why = {0};
            const char *id = def->devices[d].ids[i];
            if (is_known_there(id) || !hone_device_limits(&limits, id, &why)) continue;
            return hone_fail_at(err, HONE_EINPUT, campaign->path, def->devices[d].line,
                                "%s", why.text);
        }
    return HONE_OK;
}

// "sizes.lua" -> "sizes.runs"
static const char *usual_state(struct hone_campaign *campaign)
{
    const size_t len = strlen(campaign->path);
    const bool lua = len > 4 && strcmp(campaign->path + len - 4, ".lua") == 0;
    return hone_arena_printf(&campaign->arena, "%.*s.runs", (int)(lua ? len - 4 : len),
                             campaign->path);
}

static enum hone_status read_file(struct hone_campaign *campaign, const char *path,
                                  struct hone_error *err)
{
    const struct hone_limits limits = {0};
    const struct hone_script_options options = {.limits = &limits};
    char *real = hone_path_real(path);
    char *folder = real ? hone_path_folder(real) : NULL;
    // A file that is there has a name and a folder, where memory lasts.
    if (!folder && hone_file_exists(path)) {
        free(real);
        return hone_no_memory(err, "for '%s'", path);
    }
    campaign->path = hone_arena_strdup(&campaign->arena, real ? real : path);
    campaign->folder = hone_arena_strdup(&campaign->arena, folder ? folder : ".");
    free(folder);
    free(real);
    if (!campaign->path || !campaign->folder)
        return hone_no_memory(err, "for '%s'", path);
    enum hone_status status = hone_script_load(&campaign->script, path, &options, err);
    if (status != HONE_OK) return status;
    if (hone_script_kind(campaign->script) != HONE_SCRIPT_CAMPAIGN)
        return hone_fail_at(err, HONE_EINPUT, path, 0,
                            "it defines no campaign: it must return hone.campaign {...}");
    campaign->def = hone_script_campaign(campaign->script);
    const char *output = campaign->def->output, *state = campaign->def->state;
    campaign->output = hone_campaign_path(campaign, output ? output : "results");
    campaign->state = state ? hone_campaign_path(campaign, state) : usual_state(campaign);
    campaign->sources = hone_arena_array(&campaign->arena, campaign->def->kernel_count,
                                         sizeof *campaign->sources);
    if (!campaign->output || !campaign->state || !campaign->sources)
        return hone_no_memory(err, "for '%s'", path);
    status = hone_campaign_check_own(campaign, err);
    if (status == HONE_OK) status = check_budgets(campaign, err);
    if (status == HONE_OK) status = check_devices(campaign, err);
    if (status == HONE_OK) status = check_folders(campaign, err);
    return status == HONE_OK ? hone_campaign_find_strategy(campaign, err) : status;
}

enum hone_status hone_campaign_open(struct hone_campaign **out, const char *path,
                                    struct hone_error *err)
{
    assert(path);
    *out = NULL;
    struct hone_campaign *campaign = calloc(1, sizeof *campaign);
    if (!campaign) return hone_no_memory(err, "for '%s'", path);
    struct listing l = {.campaign = campaign, .err = err};
    enum hone_status status = read_file(campaign, path, err);
    for (size_t i = 0; status == HONE_OK && i < campaign->def->kernel_count; i++)
        status = add_kernel(&l, i);
    hone_hash_table_fini(&l.ids);
    if (status == HONE_OK)
        *out = campaign;
    else
        hone_campaign_close(campaign);
    return status;
}

void hone_campaign_close(struct hone_campaign *campaign)
{
    if (!campaign) return;
    hone_script_free(campaign->script);
    free(campaign->runs);
    hone_arena_fini(&campaign->arena);
    free(campaign);
}

enum hone_status hone_campaign_find(size_t *out, const struct hone_campaign *campaign,
                                    const char *id, struct hone_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < campaign->run_count; i++) {
        if (strncmp(campaign->runs[i].id, id, strlen(id)) != 0) continue;
        *out = i;
        found++;
    }
    if (found == 1 && *id) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     found ? "'%s' begins the names of several runs of %s"
                           : "'%s' is no run of %s as it is now: its script, problem or "
                             "options may have changed",
                     id, campaign->path);
}
