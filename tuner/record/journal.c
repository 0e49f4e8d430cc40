// Writing a journal. Lines are collected and handed to the system whole, so that a full
// disk or a crash costs at most the line being written; what then stands half is cut off
// again.
#include "journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "header.h"
#include "json.h"
#include "record/journal_file.h"
#include "trial_line.h"

enum { BUFFER_BYTES = 64 * 1024 };

struct hone_journal {
    int fd;
    off_t size; // bytes in the file, all of them whole lines
    char *path;
    unsigned flags;
    int digits;
    bool broken;   // a write failed: nothing more is written
    bool unsynced; // written, and not yet on the disk
    struct hone_strbuf pending;
    size_t problem; // of the trials that follow
    json_t *params; // [param][value], the scalars that configurations are made of
};

static enum hone_status write_failed(struct hone_journal *journal, const char *what,
                                     int reason, struct hone_error *err)
{
    journal->broken = true;
    return hone_fail(err, HONE_EIO, "cannot %s journal '%s': %s", what, journal->path,
                     hone_errno_text(reason));
}

// Cut off the line that was written in part.
static void keep_whole_lines(struct hone_journal *journal, size_t written)
{
    const char *data = journal->pending.data;
    while (written && data[written - 1] != '\n')
        written--;
    journal->size += (off_t)written;
    // Where even this fails, the reader drops the torn line.
    while (ftruncate(journal->fd, journal->size) != 0 && errno == EINTR) {
    }
}

// A file that somebody cut or went on with is not written to: what stands there is no
// longer known.
static enum hone_status check_alone(struct hone_journal *journal, struct hone_error *err)
{
    struct stat info;
    if (fstat(journal->fd, &info) != 0) return write_failed(journal, "write", errno, err);
    if (info.st_size == journal->size) return HONE_OK;
    journal->broken = true;
    return hone_fail(err, HONE_EIO,
                     "journal '%s' was changed by another program while it was written: "
                     "it has %lld bytes, %lld were there; look at it before --resume",
                     journal->path, (long long)info.st_size, (long long)journal->size);
}

static enum hone_status flush(struct hone_journal *journal, struct hone_error *err)
{
    size_t written = 0, size = journal->pending.len;
    if (journal->broken || !size) return HONE_OK;
    enum hone_status status = check_alone(journal, err);
    if (status != HONE_OK) return status;
    journal->unsynced = true;
    while (written < size) {
        ssize_t n = write(journal->fd, journal->pending.data + written, size - written);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            int reason = errno;
            keep_whole_lines(journal, written);
            return write_failed(journal, "write", reason, err);
        }
        written += (size_t)n;
    }
    journal->size += (off_t)written;
    hone_strbuf_clear(&journal->pending);
    return HONE_OK;
}

static enum hone_status sync_file(struct hone_journal *journal, struct hone_error *err)
{
    if (journal->broken || !journal->unsynced || !(journal->flags & HONE_JOURNAL_SYNC))
        return HONE_OK;
    if (fsync(journal->fd) != 0) return write_failed(journal, "sync", errno, err);
    journal->unsynced = false;
    return HONE_OK;
}

static enum hone_status no_memory(const struct hone_journal *journal,
                                  struct hone_error *err)
{
    return hone_no_memory(err, "writing journal '%s'", journal->path);
}

static void discard(struct hone_journal *journal)
{
    if (journal->fd >= 0) close(journal->fd);
    hone_strbuf_fini(&journal->pending);
    json_decref(journal->params);
    free(journal->path);
    free(journal);
}

// The parameter values as JSON, made once: trials refer to them.
static enum hone_status make_params(struct hone_journal *journal,
                                    const struct hone_record_info *info,
                                    struct hone_error *err)
{
    journal->params = json_array();
    for (size_t i = 0; i < info->param_count; i++) {
        json_t *values = json_array();
        if (json_array_append_new(journal->params, values))
            return no_memory(journal, err);
        for (size_t v = 0; v < info->params[i].count; v++) {
            const struct hone_value value = info->params[i].values[v];
            if (!hone_json_holds(value))
                return hone_fail(err, HONE_EINPUT,
                                 "parameter '%s' has a value that JSON cannot hold",
                                 info->params[i].name);
            if (json_array_append_new(values, hone_json_from_value(value)))
                return no_memory(journal, err);
        }
    }
    journal->digits = hone_json_digits(journal->params, HONE_TRIAL_DIGITS);
    return HONE_OK;
}

enum hone_status hone_journal_open_fd(struct hone_journal **out, int fd, off_t size,
                                      const char *path,
                                      const struct hone_record_info *info, unsigned flags,
                                      struct hone_error *err)
{
    struct hone_journal *journal = calloc(1, sizeof *journal);
    if (!journal) {
        close(fd);
        return hone_no_memory(err, "opening journal '%s'", path);
    }
    *journal = (struct hone_journal){.fd = fd,
                                     .size = size,
                                     .flags = flags,
                                     .path = strdup(path),
                                     .pending = HONE_STRBUF_INIT};
    enum hone_status status = HONE_OK;
    if (!journal->path) status = hone_no_memory(err, "opening journal '%s'", path);
    if (status == HONE_OK) status = make_params(journal, info, err);
    if (status != HONE_OK) {
        discard(journal);
        return status;
    }
    *out = journal;
    return HONE_OK;
}

enum hone_status hone_journal_add_bytes(struct hone_journal *journal, const char *data,
                                        size_t size, struct hone_error *err)
{
    hone_strbuf_add_bytes(&journal->pending, data, size);
    if (journal->pending.failed || !size) return no_memory(journal, err);
    enum hone_status status = flush(journal, err);
    return status != HONE_OK ? status : sync_file(journal, err);
}

enum hone_status hone_journal_create(struct hone_journal **out, const char *path,
                                     const struct hone_record_info *info, unsigned flags,
                                     struct hone_error *err)
{
    *out = NULL;
    int fd = -1;
    json_t *header = NULL;
    struct hone_strbuf line = HONE_STRBUF_INIT;
    enum hone_status status = hone_header_write(&header, info, err);
    if (status == HONE_OK) status = hone_header_check(header, path, err);
    if (status != HONE_OK) goto out;
    hone_json_add_line(&line, header, hone_json_digits(header, 15));
    if (line.failed) status = hone_no_memory(err, "for journal '%s'", path);
    if (status == HONE_OK) status = hone_journal_file_create(&fd, path, &line, err);
    if (status != HONE_OK) goto out;
    status = hone_journal_open_fd(out, fd, (off_t)line.len, path, info, flags, err);
    if (status == HONE_OK) {
        (*out)->unsynced = true;
        status = sync_file(*out, err);
    }
    if (status != HONE_OK) {
        if (*out) discard(*out);
        *out = NULL;
        unlink(path);
    }
out:
    hone_strbuf_fini(&line);
    json_decref(header);
    return status;
}

static json_t *make_config(const struct hone_journal *journal, const uint16_t *choices)
{
    json_t *config = json_array();
    for (size_t i = 0; i < json_array_size(journal->params); i++) {
        json_t *value = json_array_get(json_array_get(journal->params, i), choices[i]);
        if (json_array_append(config, value) == 0) continue;
        json_decref(config);
        return NULL;
    }
    return config;
}

void hone_journal_set_problem(struct hone_journal *journal, size_t problem)
{
    journal->problem = problem;
}

// Lines of the first problem do not name it.
static json_t *name_problem(const struct hone_journal *journal, json_t *line)
{
    if (!line || !journal->problem) return line;
    if (json_object_set_new(line, "problem",
                            json_integer((json_int_t)journal->problem)) == 0)
        return line;
    json_decref(line);
    return NULL;
}

// Takes line (NULL: memory ran out); a line that finds no room leaves no half of it.
static enum hone_status add_line(struct hone_journal *journal, json_t *line,
                                 struct hone_error *err)
{
    line = name_problem(journal, line);
    if (!line) return no_memory(journal, err);
    size_t mark = journal->pending.len;
    hone_json_add_line(&journal->pending, line, journal->digits);
    json_decref(line);
    if (!journal->pending.failed) return HONE_OK;
    journal->pending.len = mark;
    journal->pending.failed = false;
    return no_memory(journal, err);
}

static enum hone_status check_whole(const struct hone_journal *journal,
                                    struct hone_error *err)
{
    if (!journal->broken) return HONE_OK;
    return hone_fail(err, HONE_EIO, "journal '%s' could not be written before",
                     journal->path);
}

enum hone_status hone_journal_append(struct hone_journal *journal,
                                     const struct hone_trial *trial,
                                     const uint16_t *choices, struct hone_error *err)
{
    assert(trial && choices);
    enum hone_status status = check_whole(journal, err);
    if (status != HONE_OK) return status;
    if (trial->outcome == HONE_VALID && !isfinite(trial->time_us) &&
        !isfinite(trial->predicted_us))
        return hone_fail(err, HONE_EINPUT,
                         "a valid trial without a time cannot stand in a journal");
    status =
        add_line(journal, hone_trial_write(trial, make_config(journal, choices)), err);
    if (status != HONE_OK) return status;
    bool now = journal->flags & HONE_JOURNAL_SYNC || journal->pending.len >= BUFFER_BYTES;
    return now ? flush(journal, err) : HONE_OK;
}

enum hone_status hone_journal_append_of(struct hone_journal *journal,
                                        const struct hone_trial *trial,
                                        const struct hone_space *space,
                                        struct hone_error *err)
{
    uint16_t *choices = calloc(hone_space_param_count(space) + 1, sizeof *choices);
    if (!choices) return hone_no_memory(err, "for a configuration");
    hone_space_choices(space, trial->index, choices);
    const enum hone_status status = hone_journal_append(journal, trial, choices, err);
    free(choices);
    return status;
}

enum hone_status hone_journal_begin(struct hone_journal *journal, const uint16_t *choices,
                                    bool left, struct hone_error *err)
{
    assert(choices);
    enum hone_status status = check_whole(journal, err);
    if (status != HONE_OK) return status;
    json_t *config = make_config(journal, choices), *line = json_object();
    if (!config || json_object_set_new(line, left ? "left" : "begun", config)) {
        json_decref(line);
        line = NULL;
    }
    status = add_line(journal, line, err);
    if (status == HONE_OK) status = flush(journal, err);
    return status != HONE_OK ? status : sync_file(journal, err);
}

enum hone_status hone_journal_note(struct hone_journal *journal, const char *text,
                                   struct hone_error *err)
{
    enum hone_status status = check_whole(journal, err);
    if (status != HONE_OK) return status;
    json_t *line = json_object();
    if (json_object_set_new(line, "note", hone_json_lossy_string(text))) {
        json_decref(line);
        line = NULL;
    }
    status = add_line(journal, line, err);
    return status != HONE_OK ? status : flush(journal, err);
}

int hone_journal_hold(const struct hone_journal *journal)
{
    return fcntl(journal->fd, F_DUPFD_CLOEXEC, 3);
}

enum hone_status hone_journal_close(struct hone_journal *journal, struct hone_error *err)
{
    if (!journal) return HONE_OK;
    enum hone_status status = flush(journal, err);
    if (status == HONE_OK) status = sync_file(journal, err);
    enum hone_status kept = hone_journal_file_keep(journal->fd, journal->path,
                                                   status == HONE_OK ? err : NULL);
    if (status == HONE_OK) status = kept;
    int fd = journal->fd;
    journal->fd = -1;
    if (close(fd) != 0 && status == HONE_OK && !journal->broken)
        status = write_failed(journal, "close", errno, err);
    discard(journal);
    return status;
}
