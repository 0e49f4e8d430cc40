// What was shipped, read back: the winners of a journal, or the comments and macros of an
// emitted header, which hold the same for people and the preprocessor.
#include "emit/shipped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/file.h"
#include "emit_sections.h"
#include "expr/value_text.h"
#include "problem_words.h"
#include "shipped_options.h"

static enum hone_status no_memory(struct hone_error *err)
{
    return hone_no_memory(err, "for what was shipped");
}

// Room for one more row, {0}.
static struct hone_shipped_row *add_row(struct hone_shipped *s)
{
    if (!(s->count & (s->count - 1))) { // a power of two or none, so perhaps full
        const size_t cap = s->count ? 2 * s->count : 1;
        struct hone_shipped_row *rows = hone_arena_array(&s->arena, cap, sizeof *rows);
        if (!rows) return NULL;
        if (s->count) memcpy(rows, s->rows, s->count * sizeof *rows);
        s->rows = rows;
    }
    s->rows[s->count] = (struct hone_shipped_row){.rel_std = (double)NAN};
    return &s->rows[s->count++];
}

/* --- journals --- */

static const char *pair(struct hone_arena *arena, const char *name,
                        struct hone_value value)
{
    char number[HONE_NUMBER_TEXT];
    return hone_arena_printf(arena, "%s=%s", name, hone_value_in_full(number, value));
}

static enum hone_status add_part(struct hone_shipped *s,
                                 const struct hone_recording *part,
                                 struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(part);
    const struct hone_trial *best = hone_recording_best(part);
    if (!best) return HONE_OK;
    struct hone_shipped_row *row = add_row(s);
    uint16_t *choices = hone_arena_array(&s->arena, info->param_count, sizeof *choices);
    if (!row || !choices) return no_memory(err);
    *row = (struct hone_shipped_row){
        .device = hone_arena_strdup(&s->arena, info->device_name),
        .problem = hone_arena_array(&s->arena, info->problem_count + 1, sizeof(char *)),
        .config = hone_arena_array(&s->arena, info->param_count + 1, sizeof(char *)),
        .time_us = s->predicted ? best->predicted_us : best->time_us,
        .rel_std = best->rel_std,
        .samples = best->samples};
    if ((info->device_name && !row->device) || !row->problem || !row->config)
        return no_memory(err);
    hone_space_choices(hone_recording_space(part), best->index, choices);
    for (size_t i = 0; i < info->problem_count; i++)
        row->problem[i] = pair(&s->arena, info->problem[i].name, info->problem[i].value);
    for (size_t i = 0; i < info->param_count; i++)
        row->config[i] =
            pair(&s->arena, info->params[i].name, info->params[i].values[choices[i]]);
    return HONE_OK;
}

static const char *keep(struct hone_shipped *s, const char *text)
{
    return text ? hone_arena_strdup(&s->arena, text) : NULL;
}

static enum hone_status load_journal(struct hone_shipped *s, const char *path,
                                     struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_recording_load(&recording, path, err);
    if (status != HONE_OK) return status;
    const struct hone_record_info *info = hone_recording_info(recording);
    s->predicted = info->times == HONE_TIME_PREDICTED;
    s->kernel = keep(s, info->kernel);
    s->clock = keep(s, info->clock);
    s->driver = keep(s, info->driver);
    s->nvrtc = keep(s, info->nvrtc_version);
    s->hone_version = keep(s, info->hone_version);
    s->template_hash = keep(s, info->template_hash);
    s->space_hash = keep(s, info->space_hash);
    for (size_t i = 0; status == HONE_OK && i < hone_recording_problem_count(recording);
         i++)
        status = add_part(s, hone_recording_problem(recording, i), err);
    hone_recording_free(recording);
    return status;
}

/* --- headers --- */

// What stands behind name up to a comma, semicolon, quote or the end.
static const char *field(struct hone_shipped *s, const char *line, const char *name)
{
    const char *at = strstr(line, name);
    if (!at) return NULL;
    at += strlen(name);
    return hone_arena_printf(&s->arena, "%.*s", (int)strcspn(at, ",;\""), at);
}

struct header_reader {
    struct hone_shipped *s;
    const char *device; /* of the rows that follow */
    int line;
    size_t defines;     /* how many rows have their configuration */
    double served;      /* time of the row's configuration where it is not the best */
    bool in_devices;    /* of the array of all devices */
    bool in_options;    /* of the array of all configurations */
    size_t option;      /* number of the next of them */
    bool as_macros;     /* rows are of architectures, each in a line */
    const char **fixed; /* what all problems have */
};

static void set_once(const char **slot, const char *text)
{
    if (!*slot) *slot = text;
}

// " *   1313.2 us, n 32, standard deviation 0.487 %; ..."
static void read_figure(struct hone_shipped_row *row, const char *line)
{
    const char *n = strstr(line, ", n "), *spread = strstr(line, "standard deviation ");
    row->time_us = hone_strtod(line, NULL);
    if (n) row->samples = (uint32_t)strtoul(n + 4, NULL, 10);
    if (spread) row->rel_std = hone_strtod(spread + 19, NULL) / 100;
}

// "ACT = none, TYPE = f32."
static const char **fixed_sizes(struct hone_arena *arena, const char *text)
{
    const size_t len = strlen(text);
    char *copy = hone_arena_printf(arena, "%.*s", (int)(len ? len - 1 : 0), text);
    return copy ? hone_problem_words_read(arena, copy) : NULL;
}

static size_t count_words(const char **words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return count;
}

static bool add_fixed(const struct header_reader *r, struct hone_shipped_row *row)
{
    const size_t own = count_words(row->problem), fixed = count_words(r->fixed);
    const char **all = hone_arena_array(&r->s->arena, own + fixed + 1, sizeof *all);
    for (size_t i = 0; all && i < own + fixed; i++)
        all[i] = i < own ? row->problem[i] : r->fixed[i - own];
    row->problem = all;
    return all != NULL;
}

// What it was tuned with.
static void read_origin(struct hone_shipped *s, const char *line)
{
    set_once(&s->driver, field(s, line, "driver "));
    set_once(&s->nvrtc, field(s, line, "NVRTC "));
    set_once(&s->hone_version, field(s, line, "recorded by hone "));
    set_once(&s->template_hash, field(s, line, "template hash "));
    set_once(&s->space_hash, field(s, line, "space hash "));
}

// " * Row 0: NAME (compute capability 8.0), M = 64, N = 32, 1.5 us (predicted)"; a row
// that is the best on average has no time.
static bool read_arch(struct header_reader *r, const char *line)
{
    struct hone_shipped *s = r->s;
    const char *name = strstr(line, ": ") + 2, *end = strstr(name, " (compute");
    const char *rest = end ? strstr(end, ")") : NULL;
    struct hone_shipped_row *row = add_row(s);
    if (!row) return false;
    row->number = SIZE_MAX;
    row->problem = hone_problem_words_read(&s->arena, rest ? rest : name);
    if (end) row->device = hone_arena_printf(&s->arena, "%.*s", (int)(end - name), name);
    const char *time = NULL; // the last word with this unit
    for (const char *at = rest ? rest : name; (at = strstr(at, " us"));)
        time = at++;
    while (time && time > name && time[-1] != ' ')
        time--;
    if (time) row->time_us = hone_strtod(time, NULL);
    return row->problem && (!end || row->device) && add_fixed(r, row);
}

static bool read_comment(struct header_reader *r, const char *line)
{
    struct hone_shipped *s = r->s;
    const char *colon = strstr(line, ": ");
    if (strncmp(line, " * PREDICTED", 12) == 0) s->predicted = true;
    if (strncmp(line, " * MEASURED", 11) == 0 || s->predicted)
        set_once(&s->clock, field(s, line, "clock "));
    if (r->as_macros && strncmp(line, " * Row ", 7) == 0 && colon)
        return read_arch(r, line);
    if (strncmp(line, " * Device ", 10) == 0 && colon) {
        const char *end = strstr(colon, " (compute");
        r->device = hone_arena_printf(
            &s->arena, "%.*s", end ? (int)(end - colon - 2) : (int)strlen(colon + 2),
            colon + 2);
    } else if (strncmp(line, " * Row ", 7) == 0 && colon) {
        struct hone_shipped_row *row = add_row(s);
        if (!row) return false;
        row->device = r->device;
        const char *number = strstr(line, ", configuration ");
        row->problem = hone_problem_words_read(&s->arena, colon + 2);
        row->number = number ? (size_t)strtoul(number + 16, NULL, 10) : SIZE_MAX;
        r->served = 0;
        return row->problem && add_fixed(r, row);
    } else if (strncmp(line, " * Of problems with ", 20) == 0) {
        r->fixed = fixed_sizes(&s->arena, line + 20);
        return r->fixed != NULL;
    } else if (strncmp(line, " *   served by configuration ", 29) == 0 && colon) {
        r->served = hone_strtod(colon + 2, NULL);
    } else if (strncmp(line, " *   ", 5) == 0 && hone_is_digit(line[5]) &&
               strstr(line, " us") && s->count && !(s->rows[s->count - 1].time_us > 0)) {
        read_figure(&s->rows[s->count - 1], line + 5);
        if (r->served > 0) s->rows[s->count - 1].time_us = r->served;
    } else if (strncmp(line, " *   ", 5) == 0) {
        read_origin(s, line);
    }
    return true;
}

// The text of a device in NAME_devices, where older headers have these in the comment.
static void read_device(struct header_reader *r, const char *line)
{
    if (strstr(line, "_devices[")) r->in_devices = true;
    if (line[0] == '}') r->in_devices = false;
    if (r->in_devices) read_origin(r->s, line);
}

// #define SGEMM_DEFINES "-DBM=64 ..." of each row, in their order, and SGEMM_TIME_US
// after it.
static bool read_macro(struct header_reader *r, const char *line)
{
    const char *text = strstr(line, "_DEFINES \""), *time = strstr(line, "_US ");
    if (strncmp(line, "#define ", 8) != 0) return true;
    if (time && r->defines)
        r->s->rows[r->defines - 1].time_us = hone_strtod(time + 4, NULL);
    if (!text || r->defines >= r->s->count) return true;
    text += strlen("_DEFINES \"");
    const char *end = strrchr(text, '"');
    return hone_shipped_options(&r->s->rows[r->defines++].config, &r->s->arena, text,
                                end ? (size_t)(end - text) : strlen(text));
}

// The literal that goes on in the next line: its two halves are one.
static size_t seam_at(const char *text)
{
    size_t len = *text == '"';
    if (len && strncmp(text + len, " \\\n", 3) == 0) len += 2;
    if (!len || text[len] != '\n') return 0;
    const size_t indent = strspn(text + len + 1, " ");
    return indent && text[len + 1 + indent] == '"' ? len + 1 + indent + 1 : 0;
}

// Lines that were too wide for a page, joined: of comments by a blank, literals by
// nothing.
static void join_lines(char *text)
{
    static const char comment[] = "\n *     ";
    char *to = text;
    for (const char *from = text; *from;) {
        if (strncmp(from, comment, sizeof comment - 1) == 0) {
            from += sizeof comment - 1;
            *to++ = ' ';
        } else if (seam_at(from)) {
            from += seam_at(from);
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

// Options are a configuration's values and macros of the problem, which the row tells by
// itself: these are dropped. Rows of one configuration share its words.
static void drop_problem(struct hone_shipped_row *row)
{
    const char **to = row->config;
    for (const char **from = row->config; from && *from; from++) {
        const size_t name = strcspn(*from, "=") + 1;
        const char **constant = row->problem;
        while (constant && *constant && strncmp(*constant, *from, name) != 0)
            constant++;
        if (!constant || !*constant) *to++ = *from;
    }
    if (to) *to = NULL;
}

// Elements of NAME_defines: options of the configurations, in the order of their numbers.
static bool read_options(struct header_reader *r, const char *line)
{
    const char *text = strchr(line, '"'), *end = strrchr(line, '"');
    const bool begins = strstr(line, "_defines[") != NULL && !text;
    if (begins || line[0] == '}') {
        r->in_options = begins;
        return true;
    }
    if (!r->in_options || !text || end == text) return true;
    const char **words;
    if (!hone_shipped_options(&words, &r->s->arena, text + 1, (size_t)(end - text - 1)))
        return false;
    for (size_t i = 0; i < r->s->count; i++)
        if (r->s->rows[i].number == r->option) r->s->rows[i].config = words;
    r->option++;
    return true;
}

// What a comment tells of texts is no code, whatever they hold.
static bool read_header_line(struct header_reader *r, const char *line)
{
    if (strncmp(line, " *", 2) == 0) return read_comment(r, line);
    read_device(r, line);
    return read_macro(r, line) && read_options(r, line);
}

// The first one is not said.
static unsigned long form_of(const char *first_line)
{
    const char *at = strstr(first_line, "(form "), *end = strchr(first_line, '\n');
    return at && end && at < end ? strtoul(at + 6, NULL, 10) : 1;
}

// How a header's first comment begins, before the kernel's name.
static const char opening[] = "/* Tuned configurations of the kernel ";
static const char untuned[] = "/* The default configuration of the kernel ";

static enum hone_status check_opening(const char *text, const char *path,
                                      struct hone_error *err)
{
    if (strncmp(text, untuned, sizeof untuned - 1) == 0)
        return hone_fail_at(err, HONE_EINPUT, path, 1,
                            "the author's default configuration, of which nothing was "
                            "measured: there is nothing to compare with");
    if (strncmp(text, opening, sizeof opening - 1) != 0)
        return hone_fail_at(err, HONE_EINPUT, path, 1,
                            "neither a header that hone emitted nor a journal");
    return HONE_OK;
}

static enum hone_status check_rows(const struct header_reader *r, const char *path,
                                   struct hone_error *err)
{
    for (size_t i = 0; i < r->s->count; i++) {
        const bool has_time = r->s->rows[i].time_us > 0;
        if (r->s->rows[i].config && has_time) continue;
        if (r->s->rows[i].config && r->as_macros)
            return hone_fail_at(err, HONE_EINPUT, path, 1,
                                "row %zu of this header of macros stands for several "
                                "sizes, and macros tell none: compare its journal, or a "
                                "header of --shape table",
                                i);
        return hone_fail_at(err, HONE_EINPUT, path, r->line,
                            "row %zu has no configuration or no time: was the header "
                            "edited, or emitted by a newer hone?",
                            i);
    }
    return HONE_OK;
}

static enum hone_status read_header(struct hone_shipped *s, const char *path, char *text,
                                    struct hone_error *err)
{
    struct header_reader r = {.s = s};
    enum hone_status status = check_opening(text, path, err);
    if (status != HONE_OK) return status;
    join_lines(text);
    char *name = text + sizeof opening - 1;
    const size_t len = strcspn(name, ". \n");
    r.as_macros = strncmp(name + len, EMIT_AS_MACROS, sizeof EMIT_AS_MACROS - 1) == 0;
    if (r.as_macros && form_of(name) < 3)
        return hone_fail_at(
            err, HONE_EINPUT, path, 1,
            "macros of this form tell no sizes: compare the journal, or a "
            "header of --shape table");
    s->kernel = hone_arena_printf(&s->arena, "%.*s", (int)len, name);
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        r.line++;
        if (!read_header_line(&r, line)) return no_memory(err);
    }
    for (size_t i = 0; i < s->count; i++)
        drop_problem(&s->rows[i]);
    return check_rows(&r, path, err);
}

static enum hone_status load(struct hone_shipped *s, const char *path,
                             struct hone_error *err)
{
    char *text = NULL;
    const struct hone_file_want want = {.most = HONE_FILE_MOST, .stream = true};
    enum hone_status status = hone_file_read_as(&text, NULL, path, &want, err);
    if (status == HONE_OK && text[0] == '{')
        status = load_journal(s, path, err);
    else if (status == HONE_OK)
        status = read_header(s, path, text, err);
    free(text);
    if (status == HONE_OK && !s->count)
        status = hone_fail_at(err, HONE_EINPUT, path, 0, "no row to compare");
    return status;
}

enum hone_status hone_shipped_load(struct hone_shipped *out, const char *path,
                                   struct hone_error *err)
{
    *out = (struct hone_shipped){0};
    enum hone_status status = load(out, path, err);
    if (status != HONE_OK) hone_shipped_fini(out);
    return status;
}

void hone_shipped_fini(struct hone_shipped *shipped)
{
    hone_arena_fini(&shipped->arena);
    *shipped = (struct hone_shipped){0};
}

bool hone_shipped_has_payload(const char *path)
{
    char *text = NULL;
    if (hone_file_read(&text, NULL, path, NULL) != HONE_OK) return false;
    char *end = strstr(text, "*/");
    if (end) *end = '\0';
    const bool has =
        strstr(text, ". Emitted by hone ") && strstr(text, EMIT_PAYLOAD_LINE);
    free(text);
    return has;
}
