// Submitting runs: the list of an array in a file, a script that takes the line of its
// element, and sbatch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/one_of.h"
#include "campaign/attempt.h"
#include "campaign/overview.h"
#include "campaign/slurm.h"
#include "events.h"
#include "slurm_program.h"

// MaxArraySize is 1001 unless a site says otherwise, and 1000 the last element's number.
enum { ARRAY_MOST = 1000, JOB_TEXT = HONE_SLURM_JOB - 24 };

struct submission {
    const struct hone_campaign *campaign;
    const struct hone_overview *overview;
    const bool *chosen;
    size_t at_once;
    const char *program;
    char *folder;  // of scripts, lists and logs
    size_t *runs;  // of the array at hand
    size_t *steps; // of the runs: how many they wait for
    struct hone_slurm_submitted *out;
    struct hone_error *err;
};

// Runs of one device that are handed over together.
struct run_array {
    size_t device;
    const size_t *runs;
    size_t count;
    const char *before; // ":12:13", the arrays that it comes after
};

static enum hone_status note_job(void *context, const char *line, struct hone_error *err)
{
    char *job = context, word[JOB_TEXT];
    // "12;cluster" where there are several clusters
    const size_t len = strcspn(line, "; \r");
    if (len >= sizeof word && strspn(line, "0123456789") >= len)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "sbatch names a job by %zu digits, more than %zu: '%.20s...'; "
                         "scancel it and ask the site",
                         len, sizeof word - 1, line);
    if (len >= sizeof word) return HONE_OK;
    snprintf(word, sizeof word, "%.*s", (int)len, line);
    if (!*job && hone_slurm_is_job(word)) strcpy(job, word);
    return HONE_OK;
}

// A node where jobs failed and no run succeeded is left out. Where others worked, sbatch
// may know no node, and refuses all for it.
static bool failed_there(const struct submission *s, const char *host)
{
    bool failed = false;
    for (size_t i = 0; i < s->campaign->run_count; i++) {
        const struct hone_run_state *state = &s->overview->states[i];
        if (!state->starts || strcmp(state->host, host) != 0) continue;
        if (state->phase == HONE_RUN_DONE) return false;
        failed = failed || (state->tries && state->in_job);
    }
    return failed;
}

static bool is_listed(const char *list, const char *host)
{
    const size_t len = strlen(host);
    for (const char *at = list; (at = strstr(at, host)) != NULL; at += len)
        if (at > list && hone_one_of(at[-1], "=,") && (at[len] == ',' || !at[len]))
            return true;
    return false;
}

// Anything else is a list, a pattern or a file to sbatch.
static bool is_node(const char *host)
{
    if (*host == '-') return false;
    for (const char *p = host; *p; p++)
        if (!hone_is_alnum(*p) && !hone_one_of(*p, "-._")) return false;
    return *host != '\0';
}

static void add_excluded(struct hone_strbuf *out, const struct submission *s,
                         const struct run_array *array)
{
    for (size_t i = 0; i < array->count; i++) {
        const char *host = s->overview->states[array->runs[i]].host;
        if (!is_node(host) || !failed_there(s, host)) continue;
        if (is_listed(out->data, host)) continue;
        hone_strbuf_printf(out, "%s%s", out->len ? "," : "--exclude=", host);
    }
}

// The file's name: when, by which process, and a number.
static enum hone_status write_file(char **path, const struct submission *s,
                                   const char *ending, const struct hone_strbuf *text)
{
    char name[96];
    snprintf(name, sizeof name, "%lld-%ld-%zu.%s", (long long)hone_date_now(),
             (long)getpid(), s->out->arrays, ending);
    *path = hone_path_join(s->folder, name);
    if (!*path || text->failed) return hone_no_memory(s->err, "for a job of Slurm");
    return hone_file_write(*path, text->data, text->len, s->err);
}

static enum hone_status write_list(char **path, const struct submission *s,
                                   const struct run_array *array)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    for (size_t i = 0; i < array->count; i++)
        hone_strbuf_printf(&text, "%s\n", s->campaign->runs[array->runs[i]].id);
    enum hone_status status = write_file(path, s, "list", &text);
    hone_strbuf_fini(&text);
    return status;
}

// hone takes the place of the shell, so that signals of Slurm reach it.
static enum hone_status write_script(char **path, const struct submission *s,
                                     const char *list)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_argv file = {0}, words = {0};
    hone_argv_add(&file, list);
    hone_argv_add(&words, s->program);
    hone_argv_add(&words, "campaign");
    hone_argv_add(&words, "run");
    hone_argv_add(&words, s->campaign->path);
    if (s->campaign->allow_io) hone_argv_add(&words, "--allow-io");
    hone_strbuf_add(&text, "#!/bin/sh\nrun=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" ");
    hone_argv_text(&text, &file);
    hone_strbuf_add(&text, ") || exit 1\nexec ");
    hone_argv_text(&text, &words);
    hone_strbuf_add(&text, " --run \"$run\"\n");
    text.failed = text.failed || file.failed || words.failed;
    hone_argv_fini(&file);
    hone_argv_fini(&words);
    enum hone_status status = write_file(path, s, "sh", &text);
    hone_strbuf_fini(&text);
    return status;
}

static void add_word(struct hone_argv *words, const char *option, const char *value)
{
    char *word = value ? hone_arena_printf(&words->arena, "%s%s", option, value) : NULL;
    if (value && !word) words->failed = true;
    if (word) hone_argv_add(words, word);
}

static bool is_with_slurm(const struct hone_run_state *state)
{
    const bool runs = state->phase == HONE_RUN_RUNNING || state->phase == HONE_RUN_STALE;
    return state->phase == HONE_RUN_QUEUED || (runs && state->in_job);
}

// The arrays of the step before, and the jobs that were handed over earlier.
static void add_dependencies(struct hone_argv *words, const struct submission *s,
                             const struct run_array *array)
{
    struct hone_strbuf jobs = HONE_STRBUF_INIT;
    hone_strbuf_add(&jobs, array->before);
    for (size_t i = 0; i < array->count; i++) {
        const size_t after = s->campaign->runs[array->runs[i]].after;
        if (after != HONE_RUN_NONE && is_with_slurm(&s->overview->states[after]))
            hone_strbuf_printf(&jobs, ":%s", s->overview->states[after].job);
    }
    if (jobs.len) add_word(words, "--dependency=afterany", jobs.data);
    words->failed = words->failed || jobs.failed;
    hone_strbuf_fini(&jobs);
}

static void make_words(struct hone_argv *words, const struct submission *s,
                       const struct run_array *array)
{
    const struct hone_campaign_device *d = &s->campaign->def->devices[array->device];
    const size_t at_once = s->at_once ? s->at_once : d->at_once;
    char elements[64];
    snprintf(elements, sizeof elements, at_once ? "0-%zu%%%zu" : "0-%zu",
             array->count - 1, at_once);
    hone_argv_add(words, "sbatch");
    hone_argv_add(words, "--parsable");
    add_word(words, "--job-name=hone-", hone_path_base(s->campaign->path));
    add_word(words, "--array=", elements);
    hone_argv_add(words, "--requeue");
    hone_argv_add(words, "--open-mode=append");
    hone_argv_add(words, "--signal=B:TERM@60");
    hone_argv_add(words, "--nodes=1");
    hone_argv_add(words, "--ntasks=1");
    char *log = hone_path_join(s->folder, "%A_%a.log");
    add_word(words, "--output=", log);
    free(log);
    add_word(words, "--partition=", d->partition);
    add_word(words, "--gres=", d->gres);
    add_word(words, "--constraint=", d->constraint);
    add_word(words, "--time=", d->time);
    add_word(words, "--account=", d->account);
    add_dependencies(words, s, array);
    for (size_t i = 0; i < d->sbatch_count; i++)
        hone_argv_add(words, d->sbatch[i]);
}

static enum hone_status call_sbatch(char job[JOB_TEXT], const struct submission *s,
                                    const struct run_array *array, const char *script)
{
    struct hone_argv words = {0};
    struct hone_strbuf excluded = HONE_STRBUF_INIT;
    make_words(&words, s, array);
    add_excluded(&excluded, s, array);
    if (excluded.len) hone_argv_add(&words, excluded.data);
    hone_argv_add(&words, script);
    *job = '\0';
    enum hone_status status = words.failed || excluded.failed
                                  ? hone_no_memory(s->err, "for a job of Slurm")
                                  : hone_slurm_ask(words.items, note_job, job, s->err);
    if (status == HONE_OK && !*job)
        status = hone_fail(s->err, HONE_EUNSUPPORTED, "sbatch names no job");
    hone_strbuf_fini(&excluded);
    hone_argv_fini(&words);
    return status;
}

// What the queue has and no run knows of would be submitted again.
static enum hone_status cancel_unnoted(const struct submission *s,
                                       const struct run_array *array, const char *job,
                                       const struct hone_error *why)
{
    const char *const words[] = {"scancel", job, NULL};
    struct hone_error how = {0};
    if (hone_slurm_ask(words, NULL, NULL, &how) != HONE_OK)
        return hone_fail(s->err, why->code,
                         "job %s is in the queue, but its runs cannot be noted: %.150s; "
                         "scancel it before you submit again: %.100s",
                         job, why->text, how.text);
    for (size_t i = 0; i < array->count; i++)
        hone_run_set_job(&s->campaign->runs[array->runs[i]], NULL, NULL);
    return hone_fail(s->err, why->code,
                     "job %s was cancelled, as its runs cannot be noted: %.200s", job,
                     why->text);
}

static enum hone_status note_runs(const struct submission *s,
                                  const struct run_array *array, const char *job)
{
    for (size_t i = 0; i < array->count; i++) {
        const struct hone_campaign_run *run = &s->campaign->runs[array->runs[i]];
        struct hone_error why = {0};
        char element[JOB_TEXT + 24];
        snprintf(element, sizeof element, "%s_%zu", job, i);
        if (hone_run_set_job(run, element, &why) != HONE_OK)
            return cancel_unnoted(s, array, job, &why);
    }
    return HONE_OK;
}

static enum hone_status submit_array(char job[JOB_TEXT], struct submission *s,
                                     const struct run_array *array)
{
    char *list = NULL, *script = NULL;
    enum hone_status status = write_list(&list, s, array);
    if (status == HONE_OK) status = write_script(&script, s, list);
    if (status == HONE_OK) status = call_sbatch(job, s, array, script);
    if (status == HONE_OK) status = note_runs(s, array, job);
    s->out->arrays++;
    s->out->runs += array->count;
    free(script);
    free(list);
    return status;
}

// --- which ---

static bool is_wanted(const struct submission *s, size_t i)
{
    const struct hone_run_state *state = &s->overview->states[i];
    return s->chosen[i] &&
           (state->phase == HONE_RUN_WAITING || state->phase == HONE_RUN_INTERRUPTED);
}

// How many of the wanted runs it waits for, one behind the other. A run comes after the
// one that it begins with, so one pass is enough.
static size_t count_steps(struct submission *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->campaign->run_count; i++) {
        const size_t after = s->campaign->runs[i].after;
        s->steps[i] = after == HONE_RUN_NONE ? 0 : s->steps[after] + is_wanted(s, after);
        if (s->steps[i] > most) most = s->steps[i];
    }
    return most;
}

// before: ":12:13", the arrays of the step before, and then those of this one.
static enum hone_status submit_step(struct submission *s, size_t device, size_t step,
                                    struct hone_strbuf *before)
{
    size_t count = 0;
    struct hone_strbuf jobs = HONE_STRBUF_INIT;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < s->campaign->run_count; i++)
        if (is_wanted(s, i) && s->campaign->runs[i].device == device &&
            s->steps[i] == step)
            s->runs[count++] = i;
    for (size_t at = 0; status == HONE_OK && at < count; at += ARRAY_MOST) {
        const size_t left = count - at;
        const struct run_array array = {.device = device,
                                        .runs = s->runs + at,
                                        .count = left < ARRAY_MOST ? left : ARRAY_MOST,
                                        .before = before->data};
        char job[JOB_TEXT] = "";
        status = submit_array(job, s, &array);
        hone_strbuf_printf(&jobs, ":%s", job);
    }
    if (status == HONE_OK && jobs.failed)
        status = hone_no_memory(s->err, "for jobs of Slurm");
    if (!count) return status;
    hone_strbuf_fini(before);
    *before = jobs;
    return status;
}

static enum hone_status submit_device(struct submission *s, size_t device, size_t steps)
{
    struct hone_strbuf before = HONE_STRBUF_INIT;
    enum hone_status status = HONE_OK;
    for (size_t step = 0; status == HONE_OK && step <= steps; step++)
        status = submit_step(s, device, step, &before);
    hone_strbuf_fini(&before);
    return status;
}

// --- one at a time ---

static enum hone_status lock_campaign(int *fd, const struct submission *s)
{
    char *path = hone_path_join(s->folder, "lock");
    *fd = -1;
    if (!path) return hone_no_memory(s->err, "for a job of Slurm");
    enum hone_status status = hone_file_mkdirs(s->folder, s->err);
    if (status == HONE_OK) {
        status = hone_events_open(fd, path, s->err);
        if (status == HONE_OK) status = hone_file_lock(*fd, path, s->err);
    }
    free(path);
    return status;
}

static enum hone_status submit_all(struct submission *s)
{
    const struct hone_campaign_def *def = s->campaign->def;
    const size_t steps = count_steps(s);
    enum hone_status status = HONE_OK;
    for (size_t d = 0; status == HONE_OK && d < def->device_count; d++)
        if (def->devices[d].via == HONE_ENGINE_SLURM) status = submit_device(s, d, steps);
    for (size_t i = 0; i < s->campaign->run_count; i++) {
        const enum hone_run_phase phase = s->overview->states[i].phase;
        s->out->queued += s->chosen[i] && phase == HONE_RUN_QUEUED;
        s->out->failed += s->chosen[i] && phase == HONE_RUN_FAILED;
    }
    return status;
}

enum hone_status hone_slurm_submit(struct hone_slurm_submitted *out,
                                   const struct hone_campaign *campaign,
                                   const bool *chosen, size_t at_once,
                                   const char *program, struct hone_error *err)
{
    *out = (struct hone_slurm_submitted){0};
    struct submission s = {.campaign = campaign,
                           .chosen = chosen,
                           .at_once = at_once,
                           .program = program,
                           .folder = hone_path_join(campaign->state, "slurm"),
                           .runs = calloc(campaign->run_count + 1, sizeof(size_t)),
                           .steps = calloc(campaign->run_count + 1, sizeof(size_t)),
                           .out = out,
                           .err = err};
    struct hone_overview now = {0};
    int fd = -1;
    enum hone_status status = s.folder && s.runs && s.steps
                                  ? lock_campaign(&fd, &s)
                                  : hone_no_memory(err, "for jobs of Slurm");
    if (status == HONE_OK) status = hone_overview_make(&now, campaign, err);
    s.overview = &now;
    if (status == HONE_OK) status = submit_all(&s);
    if (fd >= 0) close(fd);
    hone_overview_fini(&now);
    free(s.folder);
    free(s.runs);
    free(s.steps);
    return status;
}
