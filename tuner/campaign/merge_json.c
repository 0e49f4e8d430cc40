// A merge as a document.
#include "campaign/merge.h"
#include "record/json_out.h"

struct json_t *hone_merge_json(const struct hone_campaign *campaign,
                               const struct hone_merge *merge)
{
    struct json_t *root = hone_json_object(), *items = hone_json_array();
    hone_json_text(root, "campaign", campaign->path);
    hone_json_text(root, "output", campaign->output);
    hone_json_unsigned(root, "missing", merge->missing);
    for (size_t i = 0; i < merge->count; i++) {
        const struct hone_merged *item = &merge->items[i];
        struct json_t *json = hone_json_object();
        hone_json_text(json, "kernel", item->kernel);
        hone_json_text(json, "device", item->device);
        hone_json_unsigned(json, "runs", item->runs);
        hone_json_unsigned(json, "problems", item->problems);
        hone_json_unsigned(json, "agreed", item->agreed);
        hone_json_bool(json, "predicted", item->predicted);
        hone_json_text(json, "header", item->header);
        hone_json_text(json, "report", item->report);
        hone_json_text(json, "why", item->why);
        hone_json_append(items, json);
    }
    hone_json_child(root, "results", items);
    return root;
}
