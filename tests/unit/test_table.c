// Trials as flat rows, read back by a reader of CSV and by jansson; and the units of
// metrics.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "c_number.h"
#include "hone_test.h"
#include "report/metrics.h"
#include "report/table.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

static struct hone_recording *load(const char *path)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

static char *table_of(const struct hone_recording *recording, enum hone_table_form form)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(hone_table_write(&out, &recording, 1, form, &err), err);
    return hone_strbuf_steal(&out);
}

// --- a reader of RFC 4180 ---

enum { CELLS_MOST = 128 };

struct csv_line {
    char *cells[CELLS_MOST];
    size_t count;
};

static const char *read_cell(const char *at, char **out)
{
    char *to = *out = test_calloc(strlen(at) + 1, 1);
    if (*at != '"') {
        const size_t n = strcspn(at, ",\n");
        memcpy(to, at, n);
        return at + n;
    }
    for (at++; *at != '"' || at[1] == '"'; at++) {
        assert_int_not_equal(*at, '\0');
        *to++ = *at;
        at += *at == '"';
    }
    return at + 1;
}

// Behind the line's end.
static const char *read_line(const char *at, struct csv_line *line)
{
    line->count = 0;
    for (;; at++) {
        assert_in_range(line->count, 0, CELLS_MOST - 1);
        at = read_cell(at, &line->cells[line->count++]);
        if (*at == '\n') return at + 1;
        assert_int_equal(*at, ',');
    }
}

static void drop_line(struct csv_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        test_free(line->cells[i]);
}

static const char *cell(const struct csv_line *names, const struct csv_line *line,
                        const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->cells[i], name) == 0) return line->cells[i];
    fail_msg("no column %s", name);
    return NULL;
}

static void assert_value(const char *text, struct hone_value value)
{
    char expected[64];
    if (value.type == HONE_STRING) {
        assert_string_equal(text, value.s);
        return;
    }
    hone_value_print(expected, sizeof expected, value);
    assert_string_equal(text, expected);
}

static void assert_number(const char *text, double number)
{
    if (isnan(number))
        assert_string_equal(text, "");
    else
        assert_true(fabs(c_number(text) / number - 1) < 1e-8);
}

static void assert_csv_row(const struct csv_line *names, const struct csv_line *line,
                           const struct hone_recording *recording,
                           const struct hone_trial *trial)
{
    const struct hone_space *space = hone_recording_space(recording);
    uint16_t row[16];
    hone_space_choices(space, trial->index, row);
    assert_int_equal(line->count, names->count);
    for (size_t p = 0; p < hone_space_param_count(space); p++) {
        const struct hone_param *param = hone_space_param(space, p);
        assert_value(cell(names, line, param->name), param->values[row[p]]);
    }
    assert_string_equal(cell(names, line, "outcome"), hone_outcome_name(trial->outcome));
    assert_string_equal(cell(names, line, "predicted"),
                        isnan(trial->predicted_us) ? "false" : "true");
    assert_number(cell(names, line, "time_us"), trial->time_us);
    assert_number(cell(names, line, "predicted_us"), trial->predicted_us);
    assert_string_equal(cell(names, line, "reason"), trial->reason);
    for (size_t i = 0; i < trial->metric_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "metric.%s", trial->metrics[i].name);
        assert_true(fabs(c_number(cell(names, line, name)) - trial->metrics[i].value) <=
                    1e-8 * fabs(trial->metrics[i].value));
    }
}

static void csv_reads_back_as_the_journal(void **state)
{
    (void)state;
    static const char *const journals[] = {"sgemm_emu", "sgemm_a100", "sgemm_h200",
                                           "odd"};
    for (size_t i = 0; i < sizeof journals / sizeof *journals; i++) {
        char path[512];
        struct csv_line names, line;
        snprintf(path, sizeof path, GOLDEN "%s.jsonl", journals[i]);
        struct hone_recording *recording = load(path);
        char *text = table_of(recording, HONE_TABLE_CSV);
        const char *at = read_line(text, &names);
        for (size_t t = 0; t < hone_recording_count(recording); t++) {
            at = read_line(at, &line);
            assert_csv_row(&names, &line, recording, hone_recording_trial(recording, t));
            drop_line(&line);
        }
        assert_string_equal(at, "");
        drop_line(&names);
        free(text);
        hone_recording_free(recording);
    }
}

static void json_lines_are_the_same_rows(void **state)
{
    (void)state;
    struct hone_recording *recording = load(GOLDEN "sgemm_emu.jsonl");
    char *text = table_of(recording, HONE_TABLE_JSONL);
    for (size_t t = 0; t < hone_recording_count(recording); t++) {
        const struct hone_trial *trial = hone_recording_trial(recording, t);
        const char *line = strtok(t ? NULL : text, "\n");
        json_t *row = json_loads(line, 0, NULL);
        assert_non_null(row);
        assert_string_equal(json_string_value(json_object_get(row, "outcome")),
                            hone_outcome_name(trial->outcome));
        assert_int_equal(json_is_true(json_object_get(row, "predicted")),
                         !isnan(trial->predicted_us));
        assert_null(json_object_get(row, "time_us"));
        assert_int_equal(json_integer_value(json_object_get(row, "problem.M")), 4096);
        if (trial->outcome == HONE_VALID)
            assert_true(fabs(json_number_value(json_object_get(row, "predicted_us")) -
                             trial->predicted_us) < 1e-9);
        json_decref(row);
    }
    assert_null(strtok(NULL, "\n"));
    free(text);
    hone_recording_free(recording);
}

static void a_parameter_named_as_a_column_says_that_it_is_one(void **state)
{
    (void)state;
    char path[] = "/tmp/hone-table-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":"
          "\"registers\",\"values\":[32,64]}]}\n"
          "{\"config\":[64],\"outcome\":\"valid\",\"time_us\":2,\"registers\":40}\n"
          "{\"config\":[32],\"outcome\":\"crashed\",\"reason\":\"a, \\\"b\\\"\"}\n",
          file);
    fclose(file);
    struct hone_recording *recording = load(path);
    struct csv_line names, line;
    unlink(path);
    char *text = table_of(recording, HONE_TABLE_CSV);
    const char *at = read_line(read_line(text, &names), &line);
    assert_string_equal(cell(&names, &line, "registers"), "40");
    assert_string_equal(cell(&names, &line, "config.registers"), "64");
    drop_line(&line);
    read_line(at, &line);
    assert_string_equal(cell(&names, &line, "reason"), "a, \"b\"");
    assert_string_equal(cell(&names, &line, "time_us"), "");
    drop_line(&line);
    drop_line(&names);
    free(text);
    hone_recording_free(recording);
}

// Texts of a journal may be formulas of spreadsheets; numbers and JSON lines stay.
static void no_text_of_csv_begins_a_formula(void **state)
{
    (void)state;
    static const char *const texts[] = {"=cmd|'/c calc'!A0", "+1", "-1+2", "@SUM(1)",
                                        "=\"a\",b"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[] = "/tmp/hone-table-XXXXXX", expected[64];
        const int fd = mkstemp(path);
        assert_true(fd >= 0);
        json_t *first = json_pack("{s:i,s:s,s:s,s:[{s:s,s:[s,i]}],s:{s:s}}", "hone", 1,
                                  "kind", "journal", "kernel", "k", "params", "name", "P",
                                  "values", texts[i], -3, "device", "name", texts[i]);
        json_t *trial = json_pack("{s:[s],s:s,s:s}", "config", texts[i], "outcome",
                                  "crashed", "reason", texts[i]);
        json_t *other = json_pack("{s:[i],s:s}", "config", -3, "outcome", "crashed");
        assert_non_null(first && trial && other ? first : NULL);
        FILE *file = fdopen(fd, "w");
        json_dumpf(first, file, 0);
        fputc('\n', file);
        json_dumpf(trial, file, 0);
        fputc('\n', file);
        json_dumpf(other, file, 0);
        fputc('\n', file);
        fclose(file);
        struct hone_recording *recording = load(path);
        struct csv_line names, line;
        char *text = table_of(recording, HONE_TABLE_CSV);
        const char *at = read_line(read_line(text, &names), &line);
        snprintf(expected, sizeof expected, "'%s", texts[i]);
        assert_string_equal(cell(&names, &line, "device"), expected);
        assert_string_equal(cell(&names, &line, "P"), expected);
        assert_string_equal(cell(&names, &line, "reason"), expected);
        drop_line(&line);
        read_line(at, &line);
        assert_string_equal(cell(&names, &line, "P"), "-3");
        drop_line(&line);
        drop_line(&names);
        free(text);
        text = table_of(recording, HONE_TABLE_JSONL);
        json_t *row = json_loads(strtok(text, "\n"), 0, NULL);
        assert_string_equal(json_string_value(json_object_get(row, "reason")), texts[i]);
        json_decref(row);
        free(text);
        hone_recording_free(recording);
        unlink(path);
        json_decref(first);
        json_decref(trial);
        json_decref(other);
    }
}

// Every text of small letters in the file that names them is a metric.
static void every_metric_of_the_emulator_has_a_unit(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    char *source = NULL;
    struct hone_error err = {0};
    size_t found = 0;
    assert_ok(hone_file_read(&source, NULL,
                             HONE_SOURCE_DIR "/tuner/device/emu/predict/emu_predict.c",
                             &err),
              err);
    for (char *at = source; (at = strchr(at, '"')); at++) {
        const size_t n = strspn(at + 1, letters);
        if (!n || at[1 + n] != '"') continue;
        at[1 + n] = '\0';
        if (!hone_metric_unit(at + 1)) fail_msg("%s has no unit", at + 1);
        at += n + 1;
        found++;
    }
    assert_in_range(found, 40, 60);
    assert_null(hone_metric_unit("none_of_ours"));
    free(source);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_text_of_csv_begins_a_formula),
    cmocka_unit_test(csv_reads_back_as_the_journal),
    cmocka_unit_test(json_lines_are_the_same_rows),
    cmocka_unit_test(a_parameter_named_as_a_column_says_that_it_is_one),
    cmocka_unit_test(every_metric_of_the_emulator_has_a_unit),
};

HONE_TEST_MAIN(tests)
