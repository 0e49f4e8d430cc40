// The types of a table: configurations, a GPU, devices, rows and groups of them. Their
// text is text/types.h; here it gets the fields of a journal's parameters and sizes.
#include <string.h>

#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "launcher.h"
#include "tables.h"

bool hone_emit_is_usual(const char *field)
{
    static const char *const usual[] = {"cc_major", "cc_minor",     "sm_count",
                                        "l2_bytes", "memory_bytes", "max_shared_bytes"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i], field) == 0) return true;
    return false;
}

// Fields and arguments have the names of the script, which a user's macro may have too.
static void add_defined(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    const char *before = "";
    for (size_t i = 0; i < info->param_count + info->problem_count; i++) {
        const struct emit_field *field = i < info->param_count
                                             ? &plan->params[i]
                                             : &plan->problem[i - info->param_count];
        if (field->fixed) continue;
        hone_strbuf_printf(out, "%sdefined(%s)", before, field->name);
        before = " || ";
    }
    for (size_t i = 0; hone_emit_computed(plan, i); i++, before = " || ")
        hone_strbuf_printf(out, "%sdefined(%s)", before, hone_emit_computed(plan, i));
}

static void add_config_fields(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *device = hone_emit_slot(slots, "DEVICE_FIELDS");
    struct hone_strbuf *launch = hone_emit_slot(slots, "LAUNCH_FIELDS");
    hone_emit_fields(hone_emit_slot(slots, "PARAM_FIELDS"), plan->params,
                     plan->info->param_count);
    for (size_t i = 0; i < plan->device_field_count; i++)
        hone_strbuf_printf(device, "%sdevice_%s", i ? ", " : "    long long ",
                           plan->device_fields[i]);
    hone_strbuf_add(device, device->len ? "; /* of the device it was tuned on */\n" : "");
    if (plan->block_field)
        hone_strbuf_printf(launch, "    unsigned %s[3]%s%s; /* of its launch */\n",
                           plan->block_field, plan->shared_field ? ", " : "",
                           plan->shared_field ? plan->shared_field : "");
    else if (plan->shared_field)
        hone_strbuf_printf(launch, "    unsigned %s; /* of its launch */\n",
                           plan->shared_field);
}

static void add_gpu_fields(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *read = hone_emit_slot(slots, "READ_FIELDS");
    struct hone_strbuf *further = hone_emit_slot(slots, "FURTHER_FIELDS");
    for (size_t i = 0; i < plan->gpu_field_count; i++) {
        hone_strbuf_printf(read, "%s%s", i ? ", " : "", plan->gpu_fields[i]);
        if (!hone_emit_is_usual(plan->gpu_fields[i]))
            hone_strbuf_printf(further, "%s%s", further->len ? ", " : "    long long ",
                               plan->gpu_fields[i]);
    }
    hone_strbuf_add(further, further->len ? ";\n" : "");
}

static void add_row_fields(struct emit_slots *slots, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    struct hone_strbuf *choices = hone_emit_slot(slots, "CHOICE_FIELDS");
    hone_emit_fields(hone_emit_slot(slots, "PROBLEM_FIELDS"), plan->problem,
                     info->problem_count);
    hone_strbuf_printf(hone_emit_slot(slots, "SIZES"), "%zu",
                       plan->groups[0].points.sizes);
    hone_strbuf_add(hone_emit_slot(slots, "TIME_FIELD"),
                    plan->times == HONE_TIME_PREDICTED ? "predicted_us" : "time_us");
    for (size_t i = 0; i < info->problem_count; i++)
        if (hone_emit_is_choice(plan, i))
            hone_strbuf_printf(choices, "    %s%s;\n",
                               hone_emit_type_text(&plan->problem[i]),
                               plan->problem[i].name);
}

// What of groups of rows is told.
static const char *rule_words(const struct emit_plan *plan)
{
    if (hone_emit_has_models(plan)) return "groups models ";
    return hone_emit_has_trees(plan) ? "groups trees " : "groups nearest ";
}

void hone_emit_types(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool is_single = hone_emit_is_single(plan);
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf words = HONE_STRBUF_INIT;
    struct hone_strbuf *defined = hone_emit_slot(&slots, "IS_A_NAME_DEFINED");
    add_defined(defined, plan);
    hone_strbuf_printf(&words, "%s%s%s%s%s", defined->len ? "names " : "",
                       plan->gpu_field_count ? "read_gpu " : "plain_gpu ",
                       hone_emit_is_asked(plan) ? "problem " : "",
                       is_single ? "" : rule_words(plan),
                       plan->groups[0].points.sizes && !is_single ? "sizes " : "");
    hone_strbuf_add(hone_emit_slot(&slots, "HEADER_NAME"), plan->name);
    struct hone_strbuf *includes = hone_emit_slot(&slots, "INCLUDES");
    if (plan->shape == HONE_SHAPE_TABLE) hone_emit_payload_includes(includes, plan);
    add_config_fields(&slots, plan);
    add_gpu_fields(&slots, plan);
    add_row_fields(&slots, plan);
    hone_emit_part_with(out, plan, hone_text_types, words.data, &slots);
    out->failed |= words.failed;
    hone_strbuf_fini(&words);
}
