// What was found, counted: failures by their cause, and what valid ones leave unwritten.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "tuning/verification.h"

bool hone_outcome_is_failure(enum hone_outcome outcome)
{
    return outcome != HONE_VALID && outcome != HONE_REJECTED &&
           outcome != HONE_UNSUPPORTED;
}

bool hone_verification_judges(const struct hone_verification *v)
{
    return hone_kernel_get_def(v->bench.kernel)->reference.template_path != NULL;
}

static const char *skip_number(const char *p)
{
    while (hone_is_digit(*p) || (*p == '.' && hone_is_digit(p[1])))
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

static void add_cause(struct hone_failure_causes *causes, const struct hone_trial *trial)
{
    char text[HONE_REASON_MAX];
    general_reason(text, trial->reason);
    for (size_t i = 0; i < causes->count; i++) {
        struct hone_failure_cause *cause = &causes->items[i];
        if (cause->outcome != trial->outcome || strcmp(cause->text, text) != 0) continue;
        cause->count++;
        return;
    }
    struct hone_failure_cause *fresh = &causes->items[causes->count++];
    *fresh = (struct hone_failure_cause){
        .outcome = trial->outcome, .count = 1, .example = trial};
    memcpy(fresh->text, text, sizeof text);
}

// The most frequent first, then in the order of their examples.
static int by_count(const void *a, const void *b)
{
    const struct hone_failure_cause *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return (x->example > y->example) - (x->example < y->example);
}

struct hone_failure_causes hone_failure_causes(const struct hone_verification *v)
{
    struct hone_failure_causes causes = {.items =
                                             calloc(v->done + 1, sizeof *causes.items)};
    for (size_t i = 0; causes.items && i < v->done; i++)
        if (v->trials[i].outcome != HONE_VALID) add_cause(&causes, &v->trials[i]);
    if (causes.count) qsort(causes.items, causes.count, sizeof *causes.items, by_count);
    return causes;
}

size_t hone_verification_alike(const struct hone_verification *v, size_t i)
{
    size_t alike = 0;
    const char *text = v->trials[i].fidelity;
    if (v->trials[i].outcome != HONE_VALID || !text[0]) return 0;
    for (size_t k = 0; k < v->done; k++) {
        const struct hone_trial *trial = &v->trials[k];
        if (trial->outcome != HONE_VALID || strcmp(trial->fidelity, text) != 0) continue;
        if (k < i) return 0;
        alike++;
    }
    return alike;
}

int32_t hone_trial_unwritten_shared(const struct hone_trial *trial)
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

size_t hone_verification_unwritten_shared(const struct hone_verification *v,
                                          const struct hone_trial **most)
{
    size_t count = 0;
    *most = NULL;
    for (size_t i = 0; i < v->done; i++) {
        const struct hone_trial *trial = &v->trials[i];
        const int32_t bytes = hone_trial_unwritten_shared(trial);
        if (trial->outcome != HONE_VALID || !bytes) continue;
        count++;
        if (!*most || bytes > hone_trial_unwritten_shared(*most)) *most = trial;
    }
    return count;
}

size_t hone_verification_estimated(const struct hone_verification *v)
{
    size_t count = 0;
    for (size_t i = 0; i < v->done; i++)
        count += v->trials[i].outcome == HONE_VALID && v->trials[i].resources.estimated;
    return count;
}

size_t hone_verification_unwritten_outputs(const struct hone_verification *v,
                                           double *most)
{
    size_t count = 0;
    *most = 0;
    for (size_t i = 0; i < v->done; i++) {
        const double n = hone_trial_metric(&v->trials[i], HONE_METRIC_UNWRITTEN, 0);
        if (v->trials[i].outcome != HONE_VALID || !(n > 0)) continue;
        count++;
        if (n > *most) *most = n;
    }
    return count;
}

size_t hone_verification_unturned(const struct hone_verification *v, double *fewest)
{
    size_t count = 0;
    *fewest = 0;
    for (size_t i = 0; i < v->done; i++) {
        const double blocks = hone_trial_metric(&v->trials[i], HONE_METRIC_UNTURNED, 0);
        if (v->trials[i].outcome != HONE_VALID || !(blocks > 0)) continue;
        if (!count++ || blocks < *fewest) *fewest = blocks;
    }
    return count;
}

size_t hone_verification_unwaived(const struct hone_verification *v,
                                  const struct hone_waiver *waiver,
                                  const struct hone_trial **first)
{
    size_t count = 0;
    *first = NULL;
    for (size_t i = 0; i < v->done; i++) {
        const struct hone_trial *trial = &v->trials[i];
        if (trial->outcome == HONE_VALID || trial->found->finding != waiver->finding)
            continue;
        if (!count++) *first = trial;
    }
    return count;
}

size_t hone_verification_skips(const struct hone_verification *v, size_t size)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    size_t skips = 0;
    for (size_t i = 0; i < v->done; i++) {
        bool allowed = true;
        hone_kernel_allows(v->bench.kernel, v->trials[i].index, &def->verify[size],
                           &allowed, NULL);
        skips += !allowed;
    }
    return skips;
}

struct hone_lost_name hone_lost_name(const struct hone_kernel_def *def,
                                     const char *reason)
{
    static const char before[] = "identifier \"";
    struct hone_lost_name out = {0};
    const char *at = strstr(reason, before);
    if (!at || !strstr(at, "\" is undefined")) return out;
    at += sizeof before - 1;
    snprintf(out.name, sizeof out.name, "%.*s", (int)strcspn(at, "\""), at);
    for (size_t i = 0; i < def->space.derived_count; i++)
        if (strcmp(def->space.derived[i].name, out.name) == 0)
            out.derived = &def->space.derived[i];
    for (size_t i = 0; i < def->problem_count; i++)
        out.is_size |= strcmp(def->space.constants[i].name, out.name) == 0;
    return out;
}
