// The sections of a journal's first line, in their order: kind, space, problems, texts,
// device, run, kernel, waivers.
#include <stdio.h>
#include <string.h>

#include "base/arch.h"
#include "findings.h"
#include "header_reader.h"
#include "json.h"

enum { REMARK_MOST = 4000 }; // bytes

const char *hone_header_other_file(const char *path, const char *line, size_t len)
{
    static const char emitted[] = "Emitted by hone";
    const size_t length = strlen(path);
    for (size_t i = 0; i + sizeof emitted <= len; i++)
        if (memcmp(line + i, emitted, sizeof emitted - 1) == 0)
            return "it is a header that hone emitted";
    return length > 4 && strcmp(path + length - 4, ".lua") == 0 ? "it is a script" : NULL;
}

static void read_kind(struct hone_header_reader *r)
{
    char text[32];
    const json_t *version = json_object_get(r->line, "hone");
    const char *kind = json_string_value(json_object_get(r->line, "kind"));
    if (!version)
        r->status =
            hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                         "not a hone journal: the first line has no \"hone\" version");
    else if (!json_is_integer(version) || json_integer_value(version) != 1)
        r->status = hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                                 "journal version %s, this program reads version 1",
                                 hone_json_brief(text, sizeof text, version));
    else if (!kind || strcmp(kind, "journal") != 0)
        r->status =
            hone_fail_at(r->err, HONE_EINPUT, r->path, 1,
                         "not a journal: its kind is '%s'", kind ? kind : "absent");
}

static void read_kernel_name(struct hone_header_reader *r)
{
    r->info->kernel = hone_header_read_name(r, r->line, "kernel");
    if (!r->info->kernel) hone_header_bad(r, "kernel", "the kernel's name");
}

static void read_text_field(struct hone_header_reader *r,
                            const struct hone_header_text *field)
{
    const json_t *object =
        field->group ? json_object_get(r->line, field->group) : r->line;
    if (object && !json_is_object(object)) hone_header_bad(r, field->group, "an object");
    const char *text = hone_header_read_remark(r, object, field->key);
    if (text && strlen(text) > REMARK_MOST)
        hone_header_bad(r, field->key, "at most 4,000 bytes long");
    memcpy((char *)r->info + field->offset, &text, sizeof text);
}

static void read_texts(struct hone_header_reader *r)
{
    for (size_t i = 0; i < hone_header_text_count && hone_header_is_fine(r); i++)
        read_text_field(r, &hone_header_texts[i]);
    r->info->times = hone_objective_times(r->info->objective);
}

static void read_limits(struct hone_header_reader *r)
{
    const json_t *json = json_object_get(json_object_get(r->line, "device"), "limits");
    if (!json) return;
    if (!json_is_object(json)) hone_header_bad(r, "limits", "an object");
    struct hone_limits *limits = hone_header_array(r, 1, sizeof *limits);
    if (!limits) return;
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *arch = json_string_value(json_object_get(json, "arch"));
    snprintf(limits->name, sizeof limits->name, "%s", name ? name : "");
    snprintf(limits->arch, sizeof limits->arch, "%s", arch ? arch : "");
#define READ_LIMIT(field)                                                                \
    limits->field = json_integer_value(json_object_get(json, #field));
    HONE_LIMITS_LIST(READ_LIMIT)
#undef READ_LIMIT
    if (!hone_arch_is_sane(limits->cc_major, limits->cc_minor))
        hone_header_bad(r, "limits", "of a compute capability of 0.0 to 99.9");
    r->info->limits = limits;
}

static void read_run(struct hone_header_reader *r)
{
    const json_t *drift = json_object_get(r->line, "drift");
    r->info->complete = hone_header_read_flag(r, r->line, "complete");
    r->info->drift_every = hone_header_read_u64(r, drift, "every");
    r->info->drift_limit = json_number_value(json_object_get(drift, "limit"));
    r->info->seed = hone_header_read_u64(r, r->line, "seed");
}

static void read_counts(struct hone_header_reader *r)
{
    r->info->space_count = hone_header_read_u64(r, r->line, "space_count");
    r->info->evaluated = hone_header_read_u64(r, r->line, "evaluated");
    r->info->evaluated_valid = hone_header_read_u64(r, r->line, "valid");
}

static void read_waivers(struct hone_header_reader *r)
{
    struct hone_error why = {0};
    const json_t *list = json_object_get(r->line, "waive");
    const enum hone_status status = hone_waive_list_read(r->info, list, r->arena, &why);
    if (status != HONE_OK)
        r->status = hone_fail_at(r->err, status, r->path, 1, "%s", why.text);
}

// Later ones look at what the earlier ones have read.
static void (*const sections[])(struct hone_header_reader *) = {
    read_kind,
    read_kernel_name,
    hone_header_read_params,
    hone_header_read_problem,
    hone_header_read_problems,
    read_texts,
    read_limits,
    read_run,
    hone_header_read_drawn,
    read_counts,
    hone_header_read_defaults,
    hone_header_read_derived,
    hone_header_read_where,
    hone_header_read_launch,
    hone_header_read_args,
    hone_header_read_defines,
    read_waivers,
};

enum hone_status hone_header_read(struct hone_record_info *info, const json_t *json,
                                  const char *path, struct hone_arena *arena,
                                  struct hone_error *err)
{
    struct hone_header_reader r = {
        .line = json, .info = info, .path = path, .arena = arena, .err = err};
    *info = (struct hone_record_info){0};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (hone_header_is_fine(&r)) sections[i](&r);
    return r.status;
}

enum hone_status hone_header_check(const json_t *json, const char *path,
                                   struct hone_error *err)
{
    struct hone_record_info info;
    struct hone_arena arena = {0};
    enum hone_status status = hone_header_read(&info, json, path, &arena, err);
    hone_arena_fini(&arena);
    return status;
}
