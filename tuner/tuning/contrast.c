#include "tuning/contrast.h"

#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "emit/shipped.h"
#include "expr/value_text.h"
#include "hone/strbuf.h"
#include "tuning/machine_code.h"
#include "tuning/parts.h"
#include "tuning/probe.h"

/* --- rows --- */

// The row of that name in a list, made where there is none; NULL without memory.
static struct hone_contrast_row *row_of(struct hone_arena *arena,
                                        struct hone_contrast_row **rows, size_t *count,
                                        size_t *cap, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        struct hone_contrast_row *row = *rows + i;
        if (strcmp(row->name, name) == 0) return row;
    }
    if (!HONE_GROW_IN(arena, rows, cap, *count + 1, 32)) return NULL;
    struct hone_contrast_row *row = *rows + *count;
    *row = (struct hone_contrast_row){.name = hone_arena_strdup(arena, name),
                                      .numbers = {NAN, NAN}};
    if (!row->name) return NULL;
    ++*count;
    return row;
}

static bool add_parameter(struct hone_contrast *out, int side, const char *name,
                          const char *text)
{
    struct hone_contrast_row *row = row_of(
        &out->arena, &out->parameters, &out->parameter_count, &out->parameter_cap, name);
    if (row) row->texts[side] = hone_arena_strdup(&out->arena, text);
    return row && row->texts[side];
}

static bool add_figure(struct hone_contrast *out, int side, const char *name,
                       double number)
{
    struct hone_contrast_row *row =
        row_of(&out->arena, &out->figures, &out->figure_count, &out->figure_cap, name);
    if (row) row->numbers[side] = number;
    return row != NULL;
}

// A header has booleans as the numbers that C makes of them.
static const char *plain_text(const char *text)
{
    return strcmp(text, "true") == 0 ? "1" : strcmp(text, "false") == 0 ? "0" : text;
}

bool hone_contrast_differs(const struct hone_contrast_row *row)
{
    if (row->texts[0] || row->texts[1])
        return !row->texts[0] || !row->texts[1] ||
               strcmp(plain_text(row->texts[0]), plain_text(row->texts[1])) != 0;
    return isnan(row->numbers[0]) != isnan(row->numbers[1]) ||
           row->numbers[0] < row->numbers[1] || row->numbers[0] > row->numbers[1];
}

/* --- of a journal --- */

static bool take_resources(struct hone_contrast *out, int side,
                           const struct hone_resources *r)
{
    const struct {
        const char *name;
        int32_t number;
    } list[] = {{"registers", r->registers},
                {"spill_store_bytes", r->spill_store_bytes},
                {"spill_load_bytes", r->spill_load_bytes},
                {"stack_bytes", r->stack_bytes},
                {"static_shared_bytes", r->static_shared_bytes},
                {"dynamic_shared_bytes", r->dynamic_shared_bytes},
                {"blocks_per_sm", r->blocks_per_sm}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].number >= 0 && !add_figure(out, side, list[i].name, list[i].number))
            return false;
    return true;
}

static bool take_counters(struct hone_contrast *out, int side,
                          const struct hone_counted *at)
{
    for (; at->name; at++) {
        const char *name = hone_arena_printf(&out->arena, "counter.%s", at->name);
        struct hone_contrast_row *row =
            name ? row_of(&out->arena, &out->figures, &out->figure_count,
                          &out->figure_cap, name)
                 : NULL;
        if (!row) return false;
        row->numbers[side] = at->value;
        row->unit = hone_arena_strdup(&out->arena, at->unit);
        if (!row->unit) return false;
    }
    return true;
}

// Blocks of two configurations differ in size: classes of instructions stand for the
// launch, too.
static bool take_mix(struct hone_contrast *out, int side, const struct hone_trial *trial)
{
    static const char of_block[] = "_per_block";
    const double blocks = hone_trial_metric(trial, "grid_blocks", 0);
    for (size_t i = 0; i < trial->metric_count && blocks > 0; i++) {
        const struct hone_metric *metric = &trial->metrics[i];
        const size_t len = strlen(metric->name), end = sizeof of_block - 1;
        if (len <= end || strcmp(metric->name + len - end, of_block) != 0 ||
            strcmp(metric->name, "warps_per_block") == 0)
            continue;
        const char *name = hone_arena_printf(&out->arena, "%.*s_per_launch",
                                             (int)(len - end), metric->name);
        if (!name || !add_figure(out, side, name, blocks * metric->value)) return false;
    }
    return true;
}

// As they stand in the code, whatever loops make of them.
static enum hone_status take_sass(struct hone_contrast *out, int side,
                                  const struct hone_recording *recording,
                                  const struct hone_trial *trial,
                                  const struct hone_tuning_options *tuning,
                                  struct hone_error *err)
{
    struct hone_sass sass;
    enum hone_status status = hone_machine_code(&sass, recording, trial, tuning, err);
    bool ok = status != HONE_OK || add_figure(out, side, "sass.all", sass.total);
    for (int i = 0; status == HONE_OK && ok && i < HONE_SASS_CLASSES; i++) {
        const char *name = hone_arena_printf(&out->arena, "sass.%s",
                                             hone_sass_name((enum hone_sass_class)i));
        ok = name && add_figure(out, side, name, sass.counts[i]);
    }
    return ok ? status : hone_no_memory(err, "to compare configurations");
}

static bool take_trial(struct hone_contrast *out, int side,
                       const struct hone_recording *recording,
                       const struct hone_trial *trial, uint16_t *row)
{
    const struct hone_space *space = hone_recording_space(recording);
    hone_space_choices(space, trial->index, row);
    for (size_t p = 0; p < hone_space_param_count(space); p++) {
        const struct hone_param *param = hone_space_param(space, p);
        char number[HONE_NUMBER_TEXT];
        const char *text = hone_value_in_full(number, param->values[row[p]]);
        if (!add_parameter(out, side, param->name, text)) return false;
    }
    out->predicted[side] = isnan(trial->time_us);
    out->us[side] = out->predicted[side] ? trial->predicted_us : trial->time_us;
    if (!isnan(trial->energy_j) && !add_figure(out, side, "energy_j", trial->energy_j))
        return false;
    if (!take_resources(out, side, &trial->resources)) return false;
    for (size_t i = 0; i < trial->metric_count; i++)
        if (!add_figure(out, side, trial->metrics[i].name, trial->metrics[i].value))
            return false;
    return take_mix(out, side, trial) && take_counters(out, side, trial->counters);
}

static enum hone_status take_info(struct hone_contrast *out, int side,
                                  const struct hone_record_info *info,
                                  struct hone_error *err)
{
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    hone_problem_text(&problem, info);
    out->kernel[side] = hone_arena_strdup(&out->arena, info->kernel);
    out->device[side] = hone_arena_strdup(&out->arena, info->device_name);
    out->problem[side] =
        problem.len ? hone_arena_strdup(&out->arena, problem.data) : NULL;
    const bool ok = out->kernel[side] && (!info->device_name || out->device[side]) &&
                    !problem.failed && (!problem.len || out->problem[side]);
    hone_strbuf_fini(&problem);
    return ok ? HONE_OK : hone_no_memory(err, "to compare configurations");
}

// The trial of the author's default.
static enum hone_status find_default_trial(const struct hone_trial **out,
                                           const struct hone_recording *part,
                                           struct hone_error *err)
{
    *out = hone_recording_default(part);
    if (*out && (*out)->outcome == HONE_VALID) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "'%s' has no valid trial of the default: say by --a NAME=VALUE with "
                     "what its best is to be compared",
                     hone_recording_path(part));
}

static enum hone_status take_journal(struct hone_contrast *out, int side,
                                     const struct hone_contrast_options *o,
                                     struct hone_error *err)
{
    const struct hone_contrast_side *wanted = &o->sides[side];
    struct hone_recording *whole = NULL;
    const struct hone_recording *part = NULL;
    const struct hone_trial *trial = NULL;
    enum hone_status status = hone_recording_load_noted(&whole, wanted->path, err);
    if (status == HONE_OK)
        status = hone_part_of_texts(&part, whole, o->set, o->set_count, err);
    if (status == HONE_OK)
        status = wanted->is_default ? find_default_trial(&trial, part, err)
                                    : hone_chosen_trial(&trial, part, wanted->config,
                                                        wanted->config_count, err);
    if (status == HONE_OK) status = take_info(out, side, hone_recording_info(part), err);
    if (status == HONE_OK) {
        const size_t params = hone_space_param_count(hone_recording_space(part));
        uint16_t *row = hone_arena_array(&out->arena, params + 1, sizeof *row);
        if (!row || !take_trial(out, side, part, trial, row))
            status = hone_no_memory(err, "to compare configurations");
    }
    if (status == HONE_OK && o->sass)
        status = take_sass(out, side, part, trial, o->sass, err);
    hone_recording_free(whole);
    return status;
}

/* --- of a header --- */

// Whether NAME=VALUE, as a user says it, is what a header tells: by its value, as in
// journals, where the header's text is a number or a boolean.
static bool is_constant_told(const char *told, const char *asked)
{
    const size_t name = strcspn(told, "=") + 1;
    struct hone_value value;
    if (strcmp(told, asked) == 0) return true;
    if (strncmp(told, asked, name) != 0) return false;
    const char *text = told + name;
    const bool is_bool = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    const bool has_type = is_bool ? hone_value_parse(&value, HONE_BOOL, text)
                                  : hone_value_parse(&value, HONE_INT, text) ||
                                        hone_value_parse(&value, HONE_FLOAT, text);
    return has_type && hone_value_is(value, asked + name);
}

static bool has_constant(const char *const *told, const char *asked)
{
    for (; *told; told++)
        if (is_constant_told(*told, asked)) return true;
    return false;
}

static bool row_fits(const struct hone_shipped_row *row,
                     const struct hone_contrast_options *o)
{
    if (o->device && !(row->device && strstr(row->device, o->device))) return false;
    for (size_t i = 0; i < o->set_count; i++)
        if (!has_constant((const char *const *)row->problem, o->set[i])) return false;
    return true;
}

static enum hone_status find_row(const struct hone_shipped_row **out,
                                 const struct hone_shipped *shipped,
                                 const struct hone_contrast_options *o, const char *path,
                                 struct hone_error *err)
{
    size_t fits = 0;
    for (size_t i = 0; i < shipped->count; i++) {
        if (!row_fits(&shipped->rows[i], o)) continue;
        *out = &shipped->rows[i];
        fits++;
    }
    if (fits == 1) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "'%s' has %zu rows of that problem and device: --set and --device "
                     "choose one",
                     path, fits);
}

static bool take_row(struct hone_contrast *out, int side,
                     const struct hone_shipped *shipped,
                     const struct hone_shipped_row *row)
{
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    for (const char **text = row->problem; text && *text; text++)
        hone_strbuf_printf(&problem, "%s%s", problem.len ? " " : "", *text);
    out->kernel[side] = hone_arena_strdup(&out->arena, shipped->kernel);
    out->device[side] = hone_arena_strdup(&out->arena, row->device);
    out->problem[side] =
        problem.len ? hone_arena_strdup(&out->arena, problem.data) : NULL;
    bool ok = !problem.failed;
    hone_strbuf_fini(&problem);
    out->predicted[side] = shipped->predicted;
    out->us[side] = row->time_us;
    for (const char **text = row->config; ok && text && *text; text++) {
        const char *equals = strchr(*text, '=');
        char *name =
            equals ? hone_arena_printf(&out->arena, "%.*s", (int)(equals - *text), *text)
                   : NULL;
        ok = name && add_parameter(out, side, name, equals + 1);
    }
    return ok;
}

static enum hone_status take_header(struct hone_contrast *out, int side,
                                    const struct hone_contrast_options *o,
                                    struct hone_error *err)
{
    const struct hone_contrast_side *wanted = &o->sides[side];
    const struct hone_shipped_row *row = NULL;
    struct hone_shipped shipped;
    if (o->sass)
        return hone_fail(err, HONE_EUSAGE,
                         "--sass is of journals, whose configurations are built again: "
                         "'%s' is a header",
                         wanted->path);
    if (wanted->is_default)
        return hone_fail(err, HONE_EUSAGE,
                         "'%s' is a header, which has no default: with what is it to be "
                         "compared?",
                         wanted->path);
    if (wanted->config_count)
        return hone_fail(err, HONE_EUSAGE,
                         "'%s' is a header: it has the configurations that it has",
                         wanted->path);
    enum hone_status status = hone_shipped_load(&shipped, wanted->path, err);
    if (status != HONE_OK) return status;
    status = find_row(&row, &shipped, o, wanted->path, err);
    if (status == HONE_OK && !take_row(out, side, &shipped, row))
        status = hone_no_memory(err, "to compare configurations");
    hone_shipped_fini(&shipped);
    return status;
}

/* --- both --- */

static bool is_header(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".h") == 0 || strcmp(ending, ".hpp") == 0);
}

enum hone_status hone_contrast_make(struct hone_contrast *out,
                                    const struct hone_contrast_options *options,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    *out = (struct hone_contrast){.us = {NAN, NAN}};
    for (int side = 0; side < 2 && status == HONE_OK; side++)
        status = is_header(options->sides[side].path)
                     ? take_header(out, side, options, err)
                     : take_journal(out, side, options, err);
    return status;
}

void hone_contrast_fini(struct hone_contrast *contrast)
{
    hone_arena_fini(&contrast->arena);
    *contrast = (struct hone_contrast){0};
}
