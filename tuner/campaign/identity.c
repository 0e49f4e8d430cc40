// What a run is: the hash of all that decides its result. Two runs of one identity would
// find the same, so one of them is enough.
#include "base/hash.h"
#include "base/log.h"
#include "campaign_internal.h"
#include "render/template.h"
#include "tuning/named_strategy.h"

static enum hone_status add_template(struct hone_hash *hash,
                                     const struct hone_kernel_def *def, const char *path,
                                     struct hone_error *err)
{
    const struct hone_template_places places = {
        .roots = {.folders = def->template_folders,
                  .count = def->template_folder_count,
                  .anywhere = def->reads_anywhere,
                  .fixed = def->fixed_folders},
        .includes = def->includes,
        .include_count = def->include_count};
    struct hone_template template = {0};
    if (!path) return HONE_OK;
    enum hone_status status = hone_template_read(
        &template, path, def->template_folder_count ? &places : NULL, err);
    if (status == HONE_OK) hone_hash_text(hash, template.hash);
    hone_template_fini(&template);
    return status;
}

enum hone_status hone_kernel_key(char out[33], const struct hone_workbench *bench,
                                 struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    struct hone_hash hash;
    char script[33];
    enum hone_status status = hone_script_hash(script, bench->script, err);
    if (status != HONE_OK) return status;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, script);
    status = add_template(&hash, def, def->template_path, err);
    if (status == HONE_OK)
        status = add_template(&hash, def, def->reference.template_path, err);
    for (size_t i = 0; i < def->arg_count; i++)
        if (def->args[i].fill == HONE_FILL_FILE)
            hone_hash_part(&hash, def->args[i].data.bytes, def->args[i].data.size);
    hone_hash_end(&hash, out);
    if (status == HONE_OK && !*out) status = hone_no_memory(err, "for a kernel's hash");
    return status;
}

static enum hone_status fail_strategy(const struct hone_campaign *campaign,
                                      enum hone_status status,
                                      const struct hone_error *why,
                                      struct hone_error *err)
{
    return hone_fail_at(err, status == HONE_ENOMEM ? status : HONE_EINPUT, campaign->path,
                        campaign->def->line, "'strategy': %s", hone_error_line(why).text);
}

enum hone_status hone_campaign_find_strategy(struct hone_campaign *campaign,
                                             struct hone_error *err)
{
    const char *name = campaign->def->strategy;
    struct hone_named_strategy strategy;
    struct hone_error why = {0};
    enum hone_status status = HONE_OK;
    campaign->strategy = name;
    if (!name) return HONE_OK;
    if (!hone_named_strategy_is_file(name)) {
        status = hone_named_strategy_check(name, &why);
        return status == HONE_OK ? HONE_OK : fail_strategy(campaign, status, &why, err);
    }
    campaign->strategy = hone_campaign_path(campaign, name);
    if (!campaign->strategy) return hone_no_memory(err, "for a campaign");
    status = hone_named_strategy_find(&strategy, campaign->strategy, 1, &why);
    if (status == HONE_OK)
        status = hone_script_hash(campaign->strategy_key, strategy.script, err);
    else
        status = fail_strategy(campaign, status, &why, err);
    hone_named_strategy_fini(&strategy);
    return status;
}

static void add_texts(struct hone_hash *hash, const char *const *texts, size_t count)
{
    hone_hash_part(hash, &count, sizeof count);
    for (size_t i = 0; i < count; i++)
        hone_hash_text(hash, texts[i]);
}

static void hash_problem(struct hone_hash *hash, const struct hone_campaign *campaign,
                         const struct hone_campaign_run *run)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_run_problem_text(&text, campaign, run);
    hone_hash_text(hash, text.failed ? NULL : text.data);
    hone_strbuf_fini(&text);
}

enum hone_status hone_run_identify(struct hone_campaign_run *run,
                                   const struct hone_campaign *campaign,
                                   struct hone_error *err)
{
    const struct hone_campaign_def *def = campaign->def;
    const struct hone_campaign_kernel *kernel = &def->kernels[run->kernel];
    struct hone_hash hash;
    char text[HONE_HASH_TEXT];
    hone_hash_begin(&hash);
    hone_hash_text(&hash, "campaign 1");
    hone_hash_text(&hash, campaign->sources[run->kernel].key);
    hone_hash_text(&hash, campaign->sources[run->kernel].kernel);
    hash_problem(&hash, campaign, run);
    add_texts(&hash, kernel->set, kernel->set_count);
    hone_hash_text(&hash, def->devices[run->device].label);
    hone_hash_text(&hash, kernel->budget ? kernel->budget : def->budget);
    hone_hash_part(&hash, &run->seed, sizeof run->seed);
    hone_hash_text(&hash, def->strategy);
    if (*campaign->strategy_key) hone_hash_text(&hash, campaign->strategy_key);
    add_texts(&hash, def->options, def->option_count);
    add_texts(&hash, kernel->options, kernel->option_count);
    // What a run begins with decides what it finds.
    hone_hash_text(&hash,
                   run->after == HONE_RUN_NONE ? NULL : campaign->runs[run->after].id);
    hone_hash_end(&hash, text);
    if (!*text) return hone_no_memory(err, "for the identity of a run");
    for (size_t i = 0; i + 1 < HONE_RUN_ID; i++)
        run->id[i] = text[i];
    run->id[HONE_RUN_ID - 1] = '\0';
    return HONE_OK;
}
