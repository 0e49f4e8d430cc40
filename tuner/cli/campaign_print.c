#include "campaign_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "print.h"
#include "terminal.h"

static const enum hone_style styles[HONE_RUN_PHASES] = {
    [HONE_RUN_DONE] = HONE_STYLE_GOOD,
    [HONE_RUN_FAILED] = HONE_STYLE_BAD,
    [HONE_RUN_STALE] = HONE_STYLE_WARNING,
    [HONE_RUN_CANCELLED] = HONE_STYLE_WARNING};

// "2.5 h"
static struct hone_plain time_text(double seconds)
{
    static const struct {
        double seconds;
        const char *unit;
    } units[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {0, "s"}};
    struct hone_plain text;
    size_t i = 0;
    while (units[i].seconds > 0 && seconds < 2 * units[i].seconds)
        i++;
    const double unit = units[i].seconds > 0 ? units[i].seconds : 1;
    snprintf(text.text, sizeof text.text, "%.24s %s", hone_plain(seconds / unit, 2).text,
             units[i].unit);
    return text;
}

// "12.3 us (predicted), 1.41x"
static void add_found(struct hone_strbuf *out, const struct hone_run_figures *figures)
{
    if (!(figures->best > 0)) return;
    hone_strbuf_printf(out, "%s us%s", hone_plain(figures->best, 4).text,
                       figures->predicted ? " (predicted)" : "");
    if (figures->gain > 0)
        hone_strbuf_printf(out, ", %sx", hone_plain(figures->gain, 3).text);
}

// What there is to say of a run besides its state.
static void add_note(struct hone_strbuf *out, const struct hone_run_state *state)
{
    add_found(out, &state->figures);
    const char *gap = out->len ? "; " : "";
    switch (state->phase) {
    case HONE_RUN_RUNNING:
    case HONE_RUN_STALE:
        hone_strbuf_printf(out, "%s%" PRIu64 " trials, the last %s ago, on %s%s%s", gap,
                           state->figures.trials, time_text(state->age).text, state->host,
                           state->job[0] ? ", job " : "", state->job);
        break;
    case HONE_RUN_QUEUED:
        hone_strbuf_printf(out, "%sjob %s", gap, state->job);
        break;
    case HONE_RUN_WAITING:
    case HONE_RUN_INTERRUPTED:
    case HONE_RUN_FAILED:
    case HONE_RUN_CANCELLED:
        if (state->tries)
            hone_strbuf_printf(out, "%sfailed %u time%s, last on %s", gap, state->tries,
                               cli_plural(state->tries), state->host);
        if (state->reason[0])
            hone_strbuf_printf(out, "%s%s", out->len ? ": " : "", state->reason);
        break;
    case HONE_RUN_DONE:
    case HONE_RUN_PHASES:
        break;
    }
}

static void print_runs(const struct campaign *c)
{
    const struct hone_campaign *campaign = c->campaign;
    struct hone_columns table = {.sides = "lllll"};
    for (size_t i = 0; i < campaign->run_count; i++) {
        const struct hone_campaign_run *run = &campaign->runs[i];
        const struct hone_run_state *state = &c->overview.states[i];
        struct hone_strbuf problem = HONE_STRBUF_INIT, note = HONE_STRBUF_INIT;
        if (!c->chosen[i]) continue;
        hone_run_problem_text(&problem, campaign, run);
        add_note(&note, state);
        hone_columns_add(&table, "%.8s", run->id);
        hone_columns_add(&table, "%s", hone_run_phase_name(state->phase));
        hone_columns_style(&table, styles[state->phase]);
        hone_columns_add(&table, "%s", campaign->sources[run->kernel].result);
        hone_columns_add(&table, "%s", campaign->def->devices[run->device].label);
        hone_columns_add_rest(&table, "%s%s%s", problem.data, note.len ? "  " : "",
                              note.data);
        hone_strbuf_fini(&problem);
        hone_strbuf_fini(&note);
    }
    cli_print_columns(&table, stdout, "");
}

static void print_sum(const struct campaign *c)
{
    const struct hone_overview *o = &c->overview;
    printf("%zu run%s", o->counted, cli_plural(o->counted));
    for (int i = 0; i < HONE_RUN_PHASES; i++)
        if (o->counts[i])
            printf(", %zu %s", o->counts[i], hone_run_phase_name((enum hone_run_phase)i));
    printf("\n");
    if (isfinite(o->left_s) && o->left_s > 0)
        printf("what is left takes about %s one by one, as those took that are done\n",
               time_text(o->left_s).text);
    if (o->superseded)
        printf("%zu run%s of before a change of script, problem or options: kept in %s\n",
               o->superseded, cli_plural(o->superseded), c->campaign->state);
}

void campaign_print_plan(const struct campaign *c)
{
    cli_terminal_fold();
    print_runs(c);
    print_sum(c);
    if (isnan(c->overview.left_s))
        printf("how long that takes is not known: none is done yet\n");
}

void campaign_print_status(const struct campaign *c)
{
    cli_terminal_fold();
    print_runs(c);
    print_sum(c);
}

// --- run ---

void campaign_print_told(void *context, enum hone_told what, size_t number,
                         const struct hone_run_state *state, const struct hone_error *why)
{
    const struct campaign *c = context;
    const struct hone_campaign_run *run = &c->campaign->runs[number];
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_run_problem_text(&text, c->campaign, run);
    if (what == HONE_TOLD_ENDED) {
        if (text.len) hone_strbuf_add(&text, "  ");
        add_note(&text, state);
    }
    const char *word = what == HONE_TOLD_BEGUN    ? "begun"
                       : what == HONE_TOLD_FAILED ? "failed"
                                                  : hone_run_phase_name(state->phase);
    fprintf(stderr, "hone: %-11s %.8s %s on %s  %s%s%s\n", word, run->id,
            c->campaign->sources[run->kernel].result,
            c->campaign->def->devices[run->device].label, text.data, why ? ": " : "",
            why ? why->text : "");
    hone_strbuf_fini(&text);
}

static void print_result_here(FILE *out, const struct hone_engine_result *here)
{
    fprintf(out, "%zu begun: %zu done, %zu failed", here->begun, here->done,
            here->failed);
    if (here->unfinished) fprintf(out, ", %zu unfinished", here->unfinished);
    fprintf(out, "%s\n", here->left ? "; others are left to who is at them" : "");
}

void campaign_print_result(const struct hone_campaign_work *work)
{
    const struct hone_engine_result *here = &work->here;
    const bool queued = work->submitted.runs || work->submitted.queued;
    fputs(work->commands.data, stdout);
    FILE *out = work->commands.len ? stderr : stdout; // the list is for other programs
    if (queued)
        fprintf(out, "%zu run%s submitted in %zu array%s, %zu in the queue before\n",
                work->submitted.runs, cli_plural(work->submitted.runs),
                work->submitted.arrays, cli_plural(work->submitted.arrays),
                work->submitted.queued);
    if (here->begun || here->left || here->failed || here->unfinished)
        print_result_here(out, here);
    else if (!work->commands.len && !queued && !hone_campaign_failed(work))
        fprintf(out, "nothing to do: see hone campaign status\n");
}

void campaign_print_merge(const struct hone_merge *merge)
{
    cli_terminal_fold();
    for (size_t i = 0; i < merge->count; i++) {
        const struct hone_merged *item = &merge->items[i];
        printf("%s on %s: %zu problem%s of %zu run%s", item->kernel, item->device,
               item->problems, cli_plural(item->problems), item->runs,
               cli_plural(item->runs));
        if (item->agreed < item->problems)
            printf(", %zu of them without one winner", item->problems - item->agreed);
        printf("%s\n", item->predicted ? ", predicted" : "");
        if (item->header) printf("  %s\n", item->header);
        if (item->report) printf("  %s\n", item->report);
        if (item->why) printf("  no header: %s\n", item->why);
    }
    if (merge->missing)
        printf("not done: %zu run%s; merge again to have what is found there\n",
               merge->missing, cli_plural(merge->missing));
}
