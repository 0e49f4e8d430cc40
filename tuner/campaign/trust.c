// What a campaign's file may only have where its user lets it: a script has no programs,
// and neither starts one by the words that it hands on. Words are judged here and not in
// the prelude, whose functions run among those of the script.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "campaign/list.h"

enum judgement {
    JUDGED_FREE,    // it changes only how `hone tune` searches and measures
    JUDGED_REACHES, // its user must let it
    JUDGED_OURS     // the campaign says it
};

struct judged {
    const char *name;
    char letter;
    bool takes_value;
    enum judgement judgement;
    const char *why; // what it does; of our own the key that says it, NULL for none
};

// All that is not here reaches further than somebody has looked.
static const struct judged options[] = {
    {"on-strategy-error", 0, true, JUDGED_FREE, NULL},
    {"strategy-timeout", 0, true, JUDGED_FREE, NULL},
    {"no-verify", 0, false, JUDGED_FREE, NULL},
    {"no-race", 0, false, JUDGED_FREE, NULL},
    {"no-finals", 0, false, JUDGED_FREE, NULL},
    {"sustained", 0, true, JUDGED_FREE, NULL},
    {"counters", 0, true, JUDGED_FREE, NULL},
    {"clock", 0, true, JUDGED_FREE, NULL},
    {"objective", 0, true, JUDGED_FREE, NULL},
    {"drift-check", 0, true, JUDGED_FREE, NULL},
    {"l2", 0, true, JUDGED_FREE, NULL},
    {"threads", 'j', true, JUDGED_FREE, NULL},
    {"isolate", 0, true, JUDGED_FREE, NULL},
    {"worker-start", 0, true, JUDGED_FREE, NULL},
    {"worker-silence", 0, true, JUDGED_FREE, NULL},
    {"no-wait", 0, false, JUDGED_FREE, NULL},
    {"worker", 0, true, JUDGED_REACHES, "starts a program"},
    {"allow-io", 0, false, JUDGED_REACHES, "lets scripts use files and programs"},
    {"templates", 0, true, JUDGED_REACHES, "lets templates read in other folders"},
    {"calibrate", 0, true, JUDGED_REACHES, "reads another file"},
    {"cache", 0, true, JUDGED_REACHES, "names a folder to write in"},
    {"max-instructions", 0, true, JUDGED_REACHES, "lifts a limit of scripts"},
    {"max-memory", 0, true, JUDGED_REACHES, "lifts a limit of scripts"},
    {"host-memory", 0, true, JUDGED_REACHES, "lifts a limit of memory"},
    {"build-deadline", 0, true, JUDGED_REACHES, "lifts a limit of time"},
    {"launch-deadline", 0, true, JUDGED_REACHES, "lifts a limit of time"},
    {"device", 'd', true, JUDGED_OURS, "devices"},
    {"set", 0, true, JUDGED_OURS, "set"},
    {"budget", 'b', true, JUDGED_OURS, "budget"},
    {"seed", 0, true, JUDGED_OURS, "seed"},
    {"strategy", 's', true, JUDGED_OURS, "strategy"},
    {"problems", 0, true, JUDGED_OURS, "problems"},
    {"warm", 0, true, JUDGED_OURS, "warm"},
    {"journal", 0, true, JUDGED_OURS, "state"},
    {"output", 'o', true, JUDGED_OURS, "output"},
    {"repeat-tuning", 0, true, JUDGED_OURS, "votes"},
    {"resume", 0, false, JUDGED_OURS, NULL},
    {"json", 0, false, JUDGED_OURS, NULL},
    {"quiet", 'q', false, JUDGED_OURS, NULL},
    {"help", 'h', false, JUDGED_OURS, NULL},
    {"", 0, false, JUDGED_OURS, NULL}, // "--", behind which there are no options
};

// The option that a word says as options are parsed: -s, -sX, --strategy, --strategy=X.
// *has_value: its value is in the word. NULL for one that is not known here.
static const struct judged *find_option(const char *word, bool *has_value)
{
    const bool is_long = word[0] == '-' && word[1] == '-';
    const char *name = word + 2;
    const size_t len = is_long ? strcspn(name, "=") : 0;
    *has_value = is_long ? name[len] == '=' : word[1] && word[2];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct judged *option = &options[i];
        if (is_long ? strlen(option->name) == len && !strncmp(option->name, name, len)
                    : option->letter && option->letter == word[1])
            return option;
    }
    return NULL;
}

// The words of one list, of the campaign or of a kernel.
struct word_list {
    const struct hone_campaign *campaign;
    const char *const *words;
    const int *lines; // where each stands
    size_t count;
};

#define MAY_NOT                                                                          \
    "which a campaign's file may not by itself: read the file, then 'hone campaign run " \
    "--allow-io'"

static enum hone_status refuse_reach(struct hone_error *err,
                                     const struct hone_campaign *campaign, int line,
                                     const char *word, const char *why)
{
    return hone_fail_at(err, HONE_EUSAGE, campaign->path, line, "'%s' %s, " MAY_NOT, word,
                        why);
}

// What is not known here may be misspelt.
static const char *nearest_option(const char *word)
{
    enum { COUNT = sizeof options / sizeof *options };
    const char *names[COUNT];
    char name[HONE_WORD_MAX + 1];
    for (size_t i = 0; i < COUNT; i++)
        names[i] = options[i].name;
    if (strncmp(word, "--", 2) != 0) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return hone_suggest(name, names, COUNT);
}

static enum hone_status refuse_unknown(const struct word_list *list, size_t i,
                                       struct hone_error *err)
{
    const char *near = nearest_option(list->words[i]);
    return hone_fail_at(err, HONE_EUSAGE, list->campaign->path, list->lines[i],
                        "'%s' may change more than how 'hone tune' searches and "
                        "measures, " MAY_NOT "%s%s%s",
                        list->words[i], near ? "; did you mean '--" : "",
                        near ? near : "", near ? "'?" : "");
}

static enum hone_status refuse_own(const struct word_list *list, size_t i,
                                   const struct judged *option, struct hone_error *err)
{
    if (!option->why)
        return hone_fail_at(err, HONE_EINPUT, list->campaign->path, list->lines[i],
                            "'%s' in options is the campaign's own to say",
                            list->words[i]);
    return hone_fail_at(err, HONE_EINPUT, list->campaign->path, list->lines[i],
                        "'%s' in options is said by '%s' of the campaign", list->words[i],
                        option->why);
}

static enum hone_status check_own(const struct word_list *list, struct hone_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        bool has_value;
        const struct judged *option =
            list->words[i][0] == '-' ? find_option(list->words[i], &has_value) : NULL;
        if (option && option->judgement == JUDGED_OURS)
            return refuse_own(list, i, option, err);
    }
    return HONE_OK;
}

// Every word that looks like an option is judged as one, so that no value hides it;
// check_own has passed them.
static enum hone_status check_reach(const struct word_list *list, struct hone_error *err)
{
    const struct judged *waits = NULL; // for its value
    for (size_t i = 0; i < list->count; i++) {
        const char *word = list->words[i];
        bool has_value = false;
        if (waits && word[0] != '-') {
            waits = NULL;
            continue;
        }
        const struct judged *option =
            word[0] == '-' ? find_option(word, &has_value) : NULL;
        if (waits || word[0] != '-')
            return hone_fail_at(err, HONE_EUSAGE, list->campaign->path, list->lines[i],
                                "'%s' in options is %s", word,
                                waits ? "no value of the option before it"
                                      : "no option, nor the value of one");
        assert(!option || option->judgement != JUDGED_OURS);
        if (!option) return refuse_unknown(list, i, err);
        if (option->judgement != JUDGED_FREE)
            return refuse_reach(err, list->campaign, list->lines[i], word, option->why);
        if (option->takes_value && !has_value) waits = option;
    }
    if (!waits) return HONE_OK;
    return hone_fail_at(err, HONE_EUSAGE, list->campaign->path,
                        list->lines[list->count - 1], "'--%s' in options lacks its value",
                        waits->name);
}

static enum hone_status check_lists(const struct hone_campaign *campaign,
                                    enum hone_status (*check)(const struct word_list *,
                                                              struct hone_error *),
                                    struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    const struct word_list shared = {campaign, def->options, def->option_lines,
                                     def->option_count};
    enum hone_status status = check(&shared, err);
    for (size_t i = 0; status == HONE_OK && i < def->kernel_count; i++) {
        const struct hone_campaign_kernel *kernel = &def->kernels[i];
        const struct word_list own = {campaign, kernel->options, kernel->option_lines,
                                      kernel->option_count};
        status = check(&own, err);
    }
    return status;
}

enum hone_status hone_campaign_check_own(const struct hone_campaign *campaign,
                                         struct hone_error *err)
{
    return check_lists(campaign, check_own, err);
}

enum hone_status hone_campaign_check_reach(const struct hone_campaign *campaign,
                                           struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    if (def->strategy && strncmp(def->strategy, "exec:", 5) == 0)
        return refuse_reach(err, campaign, def->line, def->strategy, "starts a program");
    enum hone_status status = check_lists(campaign, check_reach, err);
    for (size_t i = 0; status == HONE_OK && i < def->device_count; i++)
        if (def->devices[i].sbatch_count)
            status = refuse_reach(err, campaign, def->devices[i].line,
                                  def->devices[i].sbatch[0], "goes to sbatch as it is");
    return status;
}
