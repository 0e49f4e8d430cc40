// An explanation as people read it.
#include "print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/quantity.h"
#include "insight/beside.h"
#include "insight/roles.h"
#include "report/values.h"
#include "terminal.h"
#include "tuning/parts.h"

/* --- the configuration --- */

static void print_page(const char *section)
{
    printf(" (docs/causes.md#%s)\n", section);
}

// Text in lines of the terminal's width, or of 80 columns, behind indent.
static void print_wrapped(struct hone_strbuf *text, const char *indent)
{
    struct hone_strbuf lines = HONE_STRBUF_INIT;
    if (text->len)
        hone_text_wrap(&lines, text->data, strlen(indent), strlen(indent),
                       (size_t)cli_text_columns());
    if (lines.len) printf("%s%s\n", indent, lines.data);
    hone_strbuf_fini(&lines);
    hone_strbuf_fini(text);
}

static void print_choices(const struct hone_explanation *e,
                          const struct hone_trial *trial)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_recording_space(e->recording), trial->index);
    print_wrapped(&config, "  ");
}

static void print_head(const struct hone_explanation *e)
{
    const struct hone_record_info *info = hone_recording_info(e->recording);
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    const struct hone_trial *trial = e->subject.trial, *base = e->base.trial;
    hone_problem_text(&problem, info);
    printf("%s on %s%s%s: %s", info->kernel, hone_device_text(info->device_name),
           problem.len ? ", problem " : "", problem.len ? problem.data : "",
           hone_cost_text(trial).text);
    if (base == trial)
        printf(", the default");
    else if (base)
        printf("; the default %s, %.3gx", hone_cost_text(base).text,
               hone_trial_cost(base) / hone_trial_cost(trial));
    printf("\n");
    print_choices(e, trial);
    if (e->subject.counted && e->subject.counted != trial)
        printf("  counts are of the emulator, which predicts %s us\n",
               hone_plain(e->subject.counted->predicted_us, 4).text);
    hone_strbuf_fini(&problem);
}

static void print_limit(const struct hone_explanation *e)
{
    struct hone_strbuf words = HONE_STRBUF_INIT;
    const enum hone_limit limit = e->subject.diagnosis.usage.limit;
    printf("limit: ");
    cli_print_styled(stdout, HONE_STYLE_HEADING, "%s", hone_limit_text(limit));
    print_page(hone_limit_section(limit));
    hone_limit_words(&words, &e->subject);
    print_wrapped(&words, "  ");
}

static void print_roles(const struct hone_explanation *e)
{
    struct hone_strbuf words = HONE_STRBUF_INIT;
    struct hone_roles roles;
    if (!e->subject.counted || !hone_roles_find(&roles, e->subject.counted)) return;
    printf("roles of warps: all wait for ");
    cli_print_styled(stdout, HONE_STYLE_HEADING, "%s", hone_role_text(roles.limit));
    print_page("warps-with-roles");
    hone_roles_words(&words, &e->subject);
    print_wrapped(&words, "  ");
}

static void add_part(struct hone_columns *table, const struct hone_explained *explained,
                     enum hone_limit limit)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    const double us = usage->part_us[limit];
    if (isnan(us)) {
        HONE_COLUMNS_ADD_TEXTS(table, "-", "-");
        return;
    }
    hone_columns_add(table, "%s", hone_plain(us, 4).text);
    hone_columns_add(table, "%.0f %%", 100 * us / usage->us);
}

// Parts that neither configuration uses are left out.
static void print_parts(const struct hone_explanation *e)
{
    const bool both = e->base.trial && e->base.trial != e->subject.trial;
    struct hone_columns table = {.sides = both ? "lrrrr" : "lrr"};
    if (!e->subject.diagnosis.usage.counted) return;
    HONE_COLUMNS_ADD_TEXTS(&table, "alone at its peak (model)", "us", "share");
    if (both) HONE_COLUMNS_ADD_TEXTS(&table, "default us", "share");
    for (enum hone_limit i = 0; i < HONE_LIMIT_UNKNOWN; i++) {
        const double own = e->subject.diagnosis.usage.part_us[i];
        const double other = both ? e->base.diagnosis.usage.part_us[i] : 0;
        if (!(own > 0) && !(other > 0)) continue;
        hone_columns_add(&table, "%s", hone_limit_text(i));
        add_part(&table, &e->subject, i);
        if (both) add_part(&table, &e->base, i);
    }
    cli_print_columns(&table, stdout, "  ");
}

static void print_counters(const struct hone_explanation *e)
{
    struct hone_beside list[HONE_BESIDE_MAX];
    struct hone_columns table = {.sides = "lrrl"};
    const size_t count = hone_beside_find(list, &e->subject);
    if (!count) return;
    HONE_COLUMNS_ADD_TEXTS(&table, "counters of a launch", "GPU", "emulator", "unit");
    for (size_t i = 0; i < count; i++) {
        hone_columns_add(&table, "%s", list[i].text);
        hone_columns_add_number(&table, list[i].counted, 4);
        hone_columns_add_number(&table, list[i].emulated, 4);
        hone_columns_add(&table, "%s", list[i].unit);
    }
    cli_print_columns(&table, stdout, "  ");
}

static void print_roofline(const struct hone_explanation *e)
{
    struct hone_strbuf words = HONE_STRBUF_INIT;
    hone_roofline_words(&words, &e->subject);
    if (words.len) printf("roofline: %s\n", words.data);
    hone_strbuf_fini(&words);
}

/* --- parameters --- */

static struct hone_value_text ratio_text(double ratio, const char *how)
{
    struct hone_value_text out = {"not tried"};
    if (isinf(ratio))
        out = (struct hone_value_text){"not valid"};
    else if (!isnan(ratio))
        hone_snprintf(out.text, sizeof out.text, "%s %+.3g %%", how, 100 * (ratio - 1));
    return out;
}

static const struct hone_param *param_of(const struct hone_explanation *e, size_t param)
{
    return hone_space_param(hone_recording_space(e->recording), param);
}

static void print_mover(const struct hone_explanation *e,
                        const struct hone_found_cause *cause)
{
    const struct hone_neighbour *mover = hone_explanation_mover(e, cause);
    if (!mover) return;
    const struct hone_param *p = param_of(e, mover->param);
    printf("     without it: %s=%s, %s\n", p->name,
           hone_value_text(p->values[mover->value]).text,
           ratio_text(mover->ratio, hone_how_known(mover->trial)).text);
}

static void print_causes(const struct hone_explanation *e)
{
    const struct hone_diagnosis *diagnosis = &e->subject.diagnosis;
    if (!diagnosis->cause_count) {
        printf("causes: none that %s\n", diagnosis->usage.counted
                                             ? "costs 5 % by the model"
                                             : "the journal tells without counts");
        return;
    }
    printf("causes:\n");
    for (size_t i = 0; i < diagnosis->cause_count; i++) {
        const struct hone_found_cause *cause = &diagnosis->causes[i];
        struct hone_strbuf words = HONE_STRBUF_INIT;
        printf("  %zu. ", i + 1);
        cli_print_styled(stdout, HONE_STYLE_WARNING, "%s", hone_cause_text(cause->cause));
        if (!isnan(cause->gain))
            printf(": %.0f %% of the time goes without it, by the model",
                   100 * cause->gain);
        print_page(hone_cause_section(cause->cause));
        hone_cause_words(&words, cause, &e->subject);
        print_wrapped(&words, "     ");
        print_mover(e, cause);
    }
}

static void print_differences(const struct hone_explanation *e)
{
    struct hone_columns table = {.sides = "lll"};
    const char *how = hone_how_known(e->subject.trial);
    if (!e->difference_count) return;
    printf("against the default, one at a time:\n");
    HONE_COLUMNS_ADD_TEXTS(&table, "parameter", "this one with the default's",
                           "the default with this one's");
    for (size_t i = 0; i < e->difference_count; i++) {
        const struct hone_config_difference *d = &e->differences[i];
        const struct hone_param *p = param_of(e, d->param);
        hone_columns_add(&table, "%s %s to %s", p->name,
                         hone_value_text(p->values[d->from]).text,
                         hone_value_text(p->values[d->to]).text);
        HONE_COLUMNS_ADD_TEXTS(&table, ratio_text(d->back, how).text,
                               ratio_text(d->alone, how).text);
    }
    cli_print_columns(&table, stdout, "  ");
}

static void print_neighbours(const struct hone_explanation *e)
{
    struct hone_columns table = {.sides = "ll"};
    const struct hone_neighbours *all = &e->neighbours;
    if (!all->count) {
        printf("neighbours: none was tried\n");
        return;
    }
    printf("neighbours, which differ in one parameter:\n");
    for (size_t i = 0; i < all->count; i++) {
        const struct hone_neighbour *n = &all->items[i];
        const struct hone_param *p = param_of(e, n->param);
        hone_columns_add(&table, "%s=%s", p->name,
                         hone_value_text(p->values[n->value]).text);
        hone_columns_add(&table, "%s",
                         n->trial->outcome == HONE_VALID
                             ? ratio_text(n->ratio, hone_how_known(n->trial)).text
                             : hone_outcome_name(n->trial->outcome));
    }
    cli_print_columns(&table, stdout, "  ");
}

static void print_shapes(const struct hone_shapes *shapes)
{
    struct hone_columns table = {.sides = "lrll"};
    if (!shapes->count) {
        printf("shapes: of %zu nearby sizes none is 5 %% faster (predicted)\n",
               shapes->tried);
        return;
    }
    printf("shapes: the same configuration at nearby sizes (predicted)\n");
    for (size_t i = 0; i < shapes->count; i++) {
        const struct hone_shape *s = &shapes->items[i];
        hone_columns_add(&table, "%s", s->text);
        hone_columns_add(&table, "%s us", hone_plain(s->us, 4).text);
        hone_columns_add(&table, "%+.3g %%", 100 * (s->ratio - 1));
        if (isnan(s->per_work))
            hone_columns_add(&table, "the script tells no work");
        else
            hone_columns_add(&table, "%+.3g %% for the same work",
                             100 * (s->per_work - 1));
    }
    cli_print_columns(&table, stdout, "  ");
}

void cli_print_explanation(const struct hone_explanation *e,
                           const struct hone_shapes *shapes)
{
    cli_terminal_fold();
    print_head(e);
    if (e->machine_known) {
        print_limit(e);
        print_roles(e);
        print_parts(e);
        print_counters(e);
        print_roofline(e);
        print_causes(e);
    } else {
        printf("limit: not known, as is what the device can do\n");
        print_counters(e);
    }
    print_differences(e);
    print_neighbours(e);
    if (shapes) print_shapes(shapes);
}
