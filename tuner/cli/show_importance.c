#include "show_importance.h"

#include <math.h>
#include <stdio.h>

#include "color.h"
#include "record/json_out.h"
#include "report/importance.h"
#include "terminal/columns.h"

static void importance_row(struct hone_columns *table, const struct hone_effect *effect,
                           const char *name, bool exact)
{
    hone_columns_add(table, "%s", name);
    hone_columns_add(table, "%.3f", effect->total.value);
    if (!exact)
        hone_columns_add(table, "%.3f to %.3f", effect->total.low, effect->total.high);
    hone_columns_add(table, "%.3f", effect->main.value);
    if (!isnan(effect->good)) hone_columns_add(table, "%.3f", effect->good);
}

static void print_table(const struct hone_importance *importance,
                        const struct hone_space *space)
{
    const bool exact = importance->kind == HONE_IMPORTANCE_EXACT;
    const bool good = !isnan(importance->params[importance->order[0]].good);
    struct hone_columns table = {.sides = exact  ? good ? "lrrr" : "lrr"
                                          : good ? "lrrrr"
                                                 : "lrrr"};
    hone_columns_add(&table, "parameter");
    hone_columns_add(&table, "in all");
    if (!exact) hone_columns_add(&table, "95 %% interval");
    hone_columns_add(&table, "by itself");
    if (good) hone_columns_add(&table, "among the best");
    for (size_t i = 0; i < importance->order_count; i++) {
        const size_t p = importance->order[i];
        importance_row(&table, &importance->params[p], hone_space_param(space, p)->name,
                       exact);
    }
    cli_print_columns(&table, stdout, "  ");
}

enum hone_status cli_show_importance(const struct hone_recording *recording,
                                     struct hone_error *err)
{
    struct hone_importance importance;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_importance_make(&importance, recording, err);
    if (status == HONE_OK) {
        hone_importance_text(&text, &importance);
        printf("importance, %s:\n", text.data);
        if (importance.order_count)
            print_table(&importance, hone_recording_space(recording));
    }
    hone_strbuf_fini(&text);
    hone_importance_fini(&importance);
    return status;
}

enum hone_status cli_add_importance(struct json_t *root,
                                    const struct hone_recording *recording,
                                    struct hone_error *err)
{
    struct hone_importance importance;
    enum hone_status status = hone_importance_make(&importance, recording, err);
    if (status == HONE_OK)
        hone_json_child(root, "importance", hone_importance_json(&importance, recording));
    hone_importance_fini(&importance);
    return status;
}
