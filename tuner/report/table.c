#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/one_of.h"
#include "record/json_out.h"

// --- columns ---

// A figure of the trial, not known where it is NAN; a count, not known below 0.
static const struct {
    const char *name;
    size_t offset;
} figures[] =
    {
        {"time_us", offsetof(struct hone_trial, time_us)},
        {"predicted_us", offsetof(struct hone_trial, predicted_us)},
        {"energy_j", offsetof(struct hone_trial, energy_j)},
        {"cost", offsetof(struct hone_trial, cost)},
        {"rel_std", offsetof(struct hone_trial, rel_std)},
        {"build_ms", offsetof(struct hone_trial, build_ms)},
        {"evaluate_ms", offsetof(struct hone_trial, evaluate_ms)},
        {"drift", offsetof(struct hone_trial, drift)},
},
  counts[] = {
      {"registers", offsetof(struct hone_trial, resources.registers)},
      {"spill_store_bytes", offsetof(struct hone_trial, resources.spill_store_bytes)},
      {"spill_load_bytes", offsetof(struct hone_trial, resources.spill_load_bytes)},
      {"stack_bytes", offsetof(struct hone_trial, resources.stack_bytes)},
      {"static_shared_bytes", offsetof(struct hone_trial, resources.static_shared_bytes)},
      {"dynamic_shared_bytes",
       offsetof(struct hone_trial, resources.dynamic_shared_bytes)},
      {"blocks_per_sm", offsetof(struct hone_trial, resources.blocks_per_sm)},
};
enum {
    FIGURES = sizeof figures / sizeof *figures,
    COUNTS = sizeof counts / sizeof *counts
};

// What else has a column, by a function; the value is not known where that says false.
struct table_row {
    const struct hone_record_info *info;
    const struct hone_trial *trial;
    const uint16_t *choices;
};

static bool text_value(struct hone_value *out, const char *text)
{
    *out = (struct hone_value){.type = HONE_STRING, .s = text};
    return text && *text;
}

static bool number_value(struct hone_value *out, double number)
{
    *out = (struct hone_value){.type = HONE_FLOAT, .f = number};
    return isfinite(number);
}

static bool count_value(struct hone_value *out, int64_t count)
{
    *out = (struct hone_value){.type = HONE_INT, .i = count};
    return true;
}

static bool kernel_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->info->kernel);
}

static bool device_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->info->device_name);
}

static bool line_of(const struct table_row *row, struct hone_value *out)
{
    return count_value(out, row->trial->line);
}

static bool outcome_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, hone_outcome_name(row->trial->outcome));
}

static bool predicted_of(const struct table_row *row, struct hone_value *out)
{
    *out = (struct hone_value){.type = HONE_BOOL, .b = !isnan(row->trial->predicted_us)};
    return true;
}

static bool kind_of_time(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, hone_time_kind_measured(row->trial->kind));
}

static bool samples_of(const struct table_row *row, struct hone_value *out)
{
    return count_value(out, row->trial->samples) && row->trial->samples;
}

static bool rank_of(const struct table_row *row, struct hone_value *out)
{
    return count_value(out, row->trial->final.rank) && row->trial->final.rank;
}

static bool ratio_of(const struct table_row *row, struct hone_value *out)
{
    return number_value(out, row->trial->final.ratio) && row->trial->final.rank;
}

static bool low_of(const struct table_row *row, struct hone_value *out)
{
    return number_value(out, row->trial->final.low) && row->trial->final.rank &&
           isfinite(row->trial->final.high);
}

static bool high_of(const struct table_row *row, struct hone_value *out)
{
    return number_value(out, row->trial->final.high) && row->trial->final.rank;
}

static bool fidelity_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->trial->fidelity);
}

static bool finding_of(const struct table_row *row, struct hone_value *out)
{
    const enum hone_finding finding = row->trial->found->finding;
    return finding != HONE_FINDING_NONE && text_value(out, hone_finding_name(finding));
}

static bool reason_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->trial->reason);
}

static bool host_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->trial->place->host);
}

static bool job_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->trial->place->job);
}

static bool gpu_of(const struct table_row *row, struct hone_value *out)
{
    return text_value(out, row->trial->place->gpu_uuid);
}

typedef bool cell_fn(const struct table_row *row, struct hone_value *out);

static const struct {
    const char *name;
    cell_fn *of;
} firsts[] = {{"kernel", kernel_of},
              {"device", device_of},
              {"line", line_of},
              {"outcome", outcome_of},
              {"predicted", predicted_of}},
  lasts[] = {{"kind", kind_of_time},    {"n", samples_of},       {"final_rank", rank_of},
             {"final_ratio", ratio_of}, {"final_low", low_of},   {"final_high", high_of},
             {"fidelity", fidelity_of}, {"finding", finding_of}, {"reason", reason_of},
             {"host", host_of},         {"job", job_of},         {"gpu_uuid", gpu_of}};
enum { FIRSTS = sizeof firsts / sizeof *firsts, LASTS = sizeof lasts / sizeof *lasts };

enum column_kind {
    OF_TRIAL,
    OF_PROBLEM,
    OF_CONFIG,
    OF_FIGURE,
    OF_COUNT,
    OF_METRIC,
    OF_COUNTER
};

struct column {
    const char *name;
    enum column_kind kind;
    cell_fn *of;   // OF_TRIAL
    size_t number; // of the size, the parameter, the figure or the count
    const char *metric;
};

struct table {
    struct hone_arena arena;
    struct column *columns;
    size_t count, cap;
    bool failed;
};

static void add_column(struct table *t, struct column column)
{
    if (t->failed || !column.name ||
        !HONE_GROW_IN(&t->arena, &t->columns, &t->cap, t->count + 1, 64)) {
        t->failed = true;
        return;
    }
    t->columns[t->count++] = column;
}

// Among the first count columns.
static bool has_column(const struct table *t, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(t->columns[i].name, name) == 0) return true;
    return false;
}

// Names of metrics and sizes say that they are; a parameter that has the name of another
// column does so, too.
static void add_metric(struct table *t, enum column_kind kind, const char *word,
                       const char *metric)
{
    for (size_t c = 0; c < t->count; c++)
        if (t->columns[c].kind == kind &&
            (t->columns[c].metric == metric || strcmp(t->columns[c].metric, metric) == 0))
            return;
    add_column(
        t, (struct column){.name = hone_arena_printf(&t->arena, "%s.%s", word, metric),
                           .kind = kind,
                           .metric = metric});
}

static void add_metrics(struct table *t, const struct hone_trial *trial)
{
    for (size_t i = 0; i < trial->metric_count; i++)
        add_metric(t, OF_METRIC, "metric", trial->metrics[i].name);
}

static void add_counters(struct table *t, const struct hone_trial *trial)
{
    for (const struct hone_counted *at = trial->counters; at->name; at++)
        add_metric(t, OF_COUNTER, "counter", at->name);
}

static void add_config_columns(struct table *t, const struct hone_record_info *info,
                               size_t at)
{
    const size_t others = t->count;
    for (size_t p = 0; p < info->param_count; p++) {
        const char *name = info->params[p].name;
        add_column(t, (struct column){
                          .name = has_column(t, others, name)
                                      ? hone_arena_printf(&t->arena, "config.%s", name)
                                      : name,
                          .kind = OF_CONFIG,
                          .number = p});
    }
    // They stand behind the first columns.
    if (t->failed) return;
    struct column *moved =
        hone_arena_dup(&t->arena, t->columns + at, (others - at) * sizeof *moved);
    if (!moved) {
        t->failed = true;
        return;
    }
    memmove(t->columns + at, t->columns + others, info->param_count * sizeof *moved);
    memcpy(t->columns + at + info->param_count, moved, (others - at) * sizeof *moved);
}

static void add_columns(struct table *t, const struct hone_recording *const *recordings,
                        size_t count)
{
    const struct hone_record_info *info = hone_recording_info(recordings[0]);
    for (size_t i = 0; i < FIRSTS; i++)
        add_column(t, (struct column){.name = firsts[i].name, .of = firsts[i].of});
    for (size_t i = 0; i < info->problem_count; i++)
        add_column(t, (struct column){.name = hone_arena_printf(&t->arena, "problem.%s",
                                                                info->problem[i].name),
                                      .kind = OF_PROBLEM,
                                      .number = i});
    const size_t at = t->count;
    for (size_t i = 0; i < FIGURES; i++)
        add_column(
            t, (struct column){.name = figures[i].name, .kind = OF_FIGURE, .number = i});
    for (size_t i = 0; i < COUNTS; i++)
        add_column(
            t, (struct column){.name = counts[i].name, .kind = OF_COUNT, .number = i});
    for (size_t i = 0; i < LASTS; i++)
        add_column(t, (struct column){.name = lasts[i].name, .of = lasts[i].of});
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < hone_recording_count(recordings[r]); i++)
            add_metrics(t, hone_recording_trial(recordings[r], i));
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < hone_recording_count(recordings[r]); i++)
            add_counters(t, hone_recording_trial(recordings[r], i));
    add_config_columns(t, info, at);
}

// --- cells ---

static bool find_cell(const struct column *column, const struct table_row *row,
                      struct hone_value *out)
{
    const char *trial = (const char *)row->trial;
    double figure;
    int32_t count;
    switch (column->kind) {
    case OF_TRIAL:
        return column->of(row, out);
    case OF_PROBLEM:
        *out = row->info->problem[column->number].value;
        return true;
    case OF_CONFIG:
        *out = row->info->params[column->number].values[row->choices[column->number]];
        return true;
    case OF_FIGURE:
        memcpy(&figure, trial + figures[column->number].offset, sizeof figure);
        return number_value(out, figure);
    case OF_COUNT:
        memcpy(&count, trial + counts[column->number].offset, sizeof count);
        return count_value(out, count) && count >= 0;
    case OF_METRIC:
        return number_value(out,
                            hone_trial_metric(row->trial, column->metric, (double)NAN));
    case OF_COUNTER:
        return number_value(out,
                            hone_trial_counter(row->trial, column->metric, (double)NAN));
    }
    return false;
}

// In quotes where it has one, a comma or the end of a line. Spreadsheets run what begins
// like a formula, in quotes too; an apostrophe makes it a text.
static void add_csv_text(struct hone_strbuf *out, const char *text)
{
    const char *guard = hone_one_of(*text, "=+-@\t\r") ? "'" : "";
    if (!text[strcspn(text, "\",\r\n")]) {
        hone_strbuf_printf(out, "%s%s", guard, text);
        return;
    }
    hone_strbuf_printf(out, "\"%s", guard);
    for (; *text; text++)
        hone_strbuf_add_bytes(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    hone_strbuf_add(out, "\"");
}

static void add_csv_value(struct hone_strbuf *out, const struct column *column,
                          struct hone_value value)
{
    char text[64];
    if (value.type == HONE_STRING) {
        add_csv_text(out, value.s);
    } else if (value.type == HONE_FLOAT && column->kind != OF_CONFIG) {
        hone_strbuf_printf(out, "%.9g", value.f); // the digits of a journal
    } else {
        hone_value_print(text, sizeof text, value);
        hone_strbuf_add(out, text);
    }
}

static void add_csv_row(struct hone_strbuf *out, const struct table *t,
                        const struct table_row *row)
{
    for (size_t i = 0; i < t->count; i++) {
        struct hone_value value;
        if (i) hone_strbuf_add(out, ",");
        if (find_cell(&t->columns[i], row, &value))
            add_csv_value(out, &t->columns[i], value);
    }
    hone_strbuf_add(out, "\n");
}

static void add_json_row(struct hone_strbuf *out, const struct table *t,
                         const struct table_row *row)
{
    struct json_t *object = hone_json_object();
    if (!object) out->failed = true;
    for (size_t i = 0; i < t->count; i++) {
        struct hone_value value;
        if (find_cell(&t->columns[i], row, &value))
            hone_json_value(object, t->columns[i].name, value);
    }
    hone_json_line(out, object);
}

static enum hone_status add_rows(struct hone_strbuf *out, const struct table *t,
                                 const struct hone_recording *recording,
                                 enum hone_table_form form)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    uint16_t *choices = calloc(info->param_count + 1, sizeof *choices);
    if (!choices) return HONE_ENOMEM;
    for (size_t i = 0; i < hone_recording_count(recording) && !out->failed; i++) {
        const struct table_row row = {info, hone_recording_trial(recording, i), choices};
        hone_space_choices(hone_recording_space(recording), row.trial->index, choices);
        if (form == HONE_TABLE_CSV)
            add_csv_row(out, t, &row);
        else
            add_json_row(out, t, &row);
    }
    free(choices);
    return HONE_OK;
}

enum hone_status hone_table_write(struct hone_strbuf *out,
                                  const struct hone_recording *const *recordings,
                                  size_t count, enum hone_table_form form,
                                  struct hone_error *err)
{
    struct table t = {.failed = false};
    enum hone_status status = HONE_OK;
    add_columns(&t, recordings, count);
    for (size_t i = 0; i < t.count && form == HONE_TABLE_CSV; i++) {
        if (i) hone_strbuf_add(out, ",");
        add_csv_text(out, t.columns[i].name);
    }
    if (form == HONE_TABLE_CSV) hone_strbuf_add(out, "\n");
    for (size_t i = 0; i < count && !t.failed && status == HONE_OK; i++)
        status = add_rows(out, &t, recordings[i], form);
    hone_arena_fini(&t.arena);
    if (t.failed || out->failed || status != HONE_OK)
        return hone_no_memory(err, "for a table of trials");
    return HONE_OK;
}
