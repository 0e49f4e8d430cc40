// hone campaign: many kernels, problems and devices, from one file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/script_args.h"
#include "campaign/change.h"
#include "campaign_print.h"
#include "output.h"
#include "print.h"
#include "record/json_out.h"
#include "terminal/interrupt.h"

static const struct hone_choice action_words[] = {{"plan", CAMPAIGN_PLAN},
                                                  {"run", CAMPAIGN_RUN},
                                                  {"status", CAMPAIGN_STATUS},
                                                  {"cancel", CAMPAIGN_CANCEL},
                                                  {"retry", CAMPAIGN_RETRY},
                                                  {"merge", CAMPAIGN_MERGE},
                                                  {0}};

static const struct hone_choice engine_words[] = {{"local", HONE_ENGINE_LOCAL + 1},
                                                  {"slurm", HONE_ENGINE_SLURM + 1},
                                                  {"print", HONE_ENGINE_PRINT + 1},
                                                  {0}};
static const struct hone_option_kind engine_kind = HONE_CHOICE_KIND(engine_words);

// --- what is meant ---

static enum hone_status find_action(enum campaign_action *out, const char *word,
                                    struct hone_error *err)
{
    const struct hone_choice *choice = action_words;
    while (choice->word && strcmp(choice->word, word) != 0)
        choice++;
    *out = (enum campaign_action)choice->value;
    if (choice->word) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "hone campaign plan, run, status, cancel, retry or merge, got '%s'",
                     word);
}

static const char *action_word(enum campaign_action action)
{
    const struct hone_choice *choice = action_words;
    while (choice->value != (int)action)
        choice++;
    return choice->word;
}

// Options that would do nothing are refused.
static enum hone_status refuse_idle_options(enum campaign_action action,
                                            const struct campaign_args *a,
                                            struct hone_error *err)
{
    const struct {
        const char *name;
        enum campaign_action action;
        bool given;
    } options[] = {{"engine", CAMPAIGN_RUN, a->engine != 0},
                   {"at-once", CAMPAIGN_RUN, a->at_once > 0},
                   {"allow-io", CAMPAIGN_RUN, a->allow_io},
                   {"accept-predicted", CAMPAIGN_MERGE, a->accept_predicted},
                   {"rows", CAMPAIGN_MERGE, a->rows > 0}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && options[i].action != action)
            return hone_fail(
                err, HONE_EUSAGE, "--%s is for hone campaign %s: %s goes without it",
                options[i].name, action_word(options[i].action), action_word(action));
    return HONE_OK;
}

// --- run ---

static enum hone_status run_all(struct campaign *c, struct hone_error *err)
{
    const struct campaign_args *a = c->args;
    // A run that is named is done here, whoever named it.
    const bool named = a->runs.count > 0;
    const enum hone_engine engine =
        a->engine ? (enum hone_engine)(a->engine - 1) : HONE_ENGINE_LOCAL;
    const enum hone_engine *forced = a->engine || named ? &engine : NULL;
    struct hone_engine_options options = {.campaign = c->campaign,
                                          .chosen = c->chosen,
                                          .at_once = (size_t)a->at_once,
                                          .attempts = named ? 1 : 0,
                                          .cancel = hone_interrupt_flag(),
                                          .tell = campaign_print_told,
                                          .context = c};
    enum hone_status status =
        a->allow_io ? HONE_OK : hone_campaign_check_reach(c->campaign, err);
    c->campaign->allow_io = a->allow_io;
    if (status == HONE_OK) status = hone_program_path(&options.program, err);
    // Jobs are submitted first: they wait while others work here.
    if (status == HONE_OK)
        status = hone_campaign_do(&c->work, &options, HONE_ENGINE_SLURM, forced, err);
    if (status == HONE_OK)
        status = hone_campaign_do(&c->work, &options, HONE_ENGINE_PRINT, forced, err);
    hone_interrupt_catch(cli_end_interrupted);
    const bool held = hone_interrupt_hold(true); // until each run has ended in order
    if (status == HONE_OK)
        status = hone_campaign_do(&c->work, &options, HONE_ENGINE_LOCAL, forced, err);
    hone_interrupt_hold(held);
    if (status == HONE_OK && a->json)
        status = cli_print_json(hone_campaign_work_json(c->campaign, &c->work), err);
    else if (status == HONE_OK)
        campaign_print_result(&c->work);
    return status == HONE_OK ? hone_campaign_verdict(&c->work, a->words.items[1], err)
                             : status;
}

// --- cancel and retry ---

static enum hone_status change(struct campaign *c, struct hone_error *err)
{
    const bool cancels = c->action == CAMPAIGN_CANCEL;
    const enum hone_status status =
        (cancels ? hone_campaign_cancel : hone_campaign_retry)(
            &c->changed, c->campaign, &c->overview, c->chosen, err);
    if (status != HONE_OK) return status;
    if (c->args->json) {
        struct json_t *root = hone_json_object();
        hone_json_text(root, "campaign", c->campaign->path);
        hone_json_unsigned(root, "runs", c->changed);
        return cli_print_json(root, err);
    }
    printf(cancels ? "%zu run%s cancelled; what runs ends within seconds\n"
                   : "%zu run%s may be tried again: hone campaign run %s\n",
           c->changed, cli_plural(c->changed), c->args->words.items[1]);
    return HONE_OK;
}

// --- merge ---

static enum hone_status merge(struct campaign *c, struct hone_error *err)
{
    struct hone_merge merged = {0};
    const struct hone_merge_options options = {.campaign = c->campaign,
                                               .chosen = c->chosen,
                                               .accept_predicted =
                                                   c->args->accept_predicted,
                                               .rows = (size_t)c->args->rows};
    enum hone_status status = hone_campaign_merge(&merged, &options, err);
    if (status == HONE_OK && c->args->json)
        status = cli_print_json(hone_merge_json(c->campaign, &merged), err);
    else if (status == HONE_OK)
        campaign_print_merge(&merged);
    hone_merge_fini(&merged);
    return status;
}

// --- the command ---

// Plan tells what is to be done, so that failed runs are no failure of it.
static enum hone_status tell_state(const struct campaign *c, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    const size_t failed = c->overview.counts[HONE_RUN_FAILED];
    if (c->args->json)
        status =
            cli_print_json(hone_overview_json(c->campaign, &c->overview, c->chosen), err);
    else if (c->action == CAMPAIGN_PLAN)
        campaign_print_plan(c);
    else
        campaign_print_status(c);
    if (status != HONE_OK || c->action == CAMPAIGN_PLAN || !failed) return status;
    return hone_fail(err, HONE_EDEVICE,
                     "%zu run%s failed: 'hone campaign retry %s' has %s tried again",
                     failed, failed == 1 ? "" : "s", c->args->words.items[1],
                     failed == 1 ? "it" : "them");
}

static enum hone_status act(struct campaign *c, struct hone_error *err)
{
    if (c->action == CAMPAIGN_RUN) return run_all(c, err);
    if (c->action == CAMPAIGN_MERGE) return merge(c, err);
    enum hone_status status = hone_overview_make(&c->overview, c->campaign, err);
    if (status != HONE_OK) return status;
    if (c->action == CAMPAIGN_CANCEL || c->action == CAMPAIGN_RETRY)
        return change(c, err);
    hone_overview_count(&c->overview, c->campaign, c->chosen);
    return tell_state(c, err);
}

static enum hone_status run_campaign(void *args, struct hone_error *err)
{
    const struct campaign_args *a = args;
    struct campaign c = {.args = a, .work = HONE_CAMPAIGN_WORK_INIT};
    enum hone_status status = find_action(&c.action, a->words.items[0], err);
    if (status == HONE_OK) status = refuse_idle_options(c.action, a, err);
    if (status == HONE_OK)
        status = hone_campaign_open(&c.campaign, a->words.items[1], err);
    if (status == HONE_OK)
        status = hone_campaign_choose(&c.chosen, c.campaign, a->runs.items, a->runs.count,
                                      err);
    if (status == HONE_OK) status = act(&c, err);
    hone_overview_fini(&c.overview);
    hone_campaign_work_fini(&c.work);
    hone_campaign_close(c.campaign);
    free(c.chosen);
    return status;
}

static const struct hone_option option_table[] = {
    {"run", 0, "ID", "this run alone, by the beginning of its name; repeatable",
     HONE_TEXTS(struct campaign_args, runs)},
    {"engine", 0, NULL, "run: who starts runs [as the file says: via]", &engine_kind,
     offsetof(struct campaign_args, engine)},
    {"at-once", 'j', "N", "run: runs of a device at once [as the file says]",
     HONE_COUNT(struct campaign_args, at_once)},
    {"allow-io", 0, NULL,
     "run: let the file start programs: exec:, --worker, words of sbatch",
     HONE_FLAG(struct campaign_args, allow_io)},
    {"accept-predicted", 0, NULL, "merge makes headers of predictions, too",
     HONE_FLAG(struct campaign_args, accept_predicted)},
    {"rows", 0, "N",
     "merge keeps the default and the N fastest trials, without wall times [all]",
     HONE_COUNT(struct campaign_args, rows)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct campaign_args, json)},
    {0},
};

const struct hone_command cli_campaign = {
    .name = "campaign",
    .summary = "Tune many kernels and problems on several devices, from one file",
    .usage = "plan|run|status|cancel|retry|merge FILE.lua [--run ID]... [--json]",
    .details =
        "plan lists the runs and what is done, and changes nothing. run does what is "
        "missing: here, by\n"
        "Slurm, or as a list of commands, as the file says. A run that was interrupted "
        "goes on with its\n"
        "journal; one that is done is never done again, unless its script, problem or "
        "options changed.\n"
        "merge writes headers, reports and journals of what is done so far.\n"
        "What is known stands in files beside the campaign's, so that each command works "
        "from any machine\n"
        "that sees them. docs/campaign.md",
    .options = CLI_OPTIONS(option_table),
    .operands = {2, 2, "what to do, or the campaign's file,"},
    .args_size = sizeof(struct campaign_args),
    .run = run_campaign,
};
