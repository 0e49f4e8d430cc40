#include "partner_message.h"

#include <string.h>

#include "record/json_in.h"
#include "record/json_out.h"

enum { BRIEF = 80 }; // of a value in a message

// --- to the program ---

static void add_constraints(struct json_t *hello, const struct hone_space *space)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < hone_space_constraint_count(space); i++) {
        const char *text = hone_space_constraint_text(space, i);
        hone_json_append_value(list, (struct hone_value){.type = HONE_STRING, .s = text});
    }
    hone_json_child(hello, "constraints", list);
}

enum hone_status hone_message_hello(struct json_t **out, const struct hone_search *search,
                                    const struct hone_record_info *info, uint64_t seed,
                                    struct hone_error *err)
{
    const struct hone_space *space = hone_search_space(search);
    const uint64_t budget = hone_search_budget(search);
    struct hone_record_info about = info ? *info : (struct hone_record_info){0};
    about.param_count = hone_space_param_count(space);
    about.params = about.param_count ? hone_space_param(space, 0) : NULL;
    about.space_count = hone_space_count(space);
    about.seed = seed;
    about.strategy = NULL;
    struct json_t *hello = NULL;
    enum hone_status status = hone_json_header(&hello, &about, err);
    if (status != HONE_OK) return status;
    hone_json_text(hello, "kind", "search");
    if (budget <= INT64_MAX)
        hone_json_integer(hello, "budget", (int64_t)budget);
    else
        hone_json_text(hello, "budget", NULL);
    add_constraints(hello, space);
    *out = hello;
    return HONE_OK;
}

struct json_t *hone_message_config(const struct hone_space *space, uint64_t index,
                                   uint16_t *choices)
{
    struct json_t *config = hone_json_array();
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        hone_json_append_value(config, hone_space_param(space, i)->values[choices[i]]);
    return config;
}

struct json_t *hone_message_trial(const struct hone_space *space,
                                  const struct hone_trial *trial, uint16_t *choices)
{
    struct json_t *object = hone_json_object();
    hone_json_integer(object, "index", (int64_t)trial->index);
    hone_json_child(object, "config", hone_message_config(space, trial->index, choices));
    hone_json_text(object, "outcome", hone_outcome_name(trial->outcome));
    if (trial->outcome == HONE_VALID)
        hone_json_number(object, "cost", hone_trial_cost(trial));
    if (*trial->reason) hone_json_text(object, "reason", trial->reason);
    return object;
}

// --- from the program ---

static enum hone_status read_value(const struct hone_space *space, size_t i,
                                   const struct json_t *json, uint16_t *choice,
                                   struct hone_error *err)
{
    struct hone_value value;
    const char *name = hone_space_param(space, i)->name;
    if (!json)
        return hone_fail(err, HONE_EINPUT, "a configuration lacks parameter '%s'", name);
    if (hone_json_peek_value(&value, json) &&
        hone_space_choice_of(space, i, value, choice) == HONE_OK)
        return HONE_OK;
    char brief[BRIEF];
    return hone_fail(err, HONE_EINPUT, "%s is no value of parameter '%s'",
                     hone_json_brief(brief, sizeof brief, json), name);
}

static enum hone_status message_read_values(const struct hone_space *space,
                                            const struct json_t *json, uint16_t *choices,
                                            struct hone_error *err)
{
    size_t given;
    const size_t count = hone_space_param_count(space);
    const bool is_list = hone_json_is_list(json, &given);
    if (is_list && given != count)
        return hone_fail(err, HONE_EINPUT,
                         "a configuration has %zu values, there are %zu parameters",
                         given, count);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const char *name = hone_space_param(space, i)->name;
        const struct json_t *value =
            is_list ? hone_json_at(json, i) : hone_json_get(json, name);
        status = read_value(space, i, value, &choices[i], err);
    }
    return status;
}

static enum hone_status read_index(const struct hone_space *space,
                                   struct hone_value value, uint64_t *index,
                                   struct hone_error *err)
{
    const uint64_t count = hone_space_count(space);
    if (value.i < 0 || (uint64_t)value.i >= count)
        return hone_fail(err, HONE_EINPUT, "index %lld is not in a space of %llu",
                         (long long)value.i, (unsigned long long)count);
    *index = (uint64_t)value.i;
    return HONE_OK;
}

enum hone_status hone_message_read_config(const struct hone_space *space,
                                          const struct json_t *json, uint16_t *choices,
                                          uint64_t *index, struct hone_error *err)
{
    size_t count;
    struct hone_value value;
    char brief[BRIEF];
    if (hone_json_peek_value(&value, json) && value.type == HONE_INT)
        return read_index(space, value, index, err);
    if (!hone_json_is_list(json, &count) && !hone_json_is_object(json))
        return hone_fail(err, HONE_EINPUT, "%s is no configuration",
                         hone_json_brief(brief, sizeof brief, json));
    enum hone_status status = message_read_values(space, json, choices, err);
    if (status == HONE_OK && hone_space_index(space, choices, index) != HONE_OK)
        status = hone_fail(err, HONE_ENOTFOUND, "the constraints forbid %s",
                           hone_json_brief(brief, sizeof brief, json));
    return status;
}
