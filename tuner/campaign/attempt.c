#include "campaign/attempt.h"

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "campaign/slurm.h"
#include "events.h"
#include "hone/device.h"
#include "record/json_out.h"

// Where this process works, as people find it again: host and batch job.
static void add_place(struct json_t *event)
{
    char host[64] = "", job[64] = "";
    const char *array = getenv("SLURM_ARRAY_JOB_ID"),
               *task = getenv("SLURM_ARRAY_TASK_ID"), *alone = getenv("SLURM_JOB_ID");
    if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
    // On one machine with several nodes of Slurm the name of the node tells more.
    const char *node = getenv("SLURMD_NODENAME");
    size_t len = 0;
    if (array && task)
        len = (size_t)snprintf(job, sizeof job, "%s_%s", array, task);
    else if (alone)
        len = (size_t)snprintf(job, sizeof job, "%s", alone);
    hone_json_text(event, "host", node && *node ? node : host);
    hone_json_integer(event, "process", (int64_t)getpid());
    if (len < sizeof job && hone_slurm_is_job(job)) hone_json_text(event, "job", job);
}

static int64_t journal_bytes(const struct hone_campaign_run *run)
{
    struct stat info;
    char *path = hone_run_file(run, HONE_RUN_JOURNAL);
    const int64_t bytes = path && stat(path, &info) == 0 ? (int64_t)info.st_size : 0;
    free(path);
    return bytes;
}

// What the run is, for people who look into its folder; the first event.
static struct json_t *made_event(const struct hone_campaign *campaign,
                                 const struct hone_campaign_run *run)
{
    const struct hone_campaign_source *source = &campaign->sources[run->kernel];
    struct json_t *event = hone_event("made"), *problem = hone_json_object();
    hone_json_text(event, "run", run->id);
    hone_json_text(event, "script", source->script);
    hone_json_text(event, "kernel_key", source->key);
    for (size_t i = 0; i < source->name_count; i++)
        hone_json_value(problem, source->names[i].name, run->values[i]);
    hone_json_child(event, "problem", problem);
    hone_json_text(event, "device", campaign->def->devices[run->device].label);
    hone_json_unsigned(event, "seed", run->seed);
    return event;
}

static enum hone_status open_log(struct hone_attempt *attempt, struct hone_error *err)
{
    char *path = hone_run_file(attempt->run, HONE_RUN_LOG);
    if (!path) return hone_no_memory(err, "for a run's files");
    const enum hone_status status = hone_events_open(&attempt->log, path, err);
    free(path);
    return status;
}

static void give_up(struct hone_attempt *attempt)
{
    if (attempt->lock >= 0) close(attempt->lock);
    if (attempt->log >= 0) close(attempt->log);
    attempt->lock = attempt->log = -1;
}

static enum hone_status note_begin(struct hone_attempt *attempt, struct hone_error *err)
{
    const struct hone_campaign_run *run = attempt->run;
    const int64_t bytes = journal_bytes(run);
    struct stat info;
    enum hone_status status = HONE_OK;
    if (fstat(attempt->lock, &info) == 0 && info.st_size == 0)
        status =
            hone_events_add(attempt->lock, run, made_event(attempt->campaign, run), err);
    if (status != HONE_OK) return status;
    struct json_t *event = hone_event("begin");
    add_place(event);
    hone_json_integer(event, "bytes", bytes);
    attempt->resumes = bytes > 0;
    return hone_events_add(attempt->lock, run, event, err);
}

// A node with another GPU than it is said to have measures for somebody else.
static enum hone_status check_gpu_name(const struct hone_attempt *attempt,
                                       const char *device, struct hone_error *err)
{
    const char *wanted = attempt->campaign->def->devices[attempt->run->device].name;
    struct hone_limits limits;
    if (!wanted) return HONE_OK;
    enum hone_status status = hone_device_limits(&limits, device, err);
    if (status != HONE_OK || strstr(limits.name, wanted)) return status;
    return hone_fail(err, HONE_EDEVICE, "%s is %s, and the campaign wants %s", device,
                     limits.name, wanted);
}

static enum hone_status claim_run(struct hone_attempt *attempt, enum hone_claim *claim,
                                  struct hone_error *err)
{
    struct hone_run_state state;
    struct hone_error why = {0};
    enum hone_status status = hone_events_lock(&attempt->lock, attempt->run, &why);
    if (status == HONE_EUSAGE && attempt->lock < 0) {
        *claim = HONE_CLAIM_BUSY;
        return HONE_OK;
    }
    if (status != HONE_OK) return hone_error_pass(err, status, &why);
    status = hone_run_state_left(&state, attempt->run,
                                 (unsigned)attempt->campaign->def->tries, err);
    const enum hone_run_phase phase = state.phase;
    *claim =
        phase == HONE_RUN_DONE || phase == HONE_RUN_FAILED || phase == HONE_RUN_CANCELLED
            ? HONE_CLAIM_OVER
            : HONE_CLAIM_OURS;
    return status;
}

enum hone_status hone_attempt_begin(struct hone_attempt *out, enum hone_claim *claim,
                                    const struct hone_campaign *campaign, size_t run,
                                    const char *device, struct hone_error *err)
{
    assert(run < campaign->run_count);
    struct hone_error why = {0};
    *out = (struct hone_attempt){.campaign = campaign,
                                 .run = &campaign->runs[run],
                                 .lock = -1,
                                 .log = -1,
                                 .started = hone_clock_seconds()};
    enum hone_status status = claim_run(out, claim, err);
    if (status == HONE_OK && *claim == HONE_CLAIM_OURS) status = open_log(out, err);
    if (status == HONE_OK && *claim == HONE_CLAIM_OURS) status = note_begin(out, err);
    if (status != HONE_OK || *claim != HONE_CLAIM_OURS) {
        give_up(out);
        return status;
    }
    status = check_gpu_name(out, device, &why);
    if (status == HONE_OK) return HONE_OK;
    hone_attempt_end(out, 1, why.text, NULL);
    return hone_fail(err, HONE_EDEVICE, "%s", why.text);
}

// The last line of the log is what the command said when it gave up.
static void last_words(char *out, size_t size, const struct hone_campaign_run *run)
{
    enum { TAIL = 4096 };
    const struct hone_file_want want = {.most = UINT64_MAX};
    char text[TAIL + 1];
    char *path = hone_run_file(run, HONE_RUN_LOG);
    int fd = -1;
    const bool is_open = path && hone_file_open(&fd, path, &want, NULL) == HONE_OK;
    free(path);
    *out = '\0';
    if (!is_open) return;
    const off_t end = lseek(fd, 0, SEEK_END);
    const ssize_t n = pread(fd, text, TAIL, end > TAIL ? end - TAIL : 0);
    close(fd);
    size_t len = n > 0 ? (size_t)n : 0;
    while (len && text[len - 1] == '\n')
        len--;
    text[len] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    if (strncmp(line, "hone: ", 6) == 0) line += 6;
    snprintf(out, size, "%.200s", line);
}

static struct json_t *end_event(const struct hone_attempt *attempt, int code,
                                const char *reason)
{
    struct hone_run_figures figures;
    struct hone_error why = {0};
    char words[256];
    struct json_t *event = hone_event("end");
    hone_run_figures_read(&figures, attempt->run, &why); // why is told as the reason
    hone_json_integer(event, "code", code);
    hone_json_number(event, "seconds", hone_clock_seconds() - attempt->started);
    hone_json_unsigned(event, "trials", figures.trials);
    hone_json_unsigned(event, "valid", figures.valid);
    if (figures.best > 0) hone_json_number(event, "best", figures.best);
    if (figures.base > 0) hone_json_number(event, "default", figures.base);
    if (figures.gain > 0) hone_json_number(event, "gain", figures.gain);
    if (figures.predicted) hone_json_bool(event, "predicted", true);
    last_words(words, sizeof words, attempt->run);
    if (why.text[0]) reason = why.text;
    if (code != 0) hone_json_lossy_text(event, "reason", reason ? reason : words);
    return event;
}

enum hone_status hone_attempt_end(struct hone_attempt *attempt, int code,
                                  const char *reason, struct hone_error *err)
{
    enum hone_status status = hone_events_add(attempt->lock, attempt->run,
                                              end_event(attempt, code, reason), err);
    // A job that is interrupted may be queued again by its scheduler; else it is over.
    const bool interrupted = code == 128 + SIGINT || code == 128 + SIGTERM;
    if (status == HONE_OK && !interrupted)
        status = hone_run_set_job(attempt->run, NULL, err);
    give_up(attempt);
    return status;
}
