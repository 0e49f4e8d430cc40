// What a verification found as SARIF 2.1.0 (OASIS, sections 3.13 to 3.35), which
// code review and CI show beside the lines. One result a finding, place and buffer,
// however many configurations have it.
#include <assert.h>
#include <stdlib.h>

#include "hone/version.h"
#include "record/json_out.h"
#include "report/verification.h"
#include "tuning/verification_results.h"

// ---- rules ----

// A failure without a finding never came to a launch; it goes by its outcome.
static const struct {
    enum hone_outcome outcome;
    const char *meaning;
} other_rules[] = {
    {HONE_BUILD_FAILED, "A configuration does not compile."},
    {HONE_LAUNCH_FAILED, "A configuration cannot be launched."},
    {HONE_WRONG_RESULT, "The result is wrong."},
    {HONE_CRASHED, "The kernel, or what ran it, was ended."},
    {HONE_TIMED_OUT, "It did not end within its deadline."},
};
enum {
    OTHER_RULES = sizeof other_rules / sizeof *other_rules,
    NO_FAILURES = 3 // valid, rejected, unsupported: see hone_outcome_is_failure
};
_Static_assert(OTHER_RULES + NO_FAILURES == HONE_OUTCOME_COUNT,
               "an outcome that is a failure has a rule");

// Findings but NONE come first.
static int64_t rule_index(const struct hone_verification_result *result)
{
    if (result->found.finding != HONE_FINDING_NONE)
        return (int64_t)result->found.finding - 1;
    int64_t i = 0;
    while (other_rules[i].outcome != result->outcome) {
        i++;
        assert(i < OTHER_RULES);
    }
    return HONE_FINDING_COUNT - 1 + i;
}

static const char *rule_id(int64_t index)
{
    return index < HONE_FINDING_COUNT - 1
               ? hone_finding_name((enum hone_finding)(index + 1))
               : hone_outcome_name(other_rules[index - HONE_FINDING_COUNT + 1].outcome);
}

static const char *rule_meaning(int64_t index)
{
    return index < HONE_FINDING_COUNT - 1
               ? hone_finding_meaning((enum hone_finding)(index + 1))
               : other_rules[index - HONE_FINDING_COUNT + 1].meaning;
}

static struct json_t *message(const char *text)
{
    struct json_t *object = hone_json_object();
    hone_json_lossy_text(object, "text", text);
    return object;
}

static struct json_t *rules_json(void)
{
    struct json_t *list = hone_json_array();
    for (int64_t i = 0; i < HONE_FINDING_COUNT - 1 + OTHER_RULES; i++) {
        struct json_t *rule = hone_json_object();
        hone_json_text(rule, "id", rule_id(i));
        hone_json_child(rule, "shortDescription", message(rule_meaning(i)));
        hone_json_append(list, rule);
    }
    return list;
}

// ---- results ----

static struct json_t *location_json(const struct hone_source_place *place)
{
    struct json_t *location = hone_json_object(), *physical = hone_json_object();
    struct json_t *artifact = hone_json_object(), *region = hone_json_object();
    hone_json_text(artifact, "uri", place->uri);
    hone_json_integer(region, "startLine", place->line);
    hone_json_child(physical, "artifactLocation", artifact);
    hone_json_child(physical, "region", region);
    hone_json_child(location, "physicalLocation", physical);
    return location;
}

static void add_location(struct json_t *object, const char *key, struct json_t *location)
{
    struct json_t *list = hone_json_array();
    hone_json_append(list, location);
    hone_json_child(object, key, list);
}

static enum hone_status add_place(struct json_t *object,
                                  const struct hone_verification *v,
                                  const struct hone_verification_result *result,
                                  struct hone_error *err)
{
    struct hone_source_place place;
    enum hone_status status =
        hone_source_place_find(&place, v, result, &result->found, err);
    if (status == HONE_OK) {
        struct json_t *prints = hone_json_object();
        add_location(object, "locations", location_json(&place));
        hone_json_text(prints, "honeFinding/v1", place.fingerprint);
        hone_json_child(object, "partialFingerprints", prints);
    }
    hone_source_place_fini(&place);
    return status;
}

// The other access of a race, where a value was first read, who else waits.
static enum hone_status add_other(struct json_t *object,
                                  const struct hone_verification *v,
                                  const struct hone_verification_result *result,
                                  struct hone_error *err)
{
    struct hone_source_place place;
    enum hone_status status =
        hone_source_place_find(&place, v, result, &result->other, err);
    if (status == HONE_OK) {
        struct json_t *location = location_json(&place);
        hone_json_child(location, "message", message("the result names this line, too"));
        add_location(object, "relatedLocations", location);
    }
    hone_source_place_fini(&place);
    return status;
}

static void add_suppression(struct json_t *object, const struct hone_waiver *waiver)
{
    struct json_t *list = hone_json_array(), *one = hone_json_object();
    hone_json_text(one, "kind", "inSource");
    hone_json_lossy_text(one, "justification", waiver->reason);
    hone_json_append(list, one);
    hone_json_child(object, "suppressions", list);
}

static struct json_t *message_json(const struct hone_verification_result *result,
                                   size_t of)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (result->waiver) {
        char what[256];
        hone_waiver_text(what, sizeof what, result->waiver);
        hone_strbuf_printf(&text, "%s, waived: %s", what, result->waiver->reason);
    } else {
        hone_strbuf_add(&text, result->text);
    }
    hone_strbuf_printf(&text, " (%zu of %zu configurations)", result->count, of);
    struct json_t *json = message(text.data);
    hone_strbuf_fini(&text);
    return json;
}

static enum hone_status add_result(struct json_t *list, const struct hone_verification *v,
                                   const struct hone_verification_result *result,
                                   struct hone_error *err)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "ruleId", hone_verification_result_name(result));
    hone_json_integer(object, "ruleIndex", rule_index(result));
    hone_json_text(object, "level", result->waiver ? "note" : "error");
    hone_json_child(object, "message", message_json(result, v->done));
    hone_json_integer(object, "occurrenceCount", (int64_t)result->count);
    enum hone_status status = add_place(object, v, result, err);
    if (status == HONE_OK && result->other.line)
        status = add_other(object, v, result, err);
    if (result->waiver) add_suppression(object, result->waiver);
    hone_json_append(list, object);
    return status;
}

static enum hone_status add_results(struct json_t *list,
                                    const struct hone_verification *v,
                                    struct hone_error *err)
{
    struct hone_verification_result *results;
    size_t count;
    enum hone_status status = hone_verification_results(&results, &count, v, err);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = add_result(list, v, &results[i], err);
    free(results);
    return status;
}

// ---- the log ----

static struct json_t *run_json(struct json_t *results)
{
    struct json_t *run = hone_json_object(), *tool = hone_json_object();
    struct json_t *driver = hone_json_object();
    hone_json_text(driver, "name", "hone");
    hone_json_text(driver, "version", HONE_VERSION);
    hone_json_child(driver, "rules", rules_json());
    hone_json_child(tool, "driver", driver);
    hone_json_child(run, "tool", tool);
    hone_json_text(run, "columnKind", "utf16CodeUnits");
    hone_json_child(run, "results", results);
    return run;
}

enum hone_status hone_verification_sarif(struct hone_strbuf *out,
                                         const struct hone_verification *v,
                                         struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *runs = hone_json_array();
    struct json_t *results = hone_json_array();
    enum hone_status status = add_results(results, v, err);
    hone_json_append(runs, run_json(results));
    hone_json_text(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    hone_json_text(root, "version", "2.1.0");
    hone_json_child(root, "runs", runs);
    hone_json_line(out, root);
    return status;
}
