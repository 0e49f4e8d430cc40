#include "campaign/state.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "campaign/slurm.h"
#include "events.h"
#include "record/json_in.h"
#include "record/json_out.h"

enum { EVENTS_BYTES = 16 << 20, JOB_BYTES = 4096, WRONG_USE = 2, SIGNALLED = 128 };

// Sums of such numbers are finite.
static const double NUMBER_MOST = 1e300;

const char *hone_run_phase_name(enum hone_run_phase phase)
{
    static const char *const names[] = {
#define PHASE_NAME(name, text) text,
        HONE_RUN_PHASE_LIST(PHASE_NAME)
#undef PHASE_NAME
    };
    return names[phase];
}

int64_t hone_date_now(void)
{
    time_t now;
    return time(&now) == (time_t)-1 ? 0 : (int64_t)now;
}

// --- events ---

// What the events say, before locks and markers are looked at.
struct story {
    struct hone_run_state *state;
    bool open;           // the last start has not ended
    int64_t bytes;       // of the journal when it was begun
    bool done, for_good; // it ended well, or in a way that no second try changes
    const char *wrong;   // a field of an event that is not what it should be,
    const char *wanted;  // and what that is
};

static void event_refuse(struct story *story, const char *key, const char *wanted)
{
    story->wrong = key;
    story->wanted = wanted;
}

// A whole number from 0 to most; 0 where there is none.
static int64_t event_integer(struct story *story, const struct json_t *json,
                             const char *key, int64_t most)
{
    struct hone_value value = {0};
    int64_t number = 0;
    const struct json_t *field = hone_json_get(json, key);
    if (!field) return 0;
    if (hone_json_peek_value(&value, field) && hone_value_to_int(value, &number) &&
        number >= 0 && number <= most)
        return number;
    event_refuse(story, key, "a whole number in its range");
    return 0;
}

// A time or a ratio from 0 to NUMBER_MOST; 0 where there is none.
static double event_number(struct story *story, const struct json_t *json,
                           const char *key)
{
    struct hone_value value = {0};
    double number = 0;
    const struct json_t *field = hone_json_get(json, key);
    if (!field) return 0;
    if (hone_json_peek_value(&value, field) && hone_value_to_double(value, &number) &&
        number >= 0 && number <= NUMBER_MOST)
        return number;
    event_refuse(story, key, "a number from 0 to 1e300");
    return 0;
}

static bool truth_of(const struct json_t *json, const char *key)
{
    struct hone_value value = {0};
    return hone_json_peek_value(&value, hone_json_get(json, key)) &&
           value.type == HONE_BOOL && value.b;
}

// Whether it has room for the whole text.
static bool text_of(char *out, size_t size, const struct json_t *json, const char *key)
{
    struct hone_value value = {0};
    const bool is_text = hone_json_peek_value(&value, hone_json_get(json, key)) &&
                         value.type == HONE_STRING;
    return (size_t)snprintf(out, size, "%s", is_text ? value.s : "") < size;
}

// A start without an end: its process or machine went down. That counts as a failure
// unless it had measured something, or a run that kills its machine would do so for ever.
static void take_loss(struct story *story, int64_t bytes)
{
    if (!story->open) return;
    story->open = false;
    if (bytes > story->bytes) return;
    story->state->tries++;
    snprintf(story->state->reason, sizeof story->state->reason,
             "its process on %s was lost before it measured anything",
             story->state->host[0] ? story->state->host : "an unknown machine");
}

static void take_begin(struct story *story, const struct json_t *event)
{
    struct hone_run_state *state = story->state;
    const int64_t bytes = event_integer(story, event, "bytes", INT64_MAX);
    take_loss(story, bytes);
    state->starts++;
    state->begun = event_integer(story, event, "at", INT64_MAX);
    state->process = (long)event_integer(story, event, "process", LONG_MAX);
    text_of(state->host, sizeof state->host, event, "host");
    const bool whole = text_of(state->job, sizeof state->job, event, "job");
    if (!whole || (state->job[0] && !hone_slurm_is_job(state->job)))
        event_refuse(story, "job", "a job of Slurm");
    state->in_job = state->job[0] != '\0';
    story->open = true;
    story->bytes = bytes;
}

static void take_end(struct story *story, const struct json_t *event)
{
    struct hone_run_state *state = story->state;
    // Without its code nobody knows whether it is done.
    if (!hone_json_get(event, "code"))
        event_refuse(story, "code", "a whole number in its range");
    state->ended = event_integer(story, event, "at", INT64_MAX);
    state->code = (int)event_integer(story, event, "code", INT_MAX);
    state->seconds += event_number(story, event, "seconds");
    state->figures = (struct hone_run_figures){
        .trials = (uint64_t)event_integer(story, event, "trials", INT64_MAX),
        .valid = (uint64_t)event_integer(story, event, "valid", INT64_MAX),
        .best = event_number(story, event, "best"),
        .base = event_number(story, event, "default"),
        .gain = event_number(story, event, "gain"),
        .predicted = truth_of(event, "predicted")};
    text_of(state->reason, sizeof state->reason, event, "reason");
    story->open = false;
    story->done = state->code == 0;
    story->for_good = state->code == WRONG_USE;
    const bool interrupted =
        state->code == SIGNALLED + SIGINT || state->code == SIGNALLED + SIGTERM;
    if (!story->done && !interrupted) state->tries++;
}

static void take_event(struct story *story, const struct json_t *event)
{
    char name[32];
    text_of(name, sizeof name, event, "event");
    if (strcmp(name, "begin") == 0) take_begin(story, event);
    if (strcmp(name, "end") == 0) take_end(story, event);
    if (strcmp(name, "retry") == 0) {
        story->state->tries = 0;
        story->state->reason[0] = '\0';
        story->open = story->for_good = false; // a start that was lost is forgiven, too
    }
}

// A crash cuts events short, which then have not happened; whatever else is no event is
// somebody's mistake, and may have been one that counts.
static enum hone_status take_line(struct story *story, const char *path, int line,
                                  const char *text, size_t size, struct hone_error *err)
{
    char why[128] = "it is no object";
    struct json_t *event = hone_json_parse(text, size, why, sizeof why);
    const bool is_event = hone_json_is_object(event);
    if (is_event) take_event(story, event);
    hone_json_free(event);
    if (!event && hone_json_is_torn(text, size)) {
        hone_log(HONE_LOG_DEBUG, "%s:%d: an event that a crash cut short", path, line);
        return HONE_OK;
    }
    if (!is_event)
        return hone_fail_at(err, HONE_EINPUT, path, line, "no event of a run: %s", why);
    if (story->wrong)
        return hone_fail_at(err, HONE_EINPUT, path, line,
                            "no event of a run: '%s' is not %s", story->wrong,
                            story->wanted);
    return HONE_OK;
}

static enum hone_status take_events(struct story *story, const char *path,
                                    const char *text, size_t size, struct hone_error *err)
{
    int line = 1;
    const char *const end = text + hone_events_size(text, size), *next;
    enum hone_status status = HONE_OK;
    for (; status == HONE_OK && text < end; text = next + 1, line++) {
        next = memchr(text, '\n', (size_t)(end - text));
        // A crash may have left a last line without its end, which who writes next adds,
        // as he cuts off what had not reached the disk.
        if (!next) next = end;
        if (next > text)
            status = take_line(story, path, line, text, (size_t)(next - text), err);
    }
    return status;
}

// --- files ---

static enum hone_status read_events(struct story *story, bool *locked,
                                    const struct hone_campaign_run *run,
                                    struct hone_error *err)
{
    const struct hone_file_want want = {.most = EVENTS_BYTES};
    char *path = hone_run_file(run, HONE_RUN_EVENTS), *text = NULL;
    size_t size = 0;
    int fd = -1;
    *locked = false;
    if (!path) return hone_no_memory(err, "for the state of a run");
    struct hone_error why = {0};
    enum hone_status status = hone_file_open(&fd, path, &want, &why);
    if (status == HONE_ENOTFOUND) status = HONE_OK; // it was never begun
    hone_error_pass(err, status, &why);
    if (fd >= 0) {
        *locked = hone_file_is_locked(fd);
        status = hone_fd_read(&text, &size, fd, path, EVENTS_BYTES, err);
        close(fd);
    }
    if (status == HONE_OK && text) status = take_events(story, path, text, size, err);
    free(text);
    free(path);
    return status;
}

// Zeros where there is no such file.
static enum hone_status look_at_file(struct stat *info, bool *there,
                                     const struct hone_campaign_run *run,
                                     const char *name, struct hone_error *err)
{
    char *path = hone_run_file(run, name);
    if (!path) return hone_no_memory(err, "for the state of a run");
    enum hone_status status = HONE_OK;
    *there = stat(path, info) == 0;
    if (!*there && errno != ENOENT && errno != ENOTDIR)
        status = hone_fail(err, HONE_EIO, "cannot look at '%s': %s", path,
                           hone_errno_text(errno));
    if (!*there) *info = (struct stat){0};
    free(path);
    return status;
}

bool hone_run_is_cancelled(const struct hone_campaign_run *run)
{
    struct stat info;
    bool there = false;
    return look_at_file(&info, &there, run, HONE_RUN_CANCEL, NULL) == HONE_OK && there;
}

// The text becomes a word of scancel and a part of one of sbatch.
static enum hone_status read_job(bool *queued, struct hone_run_state *state,
                                 const struct hone_campaign_run *run,
                                 struct hone_error *err)
{
    const struct hone_file_want want = {.most = JOB_BYTES};
    struct hone_error why = {0};
    char *path = hone_run_file(run, HONE_RUN_JOB), *text = NULL;
    if (!path) return hone_no_memory(err, "for the state of a run");
    enum hone_status status = hone_file_read_as(&text, NULL, path, &want, &why);
    *queued = status == HONE_OK;
    if (status == HONE_OK && !hone_slurm_is_job(text))
        status = hone_fail(&why, HONE_EINPUT,
                           "'%s' names no job of Slurm: remove it to have the run begun",
                           path);
    if (status == HONE_OK) snprintf(state->job, sizeof state->job, "%s", text);
    if (status == HONE_ENOTFOUND) status = HONE_OK;
    free(text);
    free(path);
    return hone_error_pass(err, status, &why);
}

static bool is_stale(struct hone_run_state *state, const struct stat *journal,
                     int64_t now)
{
    const int64_t since =
        journal->st_mtime > state->begun ? journal->st_mtime : state->begun;
    state->age = now > since ? (double)(now - since) : 0;
    return state->age > HONE_RUN_STALE_S;
}

// What nobody is at and nobody has done.
static enum hone_status open_phase(struct story *story,
                                   const struct hone_campaign_run *run, unsigned tries,
                                   struct hone_error *err)
{
    struct hone_run_state *state = story->state;
    struct stat info;
    bool cancelled = false, queued = false;
    enum hone_status status = look_at_file(&info, &cancelled, run, HONE_RUN_CANCEL, err);
    const bool failed = story->for_good || state->tries >= tries;
    if (status == HONE_OK && !cancelled && !failed)
        status = read_job(&queued, state, run, err);
    state->phase = cancelled                        ? HONE_RUN_CANCELLED
                   : failed                         ? HONE_RUN_FAILED
                   : queued                         ? HONE_RUN_QUEUED
                   : state->starts && !state->tries ? HONE_RUN_INTERRUPTED
                                                    : HONE_RUN_WAITING;
    return status;
}

static enum hone_status find_phase(struct story *story,
                                   const struct hone_campaign_run *run, bool locked,
                                   unsigned tries, int64_t now, struct hone_error *err)
{
    struct hone_run_state *state = story->state;
    struct stat journal = {0};
    bool there;
    state->phase = HONE_RUN_DONE;
    if (story->done) return HONE_OK;
    if (story->open) {
        enum hone_status status =
            look_at_file(&journal, &there, run, HONE_RUN_JOURNAL, err);
        if (status != HONE_OK) return status;
    }
    if (locked && story->open) {
        state->phase = is_stale(state, &journal, now) ? HONE_RUN_STALE : HONE_RUN_RUNNING;
        return HONE_OK;
    }
    take_loss(story, (int64_t)journal.st_size);
    return open_phase(story, run, tries, err);
}

static enum hone_status read_state(struct hone_run_state *out,
                                   const struct hone_campaign_run *run, bool ours,
                                   unsigned tries, int64_t now, struct hone_error *err)
{
    bool locked;
    *out = (struct hone_run_state){0};
    struct story story = {.state = out};
    enum hone_status status = read_events(&story, &locked, run, err);
    if (status != HONE_OK) return status;
    return find_phase(&story, run, locked && !ours, tries, now, err);
}

enum hone_status hone_run_state_read(struct hone_run_state *out,
                                     const struct hone_campaign_run *run, unsigned tries,
                                     int64_t now, struct hone_error *err)
{
    return read_state(out, run, false, tries, now, err);
}

enum hone_status hone_run_state_now(struct hone_run_state *out,
                                    const struct hone_campaign *campaign, size_t run,
                                    struct hone_error *err)
{
    return hone_run_state_read(out, &campaign->runs[run], (unsigned)campaign->def->tries,
                               hone_date_now(), err);
}

enum hone_status hone_run_state_left(struct hone_run_state *out,
                                     const struct hone_campaign_run *run, unsigned tries,
                                     struct hone_error *err)
{
    return read_state(out, run, true, tries, hone_date_now(), err);
}

// --- what people ask for ---

enum hone_status hone_run_cancel(const struct hone_campaign_run *run,
                                 struct hone_error *err)
{
    char *path = hone_run_file(run, HONE_RUN_CANCEL);
    if (!path) return hone_no_memory(err, "for the state of a run");
    enum hone_status status = hone_file_mkdirs(run->folder, err);
    if (status == HONE_OK && !hone_file_exists(path))
        status = hone_file_write(path, "", 0, err);
    free(path);
    return status;
}

// One that is not there is none to be removed.
static enum hone_status remove_file(const struct hone_campaign_run *run, const char *name,
                                    struct hone_error *err)
{
    char *path = hone_run_file(run, name);
    if (!path) return hone_no_memory(err, "for the state of a run");
    enum hone_status status = HONE_OK;
    if (unlink(path) != 0 && errno != ENOENT)
        status = hone_fail(err, HONE_EIO, "cannot remove '%s': %s", path,
                           hone_errno_text(errno));
    free(path);
    return status;
}

enum hone_status hone_run_set_job(const struct hone_campaign_run *run, const char *job,
                                  struct hone_error *err)
{
    enum hone_status status = hone_file_mkdirs(run->folder, err);
    if (status != HONE_OK) return status;
    if (!job) return remove_file(run, HONE_RUN_JOB, err);
    char *path = hone_run_file(run, HONE_RUN_JOB);
    if (!path) return hone_no_memory(err, "for the state of a run");
    status = hone_file_write(path, job, strlen(job), err);
    free(path);
    return status;
}

enum hone_status hone_run_retry(const struct hone_campaign_run *run,
                                struct hone_error *err)
{
    int fd;
    enum hone_status status = hone_events_lock(&fd, run, err);
    if (status != HONE_OK) return status;
    status = hone_events_add(fd, run, hone_event("retry"), err);
    if (status == HONE_OK) status = hone_run_set_job(run, NULL, err);
    if (status == HONE_OK) status = remove_file(run, HONE_RUN_CANCEL, err);
    close(fd);
    return status;
}
