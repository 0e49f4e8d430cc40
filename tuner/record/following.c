#define _POSIX_C_SOURCE 200809L // pread
#include "record/following.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/grow.h"
#include "begun.h"
#include "choices.h"
#include "header.h"
#include "json.h"
#include "recording.h"
#include "space/trial_keep.h"
#include "trial_line.h"

struct part {
    struct hone_following_part seen;
    struct hone_following_step *steps;
    size_t step_cap;
    struct hone_trial best;
    uint16_t *choices;
};

struct hone_following {
    char *path;
    int fd;                  // -1: not open
    struct stat file;        // that fd is of
    off_t offset;            // behind the last whole line that was read
    size_t line_count;       // up to there
    struct hone_arena arena; // of what follows
    struct hone_record_info info;
    bool has_info;
    struct hone_choice_table table;
    uint16_t *row;
    struct part *parts;
    size_t part_count, newest;
    struct hone_begun_list seen; // configurations that have a line
    size_t done;
    bool looked;
    size_t done_first;
    double first_look;
};

enum hone_status hone_following_open(struct hone_following **out, const char *path,
                                     struct hone_error *err)
{
    struct hone_following *f = calloc(1, sizeof *f);
    *out = NULL;
    if (f) f->path = strdup(path);
    if (!f || !f->path) {
        free(f);
        return hone_no_memory(err, "following '%s'", path);
    }
    f->fd = -1;
    *out = f;
    return HONE_OK;
}

// What was read so far is of another journal.
static void forget(struct hone_following *f)
{
    for (size_t i = 0; i < f->part_count; i++)
        free(f->parts[i].steps);
    free(f->seen.items);
    hone_hash_table_fini(&f->seen.table);
    hone_arena_fini(&f->arena);
    if (f->fd >= 0) close(f->fd);
    *f = (struct hone_following){.path = f->path, .fd = -1};
}

void hone_following_close(struct hone_following *f)
{
    if (!f) return;
    forget(f);
    free(f->path);
    free(f);
}

/* --- lines --- */

static enum hone_status no_memory(const struct hone_following *f, struct hone_error *err)
{
    return hone_no_memory(err, "following '%s'", f->path);
}

static enum hone_status read_first(struct hone_following *f, const json_t *json,
                                   struct hone_error *err)
{
    if (!json_is_object(json))
        return hone_fail_at(err, HONE_EINPUT, f->path, 1,
                            "not a hone journal: the first line is no JSON object");
    enum hone_status status = hone_header_read(&f->info, json, f->path, &f->arena, err);
    if (status != HONE_OK) return status;
    const size_t n = f->info.param_count;
    struct hone_error inner = {0};
    status = hone_choice_table_init(&f->table, f->info.params, n, &f->arena, &inner);
    if (status != HONE_OK) return hone_fail_at(err, status, f->path, 1, "%s", inner.text);
    f->part_count = f->info.problems_count ? f->info.problems_count : 1;
    f->row = hone_arena_alloc(&f->arena, (n + 1) * sizeof *f->row);
    f->parts = hone_arena_alloc(&f->arena, f->part_count * sizeof *f->parts);
    if (f->row && f->parts) memset(f->parts, 0, f->part_count * sizeof *f->parts);
    for (size_t i = 0; f->row && f->parts && i < f->part_count; i++) {
        f->parts[i].choices = hone_arena_alloc(&f->arena, (n + 1) * sizeof *f->row);
        if (!f->parts[i].choices) f->parts = NULL;
    }
    f->seen.arena = &f->arena;
    f->seen.row_bytes = n * sizeof *f->row;
    f->has_info = f->row && f->parts;
    if (!f->has_info) f->part_count = 0;
    return f->has_info ? HONE_OK : no_memory(f, err);
}

// The trial becomes the best of its part.
static bool keep_best(struct hone_following *f, struct part *part,
                      const struct hone_trial *trial)
{
    // Names of metrics are gone with their line; this one is part of a time.
    const struct hone_metric warm = {"warm_us", hone_trial_metric(trial, "warm_us", 0)};
    struct hone_trial best = *trial;
    best.metrics = &warm;
    best.metric_count = warm.value > 0;
    if (hone_trial_keep(&best, &f->arena, NULL) != HONE_OK) return false;
    part->best = best;
    part->seen.best = &part->best;
    memcpy(part->choices, f->row, f->info.param_count * sizeof *f->row);
    part->seen.choices = part->choices;
    part->seen.refuted = false;
    return true;
}

static bool is_best(const struct hone_following *f, const struct part *part)
{
    return part->seen.best &&
           memcmp(part->choices, f->row, f->info.param_count * sizeof *f->row) == 0;
}

// What was measured or compared again, where its last line counts.
static void note_again(const struct hone_following *f, struct part *part,
                       const struct hone_trial *trial)
{
    struct hone_following_part *seen = &part->seen;
    if (trial->outcome == HONE_VALID || seen->refuted || !is_best(f, part)) return;
    seen->refuted = true;
    if (!seen->outcomes[HONE_VALID]) return; // it won finals after it had failed
    seen->outcomes[HONE_VALID]--;
    seen->outcomes[trial->outcome]++;
}

// The first line of a configuration.
static bool add_new(struct hone_following *f, struct part *part,
                    const struct hone_trial *trial)
{
    struct hone_following_part *seen = &part->seen;
    const double cost = hone_trial_cost(trial);
    f->done++;
    seen->done++;
    seen->outcomes[trial->outcome]++;
    if (!isfinite(cost) ||
        (seen->step_count && cost >= seen->steps[seen->step_count - 1].cost))
        return true;
    if (!HONE_GROW(&part->steps, &part->step_cap, seen->step_count + 1, 16)) return false;
    part->steps[seen->step_count++] =
        (struct hone_following_step){.trial = seen->done, .cost = cost};
    seen->steps = part->steps;
    if (trial->final.rank > 1 && seen->finals) return true; // its winner stands above
    seen->finals = false;                                   // of a run that was resumed
    return keep_best(f, part, trial);
}

static bool add_trial(struct hone_following *f, struct part *part,
                      const struct hone_trial *trial)
{
    // What a line holds does not tell: merged journals have one a configuration.
    const uint32_t number = (uint32_t)(part - f->parts);
    const bool again = hone_begun_find(&f->seen, number, f->row) != NULL;
    if (!again && (!hone_begun_add(&f->seen, number, f->row) || !add_new(f, part, trial)))
        return false;
    if (trial->final.rank == 1) {
        part->seen.finals = true;
        return keep_best(f, part, trial);
    }
    if (again) note_again(f, part, trial);
    return true;
}

static enum hone_status read_trial(struct hone_following *f, const json_t *json,
                                   struct hone_error *err)
{
    struct hone_arena scratch = {0};
    struct hone_metric_names names = {0};
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    const json_t *problem = json_object_get(json, "problem");
    const json_int_t number = json_integer_value(problem);
    enum hone_status status =
        hone_choice_table_read(&f->table, json_object_get(json, "config"), f->row, err);
    if (status == HONE_OK && (number < 0 || (size_t)number >= f->part_count))
        status = hone_fail(err, HONE_EINPUT,
                           "'problem' must be a number below %zu, that of 'problems'",
                           f->part_count);
    if (status == HONE_OK) status = hone_trial_read(&trial, json, &names, &scratch, err);
    if (status == HONE_OK) {
        f->newest = (size_t)number;
        if (!add_trial(f, &f->parts[number], &trial)) status = no_memory(f, err);
    }
    hone_arena_fini(&scratch);
    return status;
}

// Marks of what was begun and notes say nothing here.
static enum hone_status follow_line(struct hone_following *f, const char *line,
                                    size_t len, struct hone_error *err)
{
    struct hone_error inner = {0};
    json_error_t why;
    if (!len) return HONE_OK;
    json_t *json = hone_json_read(line, len, 0, &why);
    enum hone_status status = HONE_OK;
    if (!json)
        status = hone_fail(&inner, HONE_EINPUT, "%s%s",
                           f->has_info ? "" : "not a hone journal: ", why.text);
    else if (!f->has_info)
        status = read_first(f, json, &inner);
    else if (!json_object_get(json, "begun") && !json_object_get(json, "left") &&
             !json_is_string(json_object_get(json, "note")))
        status = read_trial(f, json, &inner);
    json_decref(json);
    return status == HONE_OK ? HONE_OK
                             : hone_fail_at(err, status, f->path, (int)f->line_count + 1,
                                            "%s", inner.text);
}

/* --- the file --- */

// Whole lines of data; *used: their bytes.
static enum hone_status read_lines(struct hone_following *f, const char *data,
                                   size_t size, size_t *used, struct hone_error *err)
{
    const char *p = data, *newline;
    enum hone_status status = HONE_OK;
    while ((newline = memchr(p, '\n', (size_t)(data + size - p))) != NULL) {
        status = follow_line(f, p, (size_t)(newline - p), err);
        if (status != HONE_OK) break;
        f->line_count++;
        p = newline + 1;
    }
    *used = (size_t)(p - data);
    return status;
}

// From the offset to the end, in pieces that hold at least one line.
static enum hone_status read_news(struct hone_following *f, struct hone_error *err)
{
    size_t room = (size_t)1 << 20, used = 0;
    char *data = malloc(room);
    ssize_t got = 1;
    enum hone_status status = data ? HONE_OK : no_memory(f, err);
    while (status == HONE_OK && (got = pread(f->fd, data, room, f->offset)) > 0) {
        status = read_lines(f, data, (size_t)got, &used, err);
        f->offset += (off_t)used;
        if (used || status != HONE_OK) continue;
        if ((size_t)got < room) break; // a line without its end
        char *larger = room < HONE_JOURNAL_MOST ? realloc(data, 2 * room) : NULL;
        if (!larger) status = no_memory(f, err);
        if (larger) data = larger;
        room *= 2;
    }
    if (got < 0)
        status = hone_fail_at(err, HONE_EIO, f->path, 0, "%s", hone_errno_text(errno));
    free(data);
    return status;
}

// A file of this number of its own that only grew, with whole lines up to the offset.
static bool is_same(const struct hone_following *f, const struct stat *now)
{
    char last = '\n';
    return f->fd >= 0 && now->st_dev == f->file.st_dev && now->st_ino == f->file.st_ino &&
           now->st_size >= f->offset &&
           (!f->offset || (pread(f->fd, &last, 1, f->offset - 1) == 1 && last == '\n'));
}

static enum hone_status reopen(struct hone_following *f, struct hone_error *err)
{
    static const struct hone_file_want want = {.most = HONE_JOURNAL_MOST};
    forget(f);
    enum hone_status status = hone_file_open(&f->fd, f->path, &want, err);
    if (status != HONE_OK) {
        f->fd = -1;
        return status;
    }
    return fstat(f->fd, &f->file) == 0
               ? HONE_OK
               : hone_fail_at(err, HONE_EIO, f->path, 0, "%s", hone_errno_text(errno));
}

enum hone_status hone_following_look(struct hone_following *f,
                                     enum hone_following_state *state,
                                     struct hone_error *err)
{
    struct stat now;
    *state = HONE_FOLLOWING_ABSENT;
    const bool known = stat(f->path, &now) == 0;
    if (!known && errno == ENOENT) return HONE_OK;
    enum hone_status status = known && is_same(f, &now) ? HONE_OK : reopen(f, err);
    if (status != HONE_OK) return status;
    // Asked first: what is written after that is read, or the state is WRITTEN.
    const bool written = hone_file_is_locked(f->fd);
    status = read_news(f, err);
    *state = written ? HONE_FOLLOWING_WRITTEN : HONE_FOLLOWING_ENDED;
    if (!f->looked) {
        f->looked = true;
        f->done_first = f->done;
        f->first_look = hone_clock_seconds();
    }
    return status;
}

const struct hone_record_info *hone_following_info(const struct hone_following *f)
{
    return f->has_info ? &f->info : NULL;
}

const struct hone_following_part *hone_following_part(const struct hone_following *f,
                                                      size_t *number)
{
    *number = f->newest;
    return f->has_info ? &f->parts[f->newest].seen : NULL;
}

size_t hone_following_done(const struct hone_following *f)
{
    return f->done;
}

double hone_following_rate(const struct hone_following *f)
{
    const double seconds = hone_clock_seconds() - f->first_look;
    return f->looked && seconds > 0 ? (double)(f->done - f->done_first) / seconds : 0;
}
