#include "report/places.h"

#include <math.h>

#include "insight/places.h"
#include "record/json_out.h"

static struct json_t *row_json(const struct hone_place_row *row)
{
    struct json_t *object = hone_json_object();
    if (row->place->host[0]) hone_json_text(object, "host", row->place->host);
    if (row->place->gpu_uuid[0]) hone_json_text(object, "gpu_uuid", row->place->gpu_uuid);
    hone_json_integer(object, "jobs", (int64_t)row->jobs);
    hone_json_integer(object, "trials", (int64_t)row->trials);
    hone_json_integer(object, "failed", (int64_t)row->failed);
    if (!isnan(row->evaluate_ms))
        hone_json_number(object, "evaluate_ms", row->evaluate_ms);
    return object;
}

enum hone_status hone_places_add(struct json_t *root,
                                 const struct hone_recording *recording,
                                 struct hone_error *err)
{
    struct hone_places places;
    enum hone_status status = hone_places_make(&places, recording, err);
    if (status == HONE_OK && places.count) {
        struct json_t *list = hone_json_array();
        for (size_t i = 0; i < places.count; i++)
            hone_json_append(list, row_json(&places.rows[i]));
        hone_json_child(root, "places", list);
    }
    hone_places_fini(&places);
    return status;
}
