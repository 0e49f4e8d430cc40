#include "report/counters.h"

#include "record/json_out.h"

struct json_t *hone_counter_plan_json(const struct hone_counter_plan *plan,
                                      const char *chip)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "chip", chip);
    hone_json_integer(root, "passes", (int64_t)plan->passes);
    for (size_t i = 0; i < plan->count; i++) {
        const struct hone_counter *counter = plan->counters[i].counter;
        struct json_t *object = hone_json_object();
        hone_json_text(object, "name", counter->name);
        hone_json_text(object, "group", counter->group);
        hone_json_text(object, "unit", counter->unit);
        hone_json_text(object, "description", counter->text);
        hone_json_bool(object, "light", counter->light);
        hone_json_text(object, "cupti", plan->counters[i].cupti);
        hone_json_append(list, object);
    }
    hone_json_child(root, "counters", list);
    return root;
}
