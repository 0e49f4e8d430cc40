#include "report/verification.h"

#include <stdlib.h>

#include "record/json_out.h"
#include "report/values.h"

static struct json_t *fidelity_json(const struct hone_verification *v)
{
    struct json_t *object = hone_json_object();
    for (size_t i = 0; i < v->done; i++) {
        const size_t alike = hone_verification_alike(v, i);
        if (alike) hone_json_integer(object, v->trials[i].fidelity, (int64_t)alike);
    }
    return object;
}

static struct json_t *unjudged_json(const struct hone_verification *v)
{
    double most;
    struct json_t *object = hone_json_object();
    hone_json_text(object, "why", "no reference: values were not judged");
    hone_json_integer(object, "leave_outputs_unwritten",
                      (int64_t)hone_verification_unwritten_outputs(v, &most));
    hone_json_integer(object, "unwritten_at_most", (int64_t)most);
    return object;
}

static struct json_t *unturned_json(const struct hone_verification *v)
{
    double fewest;
    struct json_t *object = hone_json_object();
    hone_json_integer(object, "count", (int64_t)hone_verification_unturned(v, &fewest));
    hone_json_integer(object, "blocks_at_least", (int64_t)fewest);
    return object;
}

static struct json_t *same_json(const struct hone_verification *v)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "journal", v->options->same_as);
    hone_json_integer(object, "equal", (int64_t)v->same.equal);
    hone_json_integer(object, "may_differ", (int64_t)v->same.apart);
    return object;
}

// How many were not run at each size that verify names.
static struct json_t *skips_json(const struct hone_verification *v)
{
    const size_t count = hone_kernel_get_def(v->bench.kernel)->verify_count;
    struct json_t *array = hone_json_array();
    for (size_t i = 0; i < count; i++)
        hone_json_append_value(
            array, (struct hone_value){.type = HONE_INT,
                                       .i = (int64_t)hone_verification_skips(v, i)});
    return array;
}

static struct json_t *causes_json(const struct hone_verification *v)
{
    struct json_t *array = hone_json_array();
    struct hone_failure_causes causes = hone_failure_causes(v);
    for (size_t i = 0; i < causes.count; i++) {
        const struct hone_failure_cause *cause = &causes.items[i];
        struct json_t *object = hone_json_object();
        hone_json_integer(object, "count", (int64_t)cause->count);
        hone_json_text(object, "outcome", hone_outcome_name(cause->outcome));
        hone_json_text(object, "cause", cause->text);
        hone_json_text(object, "reason", cause->example->reason);
        hone_json_child(object, "example",
                        hone_config_json(v->bench.space, cause->example->index));
        hone_json_append(array, object);
    }
    free(causes.items);
    return array;
}

struct json_t *hone_verification_json(const struct hone_verification *v)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    struct json_t *root = hone_json_object(), *failures = hone_json_array();
    hone_json_text(root, "script", v->options->script);
    hone_json_text(root, "device", v->crew.device);
    hone_json_integer(root, "checked", (int64_t)v->done);
    hone_json_integer(root, "valid_in_space", (int64_t)hone_space_count(v->bench.space));
    hone_json_number(root, "seconds", v->seconds);
    hone_json_number(root, "build_seconds", v->build_seconds);
    hone_json_number(root, "verify_seconds", v->verify_seconds);
    hone_json_child(root, "outcomes", hone_outcomes_json(v->outcomes));
    hone_json_integer(root, "registers_estimated",
                      (int64_t)hone_verification_estimated(v));
    hone_json_bool(root, "values_judged", hone_verification_judges(v));
    hone_json_child(root, "sizes", hone_sizes_json(&v->sizes, hone_verification_seed(v)));
    hone_json_child(root, "not_run_at_size", skips_json(v));
    if (!hone_verification_judges(v)) hone_json_child(root, "unjudged", unjudged_json(v));
    hone_json_child(root, "causes", causes_json(v));
    hone_json_child(root, "fidelity", fidelity_json(v));
    hone_json_child(root, "waits_not_turned", unturned_json(v));
    if (def->waiver_count)
        hone_json_child(root, "waive",
                        hone_waivers_json(def->waivers, def->waiver_count, v->waived));
    if (v->same.recording) hone_json_child(root, "same_as", same_json(v));
    for (size_t i = 0; i < v->done; i++)
        if (v->trials[i].outcome != HONE_VALID)
            hone_json_append(failures, hone_trial_json(v->bench.space, &v->trials[i]));
    hone_json_child(root, "not_valid", failures);
    return root;
}

struct json_t *hone_template_lint_json(const struct hone_verification *v,
                                       const struct hone_lapses *lapses)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "script", v->options->script);
    hone_json_text(root, "template", hone_kernel_get_def(v->bench.kernel)->template_path);
    hone_json_child(root, "config", hone_config_json(v->bench.space, v->indices[0]));
    for (size_t i = 0; i < lapses->count; i++) {
        struct json_t *object = hone_json_object();
        hone_json_text(object, "kind", hone_lapse_name(lapses->items[i].kind));
        hone_json_text(object, "text", lapses->items[i].text);
        hone_json_append(list, object);
    }
    hone_json_child(root, "lint", list);
    return root;
}
