#include "report/contrast.h"

#include <math.h>
#include <string.h>

#include "record/json_out.h"
#include "report/metrics.h"

// Those that journals have beside metrics: docs/journal.md.
static const struct {
    const char *name, *unit;
} own[] = {
    {"energy_j", "J"},
    {"registers", "a thread"},
    {"spill_store_bytes", "bytes a thread"},
    {"spill_load_bytes", "bytes a thread"},
    {"stack_bytes", "bytes a thread"},
    {"static_shared_bytes", "bytes a block"},
    {"dynamic_shared_bytes", "bytes a block"},
};

const char *hone_figure_unit(const struct hone_contrast_row *row)
{
    const char *name = row->name;
    if (row->unit) return row->unit;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0) return own[i].unit;
    if (strncmp(name, "sass.", 5) == 0) return "instructions in the code";
    static const char of_launch[] = "_per_launch";
    const size_t len = strlen(name), end = sizeof of_launch - 1;
    if (len > end && strcmp(name + len - end, of_launch) == 0)
        return "warp instructions a launch";
    return hone_metric_unit(name);
}

static const char *const sides[2] = {"a", "b"};

static struct json_t *side_json(const struct hone_contrast *contrast, int side)
{
    struct json_t *object = hone_json_object();
    const struct {
        const char *key, *text;
    } texts[] = {{"kernel", contrast->kernel[side]},
                 {"device", contrast->device[side]},
                 {"problem", contrast->problem[side]}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text) hone_json_lossy_text(object, texts[i].key, texts[i].text);
    hone_json_number(object, contrast->predicted[side] ? "predicted_us" : "time_us",
                     contrast->us[side]);
    return object;
}

static struct json_t *rows_json(const struct hone_contrast_row *rows, size_t count,
                                bool numbers)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < count; i++) {
        struct json_t *object = hone_json_object();
        hone_json_lossy_text(object, "name", rows[i].name);
        for (int side = 0; side < 2; side++)
            if (numbers)
                hone_json_number(object, sides[side], rows[i].numbers[side]);
            else if (rows[i].texts[side])
                hone_json_lossy_text(object, sides[side], rows[i].texts[side]);
        if (numbers) hone_json_text(object, "unit", hone_figure_unit(&rows[i]));
        hone_json_bool(object, "differs", hone_contrast_differs(&rows[i]));
        hone_json_append(list, object);
    }
    return list;
}

struct json_t *hone_contrast_json(const struct hone_contrast *contrast)
{
    struct json_t *root = hone_json_object();
    for (int side = 0; side < 2; side++)
        hone_json_child(root, sides[side], side_json(contrast, side));
    hone_json_number(root, "ratio", contrast->us[1] / contrast->us[0]);
    hone_json_bool(root, "comparable", contrast->predicted[0] == contrast->predicted[1]);
    hone_json_child(root, "parameters",
                    rows_json(contrast->parameters, contrast->parameter_count, false));
    hone_json_child(root, "figures",
                    rows_json(contrast->figures, contrast->figure_count, true));
    return root;
}
