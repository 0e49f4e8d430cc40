#include "report/importance.h"

#include <math.h>
#include <stdio.h>

#include "record/json_out.h"
#include "report/values.h"

void hone_importance_text(struct hone_strbuf *out,
                          const struct hone_importance *importance)
{
    const struct hone_plain count = hone_count_text((double)importance->trials);
    if (importance->kind == HONE_IMPORTANCE_EXACT)
        hone_strbuf_printf(out, "exact, of all %s valid configurations", count.text);
    else if (importance->kind == HONE_IMPORTANCE_ESTIMATED)
        hone_strbuf_printf(
            out, "estimated by a forest from %s valid trials, with 95 %% intervals",
            count.text);
    else if (importance->trials < HONE_IMPORTANCE_LEAST)
        hone_strbuf_printf(out, "not enough trials: %s valid, it takes %d", count.text,
                           HONE_IMPORTANCE_LEAST);
    else
        hone_strbuf_add(out, "nothing matters: all valid trials cost the same");
}

static void add_share(struct json_t *object, const char *name, struct hone_share share,
                      bool exact)
{
    char key[32];
    hone_json_number(object, name, share.value);
    if (exact) return;
    snprintf(key, sizeof key, "%s_low", name);
    hone_json_number(object, key, share.low);
    snprintf(key, sizeof key, "%s_high", name);
    hone_json_number(object, key, share.high);
}

struct json_t *hone_importance_json(const struct hone_importance *importance,
                                    const struct hone_recording *recording)
{
    const struct hone_space *space = hone_recording_space(recording);
    const bool exact = importance->kind == HONE_IMPORTANCE_EXACT;
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_importance_text(&text, importance);
    hone_json_text(root, "kind", hone_importance_kind_name(importance->kind));
    hone_json_text(root, "text", text.data);
    hone_json_integer(root, "trials", (int64_t)importance->trials);
    for (size_t i = 0; i < importance->order_count; i++) {
        const size_t p = importance->order[i];
        const struct hone_effect *effect = &importance->params[p];
        struct json_t *object = hone_json_object();
        hone_json_text(object, "name", hone_space_param(space, p)->name);
        add_share(object, "total", effect->total, exact);
        add_share(object, "main", effect->main, exact);
        if (!isnan(effect->good)) hone_json_number(object, "among_best", effect->good);
        hone_json_append(list, object);
    }
    hone_json_child(root, "parameters", list);
    hone_strbuf_fini(&text);
    return root;
}

enum hone_status hone_importance_add(struct json_t *root,
                                     const struct hone_recording *recording,
                                     struct hone_error *err)
{
    struct hone_importance importance;
    enum hone_status status = hone_importance_make(&importance, recording, NULL, err);
    if (status == HONE_OK)
        hone_json_child(root, "importance", hone_importance_json(&importance, recording));
    hone_importance_fini(&importance);
    return status;
}
