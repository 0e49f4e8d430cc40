#include "report/explanation.h"

#include <math.h>

#include "insight/beside.h"
#include "insight/roles.h"
#include "record/json_out.h"
#include "report/values.h"
#include "tuning/parts.h"

#define CAUSES_PAGE "docs/causes.md#"

static void add_sentence(struct json_t *object, const char *key, struct hone_strbuf *text)
{
    hone_json_text(object, key, text->len ? text->data : NULL);
    hone_strbuf_fini(text);
}

static void add_section(struct json_t *object, const char *section)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text, CAUSES_PAGE "%s", section);
    add_sentence(object, "page", &text);
}

static struct json_t *config_json(const struct hone_explanation *explanation,
                                  const struct hone_trial *trial)
{
    return hone_config_json(hone_recording_space(explanation->recording), trial->index);
}

// By what is minimised, whatever that is; null: not valid, or no such trial.
static void add_ratio(struct json_t *object, const char *key, double ratio)
{
    hone_json_number(object, key, ratio);
}

static void add_value(struct json_t *object, const char *key,
                      const struct hone_explanation *explanation, size_t param,
                      uint16_t value)
{
    const struct hone_param *p =
        hone_space_param(hone_recording_space(explanation->recording), param);
    hone_json_value(object, key, p->values[value]);
}

/* --- one configuration --- */

static struct json_t *limit_json(const struct hone_explained *explained)
{
    struct json_t *object = hone_json_object();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const enum hone_limit limit = explained->diagnosis.usage.limit;
    hone_json_text(object, "name", hone_limit_word(limit));
    hone_json_text(object, "title", hone_limit_text(limit));
    hone_limit_words(&text, explained);
    add_sentence(object, "text", &text);
    add_section(object, hone_limit_section(limit));
    return object;
}

static struct json_t *parts_json(const struct hone_usage *usage)
{
    struct json_t *list = hone_json_array();
    for (enum hone_limit i = 0; i < HONE_LIMIT_COUNT; i++) {
        if (isnan(usage->part_us[i])) continue;
        struct json_t *object = hone_json_object();
        hone_json_text(object, "name", hone_limit_word(i));
        hone_json_text(object, "title", hone_limit_text(i));
        hone_json_number(object, "us", usage->part_us[i]);
        hone_json_number(object, "share", usage->part_us[i] / usage->us);
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *mover_json(const struct hone_explanation *explanation,
                                 const struct hone_neighbour *mover)
{
    if (!mover) return NULL;
    struct json_t *object = hone_json_object();
    hone_json_text(
        object, "parameter",
        hone_space_param(hone_recording_space(explanation->recording), mover->param)
            ->name);
    add_value(object, "value", explanation, mover->param, mover->value);
    add_ratio(object, "cost_ratio", mover->ratio);
    return object;
}

static struct json_t *causes_json(const struct hone_explanation *explanation,
                                  const struct hone_explained *explained)
{
    struct json_t *list = hone_json_array();
    const struct hone_diagnosis *diagnosis = &explained->diagnosis;
    for (size_t i = 0; i < diagnosis->cause_count; i++) {
        const struct hone_found_cause *cause = &diagnosis->causes[i];
        struct json_t *object = hone_json_object();
        struct hone_strbuf text = HONE_STRBUF_INIT;
        hone_json_text(object, "name", hone_cause_word(cause->cause));
        hone_json_text(object, "title", hone_cause_text(cause->cause));
        hone_cause_words(&text, cause, explained);
        add_sentence(object, "text", &text);
        hone_json_number(object, "gain", cause->gain);
        hone_json_number(object, "have", cause->have);
        hone_json_number(object, "want", cause->want);
        add_section(object, hone_cause_section(cause->cause));
        if (explained == &explanation->subject)
            hone_json_child(
                object, "moved_by",
                mover_json(explanation, hone_explanation_mover(explanation, cause)));
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *roofline_json(const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->usage;
    if (!(usage->roof_share > 0)) return NULL;
    struct json_t *object = hone_json_object();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_roofline_words(&text, explained);
    add_sentence(object, "text", &text);
    hone_json_number(object, "flops", usage->work.flops);
    hone_json_number(object, "bytes", usage->work.bytes);
    hone_json_number(object, "share", usage->roof_share);
    hone_json_text(object, "roof", usage->roof_is_memory ? "memory" : "arithmetic");
    return object;
}

static struct json_t *roles_json(const struct hone_explained *explained)
{
    struct hone_roles roles;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (!explained->counted || !hone_roles_find(&roles, explained->counted)) return NULL;
    struct json_t *object = hone_json_object();
    hone_json_text(object, "limit", hone_role_word(roles.limit));
    hone_json_text(object, "title", hone_role_text(roles.limit));
    hone_roles_words(&text, explained);
    add_sentence(object, "text", &text);
    add_section(object, "warps-with-roles");
    return object;
}

static struct json_t *counters_json(const struct hone_explained *explained)
{
    struct hone_beside all[HONE_BESIDE_MAX];
    struct json_t *list = hone_json_array();
    const size_t count = hone_beside_find(all, explained);
    for (size_t i = 0; i < count; i++) {
        struct json_t *object = hone_json_object();
        hone_json_text(object, "name", all[i].name);
        hone_json_text(object, "unit", all[i].unit);
        hone_json_number(object, "counted", all[i].counted);
        hone_json_number(object, "emulated", all[i].emulated);
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *explained_json(const struct hone_explanation *explanation,
                                     const struct hone_explained *explained)
{
    struct json_t *object = hone_json_object();
    hone_json_child(object, "config", config_json(explanation, explained->trial));
    hone_json_number(object, "time_us", explained->trial->time_us);
    hone_json_number(object, "predicted_us",
                     explained->counted ? explained->counted->predicted_us
                                        : explained->trial->predicted_us);
    hone_json_bool(object, "counted", explained->counted != NULL);
    hone_json_child(object, "counters", counters_json(explained));
    if (!explanation->machine_known) return object;
    hone_json_child(object, "limit", limit_json(explained));
    hone_json_child(object, "roles", roles_json(explained));
    hone_json_child(object, "parts", parts_json(&explained->diagnosis.usage));
    hone_json_child(object, "causes", causes_json(explanation, explained));
    hone_json_child(object, "roofline", roofline_json(explained));
    return object;
}

/* --- what stands around it --- */

static struct json_t *neighbours_json(const struct hone_explanation *explanation)
{
    struct json_t *list = hone_json_array();
    const struct hone_neighbours *all = &explanation->neighbours;
    for (size_t i = 0; i < all->count; i++) {
        struct json_t *object = mover_json(explanation, &all->items[i]);
        hone_json_text(object, "outcome",
                       hone_outcome_name(all->items[i].trial->outcome));
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *differences_json(const struct hone_explanation *explanation)
{
    struct json_t *list = hone_json_array();
    const struct hone_space *space = hone_recording_space(explanation->recording);
    for (size_t i = 0; i < explanation->difference_count; i++) {
        const struct hone_config_difference *d = &explanation->differences[i];
        struct json_t *object = hone_json_object();
        hone_json_text(object, "parameter", hone_space_param(space, d->param)->name);
        add_value(object, "default", explanation, d->param, d->from);
        add_value(object, "value", explanation, d->param, d->to);
        add_ratio(object, "back_to_default", d->back);
        add_ratio(object, "in_default_alone", d->alone);
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *shapes_json(const struct hone_shapes *shapes)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < shapes->count; i++) {
        const struct hone_shape *shape = &shapes->items[i];
        struct json_t *object = hone_json_object();
        hone_json_text(object, "problem", shape->text);
        hone_json_number(object, "predicted_us", shape->us);
        hone_json_number(object, "time_ratio", shape->ratio);
        hone_json_number(object, "time_per_work_ratio", shape->per_work);
        hone_json_append(list, object);
    }
    return list;
}

struct json_t *hone_explanation_json(const struct hone_explanation *explanation,
                                     const struct hone_shapes *shapes)
{
    const struct hone_record_info *info = hone_recording_info(explanation->recording);
    struct json_t *root = hone_json_object();
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    hone_json_lossy_text(root, "kernel", info->kernel);
    if (info->device_name) hone_json_lossy_text(root, "device", info->device_name);
    hone_problem_text(&problem, info);
    add_sentence(root, "problem", &problem);
    hone_json_text(root, "times", hone_how_known(explanation->subject.trial));
    hone_json_child(root, "explained",
                    explained_json(explanation, &explanation->subject));
    if (explanation->base.trial)
        hone_json_child(root, "default", explained_json(explanation, &explanation->base));
    hone_json_child(root, "neighbours", neighbours_json(explanation));
    hone_json_child(root, "differences", differences_json(explanation));
    if (shapes) hone_json_child(root, "shapes", shapes_json(shapes));
    return root;
}
