// The payload: the template's lines, or an image of every configuration for every arch.
#include <stdlib.h>
#include <string.h>

#include "base/sink.h"
#include "emit_text.h"
#include "expr/value_text.h"
#include "launcher.h"

enum { ARCHS_MOST = 32 };

static bool is_define(const struct emit_plan *plan, size_t i)
{
    for (size_t d = 0; d < plan->payload->define_count; d++)
        if (strcmp(plan->payload->defines[d], plan->info->problem[i].name) == 0)
            return true;
    return false;
}

enum hone_status hone_emit_check_payload(struct emit_plan *plan)
{
    const struct hone_payload *payload = plan->payload;
    const struct hone_record_info *info = plan->info;
    if (!payload) return HONE_OK;
    if (!info->entry || !hone_emit_has_launch(info))
        return hone_fail_at(
            plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
            "a payload needs journals with the kernel's entry and launch");
    if (!info->template_hash || strcmp(info->template_hash, payload->template_hash) != 0)
        return hone_fail_at(
            plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
            "the template has changed since it was tuned: its hash is %s, in "
            "the journals %s",
            payload->template_hash, info->template_hash ? info->template_hash : "absent");
    for (size_t i = 0; i < info->problem_count; i++)
        if (is_define(plan, i) && !plan->problem[i].fixed)
            return hone_fail(plan->err, HONE_EUNSUPPORTED,
                             "the template is compiled for one '%s', and a payload "
                             "serves many",
                             info->problem[i].name);
    return hone_emit_prepare_launcher(plan);
}

/* --- source text --- */

// Booleans are 0 and 1, texts stand as they are, as the tuner has them.
static void add_define(struct hone_strbuf *out, const char *name, struct hone_value value)
{
    char number[HONE_NUMBER_TEXT];
    if (value.type == HONE_BOOL)
        value = (struct hone_value){.type = HONE_INT, .i = value.b};
    hone_strbuf_printf(out, "#define %s %s\n", name, hone_value_in_full(number, value));
}

static void add_macros(struct hone_strbuf *out, const struct emit_plan *plan,
                       size_t config)
{
    const struct hone_record_info *info = plan->info;
    for (size_t i = 0; i < info->param_count; i++)
        add_define(out, info->params[i].name,
                   hone_emit_value_of(&plan->configs[config], i));
    for (size_t i = 0; i < info->problem_count; i++)
        if (is_define(plan, i))
            add_define(out, info->problem[i].name, info->problem[i].value);
}

// Lines as pieces: C99 promises no more than 4095 characters to a literal.
static void print_pieces(struct hone_strbuf *out, const char *text)
{
    enum { PIECE = 500 };
    while (*text) {
        char piece[PIECE + 1];
        size_t len = strcspn(text, "\n");
        len += text[len] == '\n';
        if (len > PIECE) len = PIECE;
        memcpy(piece, text, len);
        piece[len] = '\0';
        hone_strbuf_add(out, "    ");
        hone_sink_c_string(out, piece);
        hone_strbuf_add(out, ",\n");
        text += len;
    }
}

static void print_source(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_payload *payload = plan->payload;
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *macros = hone_emit_slot(&slots, "MACRO_ROWS");
    struct hone_strbuf *options = hone_emit_slot(&slots, "OPTION_ROWS");
    for (size_t i = 0; i < plan->config_count; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        add_macros(&text, plan, i);
        hone_emit_element(macros, text.data);
        macros->failed = macros->failed || text.failed;
        hone_strbuf_fini(&text);
    }
    print_pieces(hone_emit_slot(&slots, "SOURCE_ROWS"), payload->template_text);
    for (size_t i = 0; i < payload->option_count; i++) {
        hone_strbuf_add(options, "    ");
        hone_sink_c_string(options, payload->options[i]);
        hone_strbuf_add(options, ",\n");
    }
    hone_emit_part_with(out, plan, hone_text_payload_template, "", &slots);
}

/* --- images --- */

struct archs {
    const char *names[ARCHS_MOST];
    size_t count;
};

static void add_arch(struct archs *archs, const char *name)
{
    for (size_t i = 0; i < archs->count; i++)
        if (strcmp(archs->names[i], name) == 0) return;
    if (archs->count < ARCHS_MOST) archs->names[archs->count++] = name;
}

// "sm_80", "sm_90a", "sm_100f"
static bool is_arch(const char *name)
{
    if (strncmp(name, "sm_", 3) != 0) return false;
    const size_t digits = strspn(name + 3, "0123456789");
    const char *rest = name + 3 + digits;
    return (digits == 2 || digits == 3) &&
           (!*rest || !strcmp(rest, "a") || !strcmp(rest, "f"));
}

static void collect_archs(struct archs *archs, const struct emit_plan *plan)
{
    const struct hone_payload *payload = plan->payload;
    *archs = (struct archs){.count = 0};
    for (size_t i = 0; i < payload->arch_count; i++)
        add_arch(archs, payload->archs[i]);
    for (size_t d = 0; d < plan->device_count && !payload->arch_count; d++) {
        const struct hone_limits *limits = plan->devices[d].info->limits;
        if (limits && *limits->arch) add_arch(archs, limits->arch);
    }
}

static enum hone_status find_archs(struct archs *archs, const struct emit_plan *plan)
{
    collect_archs(archs, plan);
    for (size_t i = 0; i < archs->count; i++)
        if (!is_arch(archs->names[i]))
            return hone_fail(plan->err, HONE_EUSAGE,
                             "'%s' is no arch: sm_80, sm_90a, ...", archs->names[i]);
    if (archs->count) return HONE_OK;
    return hone_fail(plan->err, HONE_EUSAGE,
                     "the journals name no arch to build for: say --arch sm_90a");
}

// As an image's row has it.
struct image_arch {
    long major, minor;
    int bound; // 2: it runs there alone (sm_90a); 1: where the major is (sm_100f)
};

static struct image_arch image_arch_of(const char *arch)
{
    const long number = strtol(arch + 3, NULL, 10);
    const char last = arch[strlen(arch) - 1];
    const int bound = last == 'a' ? 2 : last == 'f' ? 1 : 0;
    return (struct image_arch){number / 10, number % 10, bound};
}

bool hone_emit_has_images(const struct emit_plan *plan)
{
    return plan->payload && plan->payload->kind != HONE_PAYLOAD_SOURCE;
}

// As kernel_load_module of text/payload_image.h looks for one.
static bool runs_on(const struct emit_plan *plan, const char *arch,
                    const struct hone_limits *gpu)
{
    const struct image_arch of = image_arch_of(arch);
    const long image = 10 * of.major + of.minor,
               here = 10 * gpu->cc_major + gpu->cc_minor;
    const bool same = plan->payload->kind == HONE_PAYLOAD_CUBIN || of.bound;
    if (same && of.major != gpu->cc_major) return false;
    return of.bound == 2 ? image == here : image <= here;
}

bool hone_emit_has_image_for(const struct emit_plan *plan, const struct hone_limits *gpu)
{
    struct archs archs;
    collect_archs(&archs, plan);
    for (size_t i = 0; i < archs.count; i++)
        if (is_arch(archs.names[i]) && runs_on(plan, archs.names[i], gpu)) return true;
    return false;
}

static void print_bytes(struct hone_strbuf *out, const struct hone_strbuf *image)
{
    for (size_t i = 0; i < image->len; i++)
        hone_strbuf_printf(out, "%u,%s", (unsigned char)image->data[i],
                           i % 24 == 23 ? "\n" : "");
    hone_strbuf_add(out, "0};\n\n");
}

static void name_image(struct hone_strbuf *out, const struct emit_plan *plan,
                       size_t config, const char *arch)
{
    hone_strbuf_printf(out, "%s_image_%zu_%s", plan->name, config, arch);
}

static void add_image(struct hone_strbuf *out, struct hone_strbuf *table,
                      const struct emit_plan *plan, size_t config, const char *arch)
{
    const struct image_arch of = image_arch_of(arch);
    hone_strbuf_add(out, "static const unsigned char ");
    name_image(out, plan, config, arch);
    hone_strbuf_add(out, "[] = {\n");
    hone_strbuf_printf(table, "    {%zu, %ld, %ld, %d, ", config, of.major, of.minor,
                       of.bound);
    name_image(table, plan, config, arch);
    hone_strbuf_add(table, "},\n");
}

// The device it was tuned on has this arch: there it has to compile.
static bool is_own_arch(const struct emit_config *config, const char *arch)
{
    const struct hone_limits *limits = config->origin->info->limits;
    return limits && strcmp(limits->arch, arch) == 0;
}

static enum hone_status build(const struct emit_plan *plan, size_t config,
                              const char *arch, struct hone_strbuf *image,
                              struct hone_error *err)
{
    const struct hone_payload *payload = plan->payload;
    struct hone_strbuf source = HONE_STRBUF_INIT;
    add_macros(&source, plan, config);
    hone_strbuf_add(&source, payload->template_text);
    enum hone_status status = HONE_ENOMEM;
    if (!source.failed)
        status = payload->build(payload->context, source.data, arch, image, err);
    hone_strbuf_fini(&source);
    return image->failed ? HONE_ENOMEM : status;
}

// What the compiler says of an -arch of its own form that it does not have.
static bool is_unknown_arch(const struct hone_error *why)
{
    return strstr(why->text, "--gpu-architecture") != NULL;
}

// A configuration that another architecture's compiler refuses has no image; the first
// refusal is kept for when none has one.
static enum hone_status print_image(struct hone_strbuf *out, struct hone_strbuf *table,
                                    const struct emit_plan *plan, size_t config,
                                    const char *arch, struct hone_error *first)
{
    struct hone_strbuf image = HONE_STRBUF_INIT;
    struct hone_error own = {0};
    enum hone_status status = build(plan, config, arch, &image, &own);
    if (status == HONE_EINPUT && is_unknown_arch(&own)) {
        hone_strbuf_fini(&image);
        return hone_fail(plan->err, HONE_EUSAGE,
                         "'%s' is no architecture that this NVRTC knows: %s", arch,
                         own.text);
    }
    if (status == HONE_OK) {
        add_image(out, table, plan, config, arch);
        print_bytes(out, &image);
    }
    hone_strbuf_fini(&image);
    if (status == HONE_EINPUT && !is_own_arch(&plan->configs[config], arch)) {
        hone_fail(first, status, "configuration %zu for %s: %s", config, arch, own.text);
        return HONE_OK; // another architecture's configuration
    }
    return status != HONE_OK
               ? hone_fail(plan->err, status, "configuration %zu for %s: %s", config,
                           arch, own.text)
               : HONE_OK;
}

static enum hone_status print_images(struct hone_strbuf *out,
                                     const struct emit_plan *plan)
{
    struct archs archs;
    struct hone_error first = {0};
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *table = hone_emit_slot(&slots, "IMAGE_ROWS");
    enum hone_status status = find_archs(&archs, plan);
    for (size_t i = 0; i < plan->config_count && status == HONE_OK; i++)
        for (size_t a = 0; a < archs.count && status == HONE_OK; a++)
            status = print_image(out, table, plan, i, archs.names[a], &first);
    if (status == HONE_OK && !table->len)
        status =
            hone_fail(plan->err, HONE_EINPUT,
                      "no configuration compiles for any of these archs; %s", first.text);
    hone_emit_part_with(out, plan, hone_text_payload_images, "", &slots);
    return status;
}

enum hone_status hone_emit_payload(struct hone_strbuf *out, struct emit_plan *plan)
{
    if (!plan->payload) return HONE_OK;
    enum hone_status status = HONE_OK;
    if (plan->payload->kind == HONE_PAYLOAD_SOURCE)
        print_source(out, plan);
    else
        status = print_images(out, plan);
    return status != HONE_OK ? status : hone_emit_launcher(out, plan);
}
