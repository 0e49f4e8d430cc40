// What a campaign's file may only have where its user lets it: a script has no programs,
// and neither starts one by the words that it hands on.
#include <string.h>

#include "campaign/list.h"

struct reach {
    const char *option, *why;
};

// Options of `hone tune` that start programs, lift the limits of scripts or let templates
// read elsewhere.
static const struct reach reaches[] = {
    {"--worker", "starts a program"},
    {"--allow-io", "lets scripts use files and programs"},
    {"--templates", "lets templates read in other folders"},
    {"--max-instructions", "lifts a limit of scripts"},
    {"--max-memory", "lifts a limit of scripts"},
};

static enum hone_status refuse_reach(struct hone_error *err,
                                     const struct hone_campaign *campaign, int line,
                                     const char *word, const char *why)
{
    return hone_fail_at(err, HONE_EUSAGE, campaign->path, line,
                        "'%s' %s, which a campaign's file may not by itself: read the "
                        "file, then 'hone campaign run --allow-io'",
                        word, why);
}

static enum hone_status check_reaches(const struct hone_campaign *campaign, int line,
                                      const char *const *options, size_t count,
                                      struct hone_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
            const size_t length = strlen(reaches[k].option);
            if (strncmp(options[i], reaches[k].option, length) != 0) continue;
            const char end = options[i][length];
            if (!end || end == '=')
                return refuse_reach(err, campaign, line, options[i], reaches[k].why);
        }
    return HONE_OK;
}

enum hone_status hone_campaign_check_reach(const struct hone_campaign *campaign,
                                           struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    if (def->strategy && strncmp(def->strategy, "exec:", 5) == 0)
        return refuse_reach(err, campaign, def->line, def->strategy, "starts a program");
    enum hone_status status =
        check_reaches(campaign, def->line, def->options, def->option_count, err);
    for (size_t i = 0; status == HONE_OK && i < def->kernel_count; i++)
        status = check_reaches(campaign, def->kernels[i].line, def->kernels[i].options,
                               def->kernels[i].option_count, err);
    for (size_t i = 0; status == HONE_OK && i < def->device_count; i++)
        if (def->devices[i].sbatch_count)
            status = refuse_reach(err, campaign, def->devices[i].line,
                                  def->devices[i].sbatch[0], "goes to sbatch as it is");
    return status;
}
