#include "campaign/state.h"

#include <errno.h>
#include <fcntl.h>
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
#include "events.h"
#include "record/json_in.h"
#include "record/json_out.h"

enum { EVENTS_BYTES = 16 << 20, WRONG_USE = 2, SIGNALLED = 128 };

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
    const char *wrong;   // a field of an event that is no number as it should be
};

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
    story->wrong = key;
    return 0;
}

static double event_number(const struct json_t *json, const char *key)
{
    struct hone_value value = {0};
    double number = 0;
    if (!hone_json_peek_value(&value, hone_json_get(json, key)) ||
        !hone_value_to_double(value, &number))
        return 0;
    return number;
}

static bool truth_of(const struct json_t *json, const char *key)
{
    struct hone_value value = {0};
    return hone_json_peek_value(&value, hone_json_get(json, key)) &&
           value.type == HONE_BOOL && value.b;
}

static void text_of(char *out, size_t size, const struct json_t *json, const char *key)
{
    struct hone_value value = {0};
    const bool is_text = hone_json_peek_value(&value, hone_json_get(json, key)) &&
                         value.type == HONE_STRING;
    snprintf(out, size, "%s", is_text ? value.s : "");
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
    text_of(state->job, sizeof state->job, event, "job");
    state->in_job = state->job[0] != '\0';
    story->open = true;
    story->bytes = bytes;
}

static void take_end(struct story *story, const struct json_t *event)
{
    struct hone_run_state *state = story->state;
    // Without its code nobody knows whether it is done.
    if (!hone_json_get(event, "code")) story->wrong = "code";
    state->ended = event_integer(story, event, "at", INT64_MAX);
    state->code = (int)event_integer(story, event, "code", INT_MAX);
    state->seconds += event_number(event, "seconds");
    state->figures = (struct hone_run_figures){
        .trials = (uint64_t)event_integer(story, event, "trials", INT64_MAX),
        .valid = (uint64_t)event_integer(story, event, "valid", INT64_MAX),
        .best = event_number(event, "best"),
        .base = event_number(event, "default"),
        .gain = event_number(event, "gain"),
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

static enum hone_status take_events(struct story *story, const char *path, char *text,
                                    struct hone_error *err)
{
    int line = 0;
    char *next;
    // A last line without its end was cut short by a crash, and never happened.
    for (char *at = text; (next = strchr(at, '\n')) != NULL; at = next + 1) {
        char why[128];
        line++;
        if (next == at) continue;
        struct json_t *event = hone_json_parse(at, (size_t)(next - at), why, sizeof why);
        if (event) take_event(story, event);
        // What a crash cut short was ended by whoever wrote the next line.
        if (!event && *at != '{')
            return hone_fail_at(err, HONE_EINPUT, path, line, "no event of a run: %s",
                                why);
        hone_json_free(event);
        if (story->wrong)
            return hone_fail_at(err, HONE_EINPUT, path, line,
                                "no event of a run: '%s' is absent or no whole number "
                                "in its range",
                                story->wrong);
    }
    return HONE_OK;
}

// --- files ---

static enum hone_status read_events(struct story *story, bool *locked,
                                    const struct hone_campaign_run *run,
                                    struct hone_error *err)
{
    char *path = hone_run_file(run, HONE_RUN_EVENTS), *text = NULL;
    *locked = false;
    if (!path) return hone_no_memory(err, "for the state of a run");
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum hone_status status = HONE_OK;
    if (fd < 0 && errno != ENOENT)
        status = hone_fail(err, hone_file_read_status(errno), "cannot read '%s': %s",
                           path, hone_errno_text(errno));
    if (fd >= 0) {
        *locked = hone_file_is_locked(fd);
        status = hone_fd_read(&text, NULL, fd, path, EVENTS_BYTES, err);
        close(fd);
    }
    if (status == HONE_OK && text) status = take_events(story, path, text, err);
    free(text);
    free(path);
    return status;
}

static struct stat stat_of(const struct hone_campaign_run *run, const char *name)
{
    struct stat info = {0};
    char *path = hone_run_file(run, name);
    if (!path || stat(path, &info) != 0) info = (struct stat){0};
    free(path);
    return info;
}

static bool has_file(const struct hone_campaign_run *run, const char *name)
{
    char *path = hone_run_file(run, name);
    const bool there = path && hone_file_exists(path);
    free(path);
    return there;
}

bool hone_run_is_cancelled(const struct hone_campaign_run *run)
{
    return has_file(run, HONE_RUN_CANCEL);
}

static bool read_job(struct hone_run_state *state, const struct hone_campaign_run *run)
{
    char *path = hone_run_file(run, HONE_RUN_JOB), *text = NULL;
    const bool read = path && hone_file_exists(path) &&
                      hone_file_read(&text, NULL, path, NULL) == HONE_OK;
    if (read) snprintf(state->job, sizeof state->job, "%s", text);
    free(text);
    free(path);
    return read;
}

static enum hone_run_phase phase_of(struct story *story,
                                    const struct hone_campaign_run *run, bool locked,
                                    unsigned tries, int64_t now)
{
    struct hone_run_state *state = story->state;
    const bool was_open = story->open;
    const struct stat journal =
        was_open ? stat_of(run, HONE_RUN_JOURNAL) : (struct stat){0};
    if (story->done) return HONE_RUN_DONE;
    if (locked && was_open) {
        const int64_t since =
            journal.st_mtime > state->begun ? journal.st_mtime : state->begun;
        state->age = now > since ? (double)(now - since) : 0;
        return state->age > HONE_RUN_STALE_S ? HONE_RUN_STALE : HONE_RUN_RUNNING;
    }
    take_loss(story, (int64_t)journal.st_size);
    if (hone_run_is_cancelled(run)) return HONE_RUN_CANCELLED;
    if (story->for_good || state->tries >= tries) return HONE_RUN_FAILED;
    if (read_job(state, run)) return HONE_RUN_QUEUED;
    return state->starts && !state->tries ? HONE_RUN_INTERRUPTED : HONE_RUN_WAITING;
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
    out->phase = phase_of(&story, run, locked && !ours, tries, now);
    return HONE_OK;
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
