// hone check --sarif: what was found as SARIF 2.1.0 (OASIS, sections 3.13 to 3.35), which
// code review and CI show beside the lines. One result a finding, place and buffer,
// however many configurations have it.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/one_of.h"
#include "check_command.h"
#include "hone/version.h"
#include "output.h"
#include "print.h"
#include "record/json_out.h"

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
enum { OTHER_RULES = sizeof other_rules / sizeof *other_rules };

// Findings but NONE come first.
static int64_t rule_index(const struct hone_trial *trial)
{
    if (trial->found->finding != HONE_FINDING_NONE)
        return (int64_t)trial->found->finding - 1;
    int64_t i = 0;
    while (i < OTHER_RULES - 1 && other_rules[i].outcome != trial->outcome)
        i++;
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

// ---- places ----

// The file that a #line directive of the template calls by this name; the template where
// there is none. Freed by the caller; NULL: out of memory.
static char *source_path(const struct hone_verification *v, const char *file)
{
    const char *template = hone_kernel_get_def(v->bench.kernel)->template_path;
    const char *at = hone_kernel_template_text(v->bench.kernel);
    char *folder = hone_path_folder(template), *found = NULL;
    for (; folder && !found && *file && (at = strstr(at, "#line ")); at++) {
        const char *from = at + strcspn(at, "\"\n");
        if (*from++ != '"') continue;
        const char *to = from + strcspn(from, "\"\n");
        char *name = strndup(from, (size_t)(to - from));
        if (name && strcmp(hone_path_base(name), file) == 0)
            found = hone_path_join(folder, name);
        free(name);
        if (found && !hone_file_exists(found)) {
            free(found);
            found = NULL;
        }
    }
    free(folder);
    return found ? found : strdup(template);
}

// Relative to the current folder where it lies in there, else absolute.
static void add_uri(struct hone_strbuf *out, const char *path)
{
    char *real = hone_path_real(path), *here = hone_path_real(".");
    const char *name = real ? real : path;
    const size_t length = here ? strlen(here) : 0;
    if (length && strncmp(name, here, length) == 0 && name[length] == '/')
        name += length + 1;
    else if (*name == '/')
        hone_strbuf_add(out, "file://");
    for (; *name; name++) {
        const unsigned char byte = (unsigned char)*name;
        if (isalnum(byte) || hone_one_of((char)byte, "/-._~"))
            hone_strbuf_add_bytes(out, name, 1);
        else
            hone_strbuf_printf(out, "%%%02X", byte);
    }
    free(real);
    free(here);
}

// The line of text that has a number, without blanks round it.
static const char *line_of(const char *text, uint32_t number, size_t *length)
{
    while (text && number-- > 1) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    if (!text) text = "";
    text += strspn(text, " \t");
    *length = strcspn(text, "\r\n");
    while (*length && isspace((unsigned char)text[*length - 1]))
        --*length;
    return text;
}

// Where the kernel stands, for what was found after it had ended: the first line that
// has its name.
static uint32_t line_of_entry(const char *text, const char *entry)
{
    const char *at = text ? strstr(text, entry) : NULL;
    uint32_t line = 1;
    for (; at && text < at; text++)
        line += *text == '\n';
    return line;
}

// ---- results ----

struct result {
    struct hone_found found;
    int64_t rule;
    const char *text;                 // why
    size_t count;                     // configurations
    const struct hone_waiver *waiver; // NULL: it is none that was waived
};

// The fingerprint stays when lines above are added: it has the line's text, no number.
static void fingerprint(char out[HONE_HASH_TEXT], const struct result *result,
                        const char *uri, const char *text, uint32_t line)
{
    struct hone_hash hash;
    size_t length;
    const char *at = line_of(text, line, &length);
    hone_hash_begin(&hash);
    hone_hash_text(&hash, rule_id(result->rule));
    hone_hash_text(&hash, uri);
    hone_hash_part(&hash, at, length);
    hone_hash_text(&hash, result->found.buffer);
    hone_hash_end(&hash, out);
}

static struct json_t *locations_json(const char *uri, uint32_t line)
{
    struct json_t *list = hone_json_array(), *location = hone_json_object();
    struct json_t *physical = hone_json_object(), *artifact = hone_json_object();
    struct json_t *region = hone_json_object();
    hone_json_text(artifact, "uri", uri);
    hone_json_integer(region, "startLine", line);
    hone_json_child(physical, "artifactLocation", artifact);
    hone_json_child(physical, "region", region);
    hone_json_child(location, "physicalLocation", physical);
    hone_json_append(list, location);
    return list;
}

static void add_place(const struct hone_verification *v, struct json_t *object,
                      const struct result *result)
{
    struct hone_strbuf uri = HONE_STRBUF_INIT;
    char *path = source_path(v, result->found.line ? result->found.file : ""),
         *text = NULL;
    char print[HONE_HASH_TEXT];
    if (path) add_uri(&uri, path);
    if (path) hone_file_read(&text, NULL, path, NULL);
    const uint32_t line =
        result->found.line
            ? result->found.line
            : line_of_entry(text, hone_kernel_get_def(v->bench.kernel)->entry);
    hone_json_child(object, "locations", locations_json(uri.data, line));
    fingerprint(print, result, uri.data, text, line);
    struct json_t *prints = hone_json_object();
    hone_json_text(prints, "honeFinding/v1", print);
    hone_json_child(object, "partialFingerprints", prints);
    hone_strbuf_fini(&uri);
    free(text);
    free(path);
}

static void add_suppression(struct json_t *object, const struct hone_waiver *waiver)
{
    struct json_t *list = hone_json_array(), *one = hone_json_object();
    hone_json_text(one, "kind", "inSource");
    hone_json_lossy_text(one, "justification", waiver->reason);
    hone_json_append(list, one);
    hone_json_child(object, "suppressions", list);
}

static struct json_t *result_json(const struct hone_verification *v,
                                  const struct result *result)
{
    struct json_t *object = hone_json_object();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text, "%s (%zu of %zu configurations)", result->text,
                       result->count, v->done);
    hone_json_text(object, "ruleId", rule_id(result->rule));
    hone_json_integer(object, "ruleIndex", result->rule);
    hone_json_text(object, "level", result->waiver ? "note" : "error");
    hone_json_child(object, "message", message(text.data));
    hone_json_integer(object, "occurrenceCount", (int64_t)result->count);
    add_place(v, object, result);
    if (result->waiver) add_suppression(object, result->waiver);
    hone_strbuf_fini(&text);
    return object;
}

static bool same_found(const struct hone_found *a, const struct hone_found *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->buffer, b->buffer) == 0;
}

// A compiler's text begins with the place: "k.cu:12: ...".
static struct hone_found find_place(const struct hone_trial *trial)
{
    struct hone_found found = *trial->found;
    const char *colon = strchr(trial->reason, ':');
    if (found.finding != HONE_FINDING_NONE || !colon) return found;
    char *end = NULL;
    const unsigned long line = strtoul(colon + 1, &end, 10);
    const size_t length = (size_t)(colon - trial->reason);
    if (end == colon + 1 || *end != ':' || !line || line > INT32_MAX ||
        length >= sizeof found.file)
        return found;
    found.line = (uint32_t)line;
    memcpy(found.file, trial->reason, length);
    found.file[length] = '\0';
    return found;
}

// Each failure counts where an earlier one of its kind and place stands.
static size_t find_results(const struct hone_verification *v, struct result *out)
{
    size_t count = 0;
    for (size_t i = 0; i < v->done; i++) {
        const struct hone_trial *trial = &v->trials[i];
        if (!hone_outcome_is_failure(trial->outcome)) continue;
        const int64_t rule = rule_index(trial);
        const struct hone_found found = find_place(trial);
        size_t k = 0;
        while (k < count && (out[k].rule != rule || !same_found(&out[k].found, &found)))
            k++;
        if (k == count)
            out[count++] =
                (struct result){.found = found, .rule = rule, .text = trial->reason};
        out[k].count++;
    }
    return count;
}

static struct json_t *waived_json(const struct hone_verification *v, size_t i)
{
    const struct hone_waiver *waiver = &hone_kernel_get_def(v->bench.kernel)->waivers[i];
    struct result result = {.found = {.finding = waiver->finding, .line = waiver->line},
                            .rule = (int64_t)waiver->finding - 1,
                            .count = v->waived[i],
                            .waiver = waiver};
    char what[256];
    hone_waiver_text(what, sizeof what, waiver);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text, "%s, waived: %s", what, waiver->reason);
    result.text = text.data;
    if (waiver->file)
        snprintf(result.found.file, sizeof result.found.file, "%s", waiver->file);
    else
        snprintf(result.found.buffer, sizeof result.found.buffer, "%s", waiver->buffer);
    struct json_t *json = result_json(v, &result);
    hone_strbuf_fini(&text);
    return json;
}

static enum hone_status results_json(const struct hone_verification *v,
                                     struct json_t *list, struct hone_error *err)
{
    struct result *results = calloc(v->done + 1, sizeof *results);
    if (!results) return hone_no_memory(err, "for findings");
    const size_t count = find_results(v, results);
    for (size_t i = 0; i < count; i++)
        hone_json_append(list, result_json(v, &results[i]));
    for (size_t i = 0; i < hone_kernel_get_def(v->bench.kernel)->waiver_count; i++)
        if (v->waived[i]) hone_json_append(list, waived_json(v, i));
    free(results);
    return HONE_OK;
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

enum hone_status check_write_sarif(const struct hone_verification *v, const char *path,
                                   struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *runs = hone_json_array();
    struct json_t *results = hone_json_array();
    enum hone_status status = results_json(v, results, err);
    hone_json_append(runs, run_json(results));
    hone_json_text(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    hone_json_text(root, "version", "2.1.0");
    hone_json_child(root, "runs", runs);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_json_line(&text, root);
    if (status == HONE_OK) status = cli_output_write(path, &text, err);
    hone_strbuf_fini(&text);
    return status;
}
