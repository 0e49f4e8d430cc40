// Reading a journal: a line at a time into choices and trials.
#include "loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "header.h"
#include "json.h"
#include "recording.h"

enum hone_status hone_loading_no_memory(const struct loading *load)
{
    return hone_no_memory(load->err, "reading '%s'", load->recording->path);
}

static size_t count_lines(const char *data, size_t size)
{
    size_t count = 0;
    const char *end = data + size;
    for (const char *p = data; p && p < end; count++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (p) p++;
    }
    return count;
}

static enum hone_status read_header(struct loading *load, const char *line, size_t len)
{
    struct hone_recording *recording = load->recording;
    json_error_t why;
    json_t *json = hone_json_read(line, len, 0, &why);
    enum hone_status status;
    if (json_is_object(json)) {
        status = hone_header_read(&recording->info, json, recording->path,
                                  &recording->arena, load->err);
    } else {
        const char *other = hone_header_other_file(recording->path, line, len);
        status = hone_fail_at(load->err, HONE_EINPUT, recording->path, 1,
                              "not a hone journal: %s",
                              other  ? other
                              : json ? "the first line is no JSON object"
                                     : why.text);
    }
    json_decref(json);
    if (status != HONE_OK) return status;
    struct hone_error inner = {0};
    status =
        hone_choice_table_init(&load->table, recording->info.params,
                               recording->info.param_count, &recording->arena, &inner);
    if (status != HONE_OK)
        hone_fail_at(load->err, status, recording->path, 1, "%s", inner.text);
    return status;
}

// The number of the problem that a line is about.
static enum hone_status read_problem(const struct loading *load, const json_t *line,
                                     uint32_t *problem, size_t number)
{
    const json_t *json = json_object_get(line, "problem");
    const json_int_t value = json_integer_value(json);
    const size_t count = hone_recording_problem_count(load->recording);
    *problem = 0;
    if (!json) return HONE_OK;
    if (!json_is_integer(json) || value < 0 || (uint64_t)value >= count)
        return hone_fail_at(load->err, HONE_EINPUT, load->recording->path, (int)number,
                            "'problem' must be a number below %zu, that of 'problems'",
                            count);
    *problem = (uint32_t)value;
    return HONE_OK;
}

// A line that is no trial: what was begun, or left by a run that ended in order.
static enum hone_status read_mark(struct loading *load, const json_t *line,
                                  const json_t *config, size_t number)
{
    const bool left = json_object_get(line, "left") == config;
    uint32_t problem;
    struct hone_recording *recording = load->recording;
    struct hone_error inner = {0};
    uint16_t *row = load->choices + recording->count * recording->info.param_count;
    enum hone_status status = hone_choice_table_read(&load->table, config, row, &inner);
    if (status != HONE_OK)
        return hone_fail_at(load->err, status, recording->path, (int)number, "%s",
                            inner.text);
    status = read_problem(load, line, &problem, number);
    if (status != HONE_OK) return status;
    if (!left)
        return hone_begun_add(&load->begun, problem, row) ? HONE_OK
                                                          : hone_loading_no_memory(load);
    struct hone_begun *begun = hone_begun_find(&load->begun, problem, row);
    if (begun) begun->times--;
    return HONE_OK;
}

static enum hone_status read_trial(struct loading *load, const json_t *json,
                                   size_t number)
{
    struct hone_recording *recording = load->recording;
    struct hone_error inner = {0};
    uint32_t problem = 0;
    uint16_t *row = load->choices + recording->count * recording->info.param_count;
    enum hone_status status = hone_choice_table_read(
        &load->table, json_object_get(json, "config"), row, &inner);
    if (status == HONE_OK)
        status = hone_trial_read(&recording->trials[recording->count], json,
                                 &load->metric_names, &recording->arena, &inner);
    if (status != HONE_OK)
        return hone_fail_at(load->err, status, recording->path, (int)number, "%s",
                            inner.text);
    status = read_problem(load, json, &problem, number);
    if (status != HONE_OK) return status;
    if (load->of) load->of[recording->count] = problem;
    recording->trials[recording->count].line = (uint32_t)number;
    struct hone_begun *begun = hone_begun_find(&load->begun, problem, row);
    if (begun) begun->times = 0;
    recording->count++;
    return HONE_OK;
}

// A line that is no JSON is an error, except the last one where its end is missing: a run
// was stopped there.
static enum hone_status read_line(struct loading *load, const char *line, size_t len,
                                  size_t number)
{
    struct hone_recording *recording = load->recording;
    const bool lacks_end = line + len == load->data + load->size;
    if (len == 0) return HONE_OK;
    json_error_t why;
    json_t *json = hone_json_read(line, len, 0, &why);
    if (!json && lacks_end) {
        recording->whole_bytes = (size_t)(line - load->data);
        recording->lacks_newline = false;
        snprintf(recording->notice, sizeof recording->notice,
                 "line %zu is torn and was dropped", number);
        return HONE_OK;
    }
    if (!json)
        return hone_fail_at(load->err, HONE_EINPUT, recording->path, (int)number, "%s",
                            why.text);
    const json_t *mark = json_object_get(json, "begun");
    if (!mark) mark = json_object_get(json, "left");
    const bool is_note = json_is_string(json_object_get(json, "note"));
    enum hone_status status = HONE_OK;
    if (mark)
        status = read_mark(load, json, mark, number);
    else if (!is_note)
        status = read_trial(load, json, number);
    json_decref(json);
    return status;
}

static enum hone_status make_room(struct loading *load)
{
    const size_t cells = load->line_count * load->recording->info.param_count;
    const bool many = hone_recording_problem_count(load->recording) > 1;
    load->begun.arena = &load->recording->arena;
    load->begun.row_bytes = load->recording->info.param_count * sizeof *load->choices;
    load->choices = malloc(cells * sizeof *load->choices);
    if (many) load->of = malloc(load->line_count * sizeof *load->of);
    return load->choices && (load->of || !many) ? HONE_OK : hone_loading_no_memory(load);
}

static enum hone_status read_lines(struct loading *load)
{
    const char *end = load->data + load->size;
    enum hone_status status = HONE_OK;
    size_t number = 1;
    for (const char *p = load->data; p < end && status == HONE_OK; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((newline ? newline : end) - p);
        status =
            number == 1 ? read_header(load, p, len) : read_line(load, p, len, number);
        if (number == 1 && status == HONE_OK) status = make_room(load);
        p += len + 1;
    }
    return status;
}

static enum hone_status load_file(struct loading *load, int fd, const char *path)
{
    struct hone_recording *recording = load->recording;
    char *data = NULL;
    enum hone_status status =
        hone_fd_read(&data, &load->size, fd, path, HONE_JOURNAL_MOST, load->err);
    if (status != HONE_OK) return status;
    load->data = data;
    recording->whole_bytes = load->size;
    recording->lacks_newline = load->size && data[load->size - 1] != '\n';
    load->line_count = count_lines(data, load->size);
    recording->trials = malloc((load->line_count + 1) * sizeof *recording->trials);
    if (!recording->trials)
        status = hone_loading_no_memory(load);
    else if (!load->size)
        status = hone_fail_at(load->err, HONE_EINPUT, path, 1,
                              "not a hone journal: empty file");
    else if (load->line_count > UINT32_MAX / 2)
        status = hone_fail_at(load->err, HONE_ELIMIT, path, 1,
                              "a journal of %zu lines, %u are supported",
                              load->line_count, UINT32_MAX / 2);
    if (status == HONE_OK) status = read_lines(load);
    free(data);
    return status;
}

enum hone_status hone_recording_load(struct hone_recording **out, const char *path,
                                     struct hone_error *err)
{
    static const struct hone_file_want want = {.most = HONE_JOURNAL_MOST, .stream = true};
    int fd;
    *out = NULL;
    enum hone_status status = hone_file_open(&fd, path, &want, err);
    if (status != HONE_OK) return status;
    status = hone_recording_load_fd(out, fd, path, err);
    close(fd);
    return status;
}

enum hone_status hone_recording_load_fd(struct hone_recording **out, int fd,
                                        const char *path, struct hone_error *err)
{
    *out = NULL;
    struct hone_recording *recording = calloc(1, sizeof *recording);
    if (!recording) return hone_no_memory(err, "reading '%s'", path);
    struct loading load = {.recording = recording, .err = err};
    recording->path = hone_arena_strdup(&recording->arena, path);
    enum hone_status status = recording->path ? load_file(&load, fd, path)
                                              : hone_no_memory(err, "reading '%s'", path);
    hone_begun_settle(&load.begun);
    recording->begun = load.begun.items;
    recording->begun_count = load.begun.count;
    if (status == HONE_OK) status = hone_loading_split(&load);
    if (status == HONE_OK) status = hone_loading_finish(&load);
    free(load.choices);
    free(load.of);
    if (status != HONE_OK)
        hone_recording_free(recording);
    else
        *out = recording;
    return status;
}
