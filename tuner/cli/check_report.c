// What hone check found: outcomes, where the time went, and failures by their cause.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_command.h"
#include "print.h"
#include "record/json_out.h"

enum { CAUSES_SHOWN = 20, TEXT_WIDTH = 100 };

// Trials that failed alike.
struct cause {
    enum hone_outcome outcome;
    char text[HONE_REASON_MAX];
    size_t count;
    const struct hone_trial *example; // the first
};

struct causes {
    struct cause *items;
    size_t count;
};

static const char *skip_number(const char *p)
{
    while (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
        p++;
    return p;
}

// A reason without what differs from one configuration to the next: its numbers, and the
// place it was found at.
static void general_reason(char *out, const char *reason)
{
    const char *end = strstr(reason, " at block (");
    for (const char *p = reason; !end && (p = strstr(p, ", at ")); p++)
        if (strchr(p, '=')) end = p;
    if (!end) end = reason + strlen(reason);
    while (reason < end) {
        const char *digits = *reason == '-' ? reason + 1 : reason;
        const char *after = skip_number(digits);
        *out++ = after > digits ? '#' : *reason;
        reason = after > digits ? after : reason + 1;
    }
    *out = '\0';
}

static void add_cause(struct causes *causes, const struct hone_trial *trial)
{
    char text[HONE_REASON_MAX];
    general_reason(text, trial->reason);
    for (size_t i = 0; i < causes->count; i++) {
        struct cause *cause = &causes->items[i];
        if (cause->outcome != trial->outcome || strcmp(cause->text, text) != 0) continue;
        cause->count++;
        return;
    }
    struct cause *fresh = &causes->items[causes->count++];
    *fresh = (struct cause){.outcome = trial->outcome, .count = 1, .example = trial};
    memcpy(fresh->text, text, sizeof text);
}

// The most frequent first, then in the order of their examples.
static int by_count(const void *a, const void *b)
{
    const struct cause *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return (x->example > y->example) - (x->example < y->example);
}

// Of every trial that is not valid; free items.
static struct causes find_causes(const struct check *c)
{
    struct causes causes = {.items = calloc(c->done + 1, sizeof *causes.items)};
    for (size_t i = 0; causes.items && i < c->done; i++)
        if (c->trials[i].outcome != HONE_VALID) add_cause(&causes, &c->trials[i]);
    if (causes.count) qsort(causes.items, causes.count, sizeof *causes.items, by_count);
    return causes;
}

// ---- fidelity ----

// How many of the valid trials say what the i-th one says; 0 when one before it does.
static size_t count_alike(const struct check *c, size_t i)
{
    size_t alike = 0;
    const char *text = c->trials[i].fidelity;
    if (c->trials[i].outcome != HONE_VALID || !text[0]) return 0;
    for (size_t k = 0; k < c->done; k++) {
        const struct hone_trial *trial = &c->trials[k];
        if (trial->outcome != HONE_VALID || strcmp(trial->fidelity, text) != 0) continue;
        if (k < i) return 0;
        alike++;
    }
    return alike;
}

static struct json_t *fidelity_json(const struct check *c)
{
    struct json_t *object = hone_json_object();
    for (size_t i = 0; i < c->done; i++) {
        const size_t alike = count_alike(c, i);
        if (alike) hone_json_integer(object, c->trials[i].fidelity, (int64_t)alike);
    }
    return object;
}

static void print_fidelity(const struct check *c, FILE *file)
{
    for (size_t i = 0; i < c->done; i++) {
        const size_t alike = count_alike(c, i);
        if (alike) fprintf(file, "  fidelity: %zu %s\n", alike, c->trials[i].fidelity);
    }
}

// ---- shared memory ----

int32_t check_unwritten_bytes(const struct hone_trial *trial)
{
    enum { FEW = 256 }; // padding at the end of a tile's last row
    const int32_t all = trial->resources.dynamic_shared_bytes;
    for (size_t i = 0; i < trial->metric_count; i++) {
        const struct hone_metric *metric = &trial->metrics[i];
        if (strcmp(metric->name, HONE_METRIC_SHARED_WRITTEN) != 0) continue;
        const int32_t unwritten = all - (int32_t)metric->value;
        return unwritten > FEW && unwritten > all / 16 ? unwritten : 0;
    }
    return 0;
}

static void print_unwritten(const struct check *c, FILE *file)
{
    const struct hone_trial *most = NULL;
    size_t count = 0;
    for (size_t i = 0; i < c->done; i++) {
        const int32_t bytes = check_unwritten_bytes(&c->trials[i]);
        if (c->trials[i].outcome != HONE_VALID || !bytes) continue;
        count++;
        if (!most || bytes > check_unwritten_bytes(most)) most = &c->trials[i];
    }
    if (!most) return;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    cli_config_text(&config, c->bench.space, most->index);
    fprintf(file,
            "  shared memory: %zu ask for more than they write, most %d of %d bytes\n"
            "      %s\n",
            count, (int)check_unwritten_bytes(most),
            (int)most->resources.dynamic_shared_bytes, config.data);
    hone_strbuf_fini(&config);
}

// ---- what could not be judged ----

bool check_judges(const struct check *c)
{
    return hone_kernel_get_def(c->bench.kernel)->reference.template_path != NULL;
}

static double unwritten_outputs(const struct hone_trial *trial)
{
    for (size_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, HONE_METRIC_UNWRITTEN) == 0)
            return trial->metrics[i].value;
    return 0;
}

// How many leave elements of outputs as they were, and the most that one does.
static size_t count_unwritten(const struct check *c, double *most)
{
    size_t count = 0;
    *most = 0;
    for (size_t i = 0; i < c->done; i++) {
        const double n = unwritten_outputs(&c->trials[i]);
        if (c->trials[i].outcome != HONE_VALID || !(n > 0)) continue;
        count++;
        if (n > *most) *most = n;
    }
    return count;
}

static void print_unjudged(const struct check *c, FILE *file)
{
    double most;
    if (check_judges(c)) return;
    const size_t count = count_unwritten(c, &most);
    fprintf(file, "  no reference: values were not judged\n");
    if (count)
        fprintf(
            file,
            "  note: %zu leave elements of outputs unwritten, at most %.0f; whether they "
            "may was not judged\n",
            count, most);
}

static struct json_t *unjudged_json(const struct check *c)
{
    double most;
    struct json_t *object = hone_json_object();
    hone_json_text(object, "why", "no reference: values were not judged");
    hone_json_integer(object, "leave_outputs_unwritten",
                      (int64_t)count_unwritten(c, &most));
    hone_json_integer(object, "unwritten_at_most", (int64_t)most);
    return object;
}

// ---- text ----

// Text from a column on, in lines of TEXT_WIDTH, the next indented; words stay whole.
static void print_wrapped(FILE *file, const char *text, size_t column)
{
    const char *space = "";
    while (*text) {
        const size_t word = strcspn(text, " \n");
        if (*space && column + 1 + word > TEXT_WIDTH) {
            column = (size_t)fprintf(file, "\n      ") - 1;
            space = "";
        }
        column += (size_t)fprintf(file, "%s%.*s", space, (int)word, text);
        text += word;
        text += strspn(text, " \n");
        space = " ";
    }
    fputc('\n', file);
}

// Its first configuration with its whole reason, as a place without numbers is none.
static void print_cause(const struct check *c, const struct cause *cause, FILE *file)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    cli_config_text(&config, c->bench.space, cause->example->index);
    const int column =
        fprintf(file, "  %zu %s: ", cause->count, hone_outcome_name(cause->outcome));
    print_wrapped(file, cause->example->reason, column > 0 ? (size_t)column : 0);
    if (config.len)
        fprintf(file, "      %s%s\n", cause->count > 1 ? "first: " : "", config.data);
    hone_strbuf_fini(&config);
}

static void print_same(const struct check *c, FILE *file)
{
    const struct check_same *same = &c->same;
    if (!same->recording) return;
    fprintf(file,
            "  compared with %s: %zu of %zu have the same bits, %zu differ and may\n",
            c->args->same_as, same->equal, c->done, same->apart);
}

// A waiver that let nothing pass: the findings of its kind are elsewhere, or there are
// none.
static void print_unused_waiver(const struct check *c, size_t index, FILE *file)
{
    const struct hone_waiver *waiver =
        &hone_kernel_get_def(c->bench.kernel)->waivers[index];
    const struct hone_trial *first = NULL;
    size_t count = 0;
    char text[256];
    hone_waiver_text(text, sizeof text, waiver);
    for (size_t i = 0; i < c->done; i++) {
        const struct hone_trial *trial = &c->trials[i];
        if (trial->outcome == HONE_VALID || trial->found.finding != waiver->finding)
            continue;
        if (!count++) first = trial;
    }
    fprintf(file, "  waiver %zu (%s) ", index + 1, text);
    if (!first) {
        fprintf(file, "was not needed\n");
        return;
    }
    fprintf(file, "fits none of %zu configuration%s with that finding", count,
            count == 1 ? "" : "s");
    if (first->found.file[0])
        fprintf(file, ", found at %s:%u", first->found.file, first->found.line);
    if (first->found.buffer[0]) fprintf(file, " in buffer %s", first->found.buffer);
    fprintf(file, "\n");
}

// A device that does not look for races has no use for waivers and cannot tell, nor can a
// check that was interrupted.
static void print_waivers(const struct check *c, FILE *file)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(c->bench.kernel);
    cli_print_waivers(file, def->waivers, def->waiver_count, c->waived);
    if (c->done < c->count || strncmp(c->crew.device, "emu:", 4) != 0) return;
    for (size_t i = 0; i < def->waiver_count; i++)
        if (!c->waived[i]) print_unused_waiver(c, i, file);
}

void check_print_text(const struct check *c, FILE *file)
{
    struct hone_strbuf outcomes = HONE_STRBUF_INIT;
    struct causes causes = find_causes(c);
    cli_outcomes_text(&outcomes, c->outcomes);
    fprintf(file, "%s on %s: %zu of %llu configurations checked in %.1f s: %s\n",
            c->args->words.items[0], c->crew.device, c->done,
            (unsigned long long)hone_space_count(c->bench.space), c->seconds,
            outcomes.data);
    fprintf(file, "  thread time: %.1f s building, %.1f s verifying\n", c->build_seconds,
            c->verify_seconds);
    cli_print_sizes(file, &c->sizes, check_seed(c));
    print_unjudged(c, file);
    print_fidelity(c, file);
    print_same(c, file);
    print_unwritten(c, file);
    for (size_t i = 0; i < causes.count && i < CAUSES_SHOWN; i++)
        print_cause(c, &causes.items[i], file);
    if (causes.count > CAUSES_SHOWN)
        fprintf(file, "  and %zu more causes\n", causes.count - CAUSES_SHOWN);
    print_waivers(c, file);
    free(causes.items);
    hone_strbuf_fini(&outcomes);
}

// ---- JSON ----

static struct json_t *same_json(const struct check *c)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "journal", c->args->same_as);
    hone_json_integer(object, "equal", (int64_t)c->same.equal);
    hone_json_integer(object, "may_differ", (int64_t)c->same.apart);
    return object;
}

static struct json_t *causes_json(const struct check *c)
{
    struct json_t *array = hone_json_array();
    struct causes causes = find_causes(c);
    for (size_t i = 0; i < causes.count; i++) {
        const struct cause *cause = &causes.items[i];
        struct json_t *object = hone_json_object();
        hone_json_integer(object, "count", (int64_t)cause->count);
        hone_json_text(object, "outcome", hone_outcome_name(cause->outcome));
        hone_json_text(object, "cause", cause->text);
        hone_json_text(object, "reason", cause->example->reason);
        hone_json_child(object, "example",
                        cli_config_json(c->bench.space, cause->example->index));
        hone_json_append(array, object);
    }
    free(causes.items);
    return array;
}

enum hone_status check_print_json(const struct check *c, struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(c->bench.kernel);
    struct json_t *root = hone_json_object(), *failures = hone_json_array();
    hone_json_text(root, "script", c->args->words.items[0]);
    hone_json_text(root, "device", c->crew.device);
    hone_json_integer(root, "checked", (int64_t)c->done);
    hone_json_integer(root, "valid_in_space", (int64_t)hone_space_count(c->bench.space));
    hone_json_number(root, "seconds", c->seconds);
    hone_json_number(root, "build_seconds", c->build_seconds);
    hone_json_number(root, "verify_seconds", c->verify_seconds);
    hone_json_child(root, "outcomes", cli_outcomes_json(c->outcomes));
    hone_json_bool(root, "values_judged", check_judges(c));
    hone_json_child(root, "sizes", cli_sizes_json(&c->sizes, check_seed(c)));
    if (!check_judges(c)) hone_json_child(root, "unjudged", unjudged_json(c));
    hone_json_child(root, "causes", causes_json(c));
    hone_json_child(root, "fidelity", fidelity_json(c));
    if (def->waiver_count)
        hone_json_child(root, "waive",
                        cli_waivers_json(def->waivers, def->waiver_count, c->waived));
    if (c->same.recording) hone_json_child(root, "same_as", same_json(c));
    for (size_t i = 0; i < c->done; i++)
        if (c->trials[i].outcome != HONE_VALID)
            hone_json_append(failures, cli_trial_json(c->bench.space, &c->trials[i]));
    hone_json_child(root, "not_valid", failures);
    return hone_json_print(root, stdout, err);
}
