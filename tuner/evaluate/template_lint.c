#include "evaluate/template_lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/grow.h"
#include "evaluate/module.h"
#include "hone/strbuf.h"
#include "render/template.h"

const char *hone_lapse_name(enum hone_lapse_kind kind)
{
    static const char *const names[] = {
#define HONE_LAPSE_NAME(name, text) [HONE_LAPSE_##name] = text,
        HONE_LAPSE_LIST(HONE_LAPSE_NAME)
#undef HONE_LAPSE_NAME
    };
    return names[kind];
}

enum hone_status hone_lapses_add(struct hone_lapses *lapses, enum hone_lapse_kind kind,
                                 struct hone_error *err, const char *format, ...)
{
    if (!HONE_GROW(&lapses->items, &lapses->cap, lapses->count + 1, 16))
        return hone_no_memory(err, "to lint a template");
    struct hone_lapse *lapse = &lapses->items[lapses->count++];
    lapse->kind = kind;
    va_list args;
    va_start(args, format);
    hone_vsnprintf(lapse->text, sizeof lapse->text, format, args);
    va_end(args);
    return HONE_OK;
}

void hone_lapses_fini(struct hone_lapses *lapses)
{
    free(lapses->items);
    *lapses = (struct hone_lapses){0};
}

struct lint {
    struct hone_lapses *out;
    const struct hone_kernel *kernel;
    const struct hone_space_def *space;
    struct hone_job job; // of the configuration that is judged
    struct hone_builder *builder;
    const char *arch;
    struct hone_error *err;
};

// --- text ---

static enum hone_status check_uses(struct lint *lint,
                                   const struct hone_template *template)
{
    const size_t count = lint->space->param_count;
    const char **names = calloc(count + 1, sizeof *names);
    struct hone_template_use *uses = calloc(count + 1, sizeof *uses);
    enum hone_status status =
        names && uses ? HONE_OK : hone_no_memory(lint->err, "to lint a template");
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        names[i] = lint->space->params[i].name;
    if (status == HONE_OK) hone_template_uses(template, names, count, uses);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        if (!uses[i].used && hone_kernel_launch_reads(lint->kernel, i)) continue;
        if (!uses[i].used)
            status = hone_lapses_add(lint->out, HONE_LAPSE_UNUSED_PARAMETER, lint->err,
                                     "parameter '%s' is not used", names[i]);
        if (status == HONE_OK && !uses[i].has_default)
            status = hone_lapses_add(lint->out, HONE_LAPSE_NO_DEFAULT, lint->err,
                                     "parameter '%s' has no '#ifndef' with a default",
                                     names[i]);
    }
    free(names);
    free(uses);
    return status;
}

// The end of the comment that text begins with; text itself without one.
static const char *comment_end(const char *text)
{
    if (strncmp(text, "/*", 2) == 0) {
        const char *end = strstr(text, "*/");
        return end ? end + 2 : text;
    }
    while (strncmp(text, "//", 2) == 0) {
        const char *newline = strchr(text, '\n');
        text = newline ? newline + 1 : text + strlen(text);
    }
    return text;
}

// What a caller must know stands in the comment on top.
static enum hone_status check_contract(struct lint *lint,
                                       const struct hone_template *template)
{
    static const char *const words[] = {"grid", "block", "align", "sm_", "shared"};
    const char *first = strchr(template->text, '\n'); // after the #line
    const char *text = first ? first + 1 : template->text;
    const char *end = comment_end(text);
    char missing[128] = "";
    if (end == text)
        return hone_lapses_add(
            lint->out, HONE_LAPSE_NO_CONTRACT, lint->err,
            "the template does not begin with a comment: its contract");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(text, words[i]);
        if (found && found < end) continue;
        if (strcmp(words[i], "shared") == 0 && !lint->job.geometry.shared_bytes) continue;
        const size_t used = strlen(missing);
        snprintf(missing + used, sizeof missing - used, "%s %s", used ? "," : "",
                 strcmp(words[i], "sm_") == 0 ? "architectures (sm_..)" : words[i]);
    }
    if (!missing[0]) return HONE_OK;
    return hone_lapses_add(lint->out, HONE_LAPSE_NO_CONTRACT, lint->err,
                           "the comment on top does not speak of%s", missing);
}

static enum hone_status check_text(struct lint *lint)
{
    const struct hone_template *template = hone_kernel_get_template(lint->kernel);
    const enum hone_status status = check_contract(lint, template);
    return status != HONE_OK ? status : check_uses(lint, template);
}

// --- builds ---

static enum hone_status template_lint_build(struct lint *lint, const struct hone_job *job,
                                            const char *arch,
                                            const struct hone_build **out)
{
    uint64_t ticket = 0;
    enum hone_status status =
        hone_job_queue(job, lint->builder, arch, &ticket, lint->err);
    return status != HONE_OK ? status
                             : hone_builder_take(lint->builder, ticket, out, lint->err);
}

static enum hone_status judge_build(struct lint *lint, const struct hone_build *build,
                                    const char *arch)
{
    const struct hone_resources *r = &build->resources;
    enum hone_status status = HONE_OK;
    if (r->stack_bytes > 0 || r->spill_store_bytes > 0 || r->spill_load_bytes > 0)
        status = hone_lapses_add(lint->out, HONE_LAPSE_LOCAL_MEMORY, lint->err,
                                 "%s: %d bytes of local memory, of which %d are stored "
                                 "and %d loaded by spills",
                                 arch, (int)r->stack_bytes, (int)r->spill_store_bytes,
                                 (int)r->spill_load_bytes);
    if (status == HONE_OK && strstr(build->log, "used 16 barriers"))
        status = hone_lapses_add(lint->out, HONE_LAPSE_BARRIER_ID, lint->err,
                                 "%s: a barrier's number is known at run time only, so "
                                 "that all 16 are taken",
                                 arch);
    if (status == HONE_OK && lint->job.geometry.shared_bytes && build->ptx &&
        !strstr(build->ptx, ".extern .shared"))
        status = hone_lapses_add(
            lint->out, HONE_LAPSE_NO_SHARED, lint->err,
            "%s: the launch asks for %u bytes of dynamic shared memory, the kernel "
            "declares none",
            arch, lint->job.geometry.shared_bytes);
    return status;
}

// Where it does not compile, by contract or by mistake, is for others to judge.
static enum hone_status check_builds(struct lint *lint)
{
    static const char *const arches[] = {"sm_80", "sm_90a", "sm_120"};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < sizeof arches / sizeof *arches && status == HONE_OK; i++) {
        const struct hone_build *built = NULL;
        status = template_lint_build(lint, &lint->job, arches[i], &built);
        if (status == HONE_OK && built->outcome == HONE_VALID)
            status = judge_build(lint, built, arches[i]);
        if (built) hone_build_release(built);
    }
    return status;
}

// --- values that cannot be ---

static bool takes_naturals(const struct hone_param *param)
{
    for (size_t i = 0; i < param->count; i++)
        if (param->values[i].type != HONE_INT || param->values[i].i < 0) return false;
    return true;
}

// One of the launch that the template does not read cannot be refused there.
static bool template_reads(const struct lint *lint, size_t param)
{
    const char *const names[] = {lint->space->params[param].name};
    struct hone_template_use use = {0};
    if (!hone_kernel_launch_reads(lint->kernel, param)) return true;
    hone_template_uses(hone_kernel_get_template(lint->kernel), names, 1, &use);
    return use.used;
}

// The job's source with name defined as -1.
static char *source_with(const char *source, const char *name)
{
    static const char define[] = "#define ";
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const size_t length = strlen(name);
    const char *line = source;
    while (strncmp(line, define, sizeof define - 1) == 0) {
        const char *own = line + sizeof define - 1, *end = strchr(line, '\n');
        if (strncmp(own, name, length) == 0 && own[length] == ' ')
            hone_strbuf_printf(&text, "#define %s -1\n", name);
        else
            hone_strbuf_add_bytes(&text, line, (size_t)(end + 1 - line));
        line = end + 1;
    }
    hone_strbuf_add(&text, line);
    return hone_strbuf_steal(&text);
}

static enum hone_status check_refusal(struct lint *lint, const char *name)
{
    struct hone_job job = lint->job;
    const struct hone_build *built = NULL;
    job.source = source_with(lint->job.source, name);
    if (!job.source) return hone_no_memory(lint->err, "to lint a template");
    enum hone_status status = template_lint_build(lint, &job, lint->arch, &built);
    if (status == HONE_OK && built->outcome == HONE_VALID)
        status = hone_lapses_add(lint->out, HONE_LAPSE_NO_STATIC_ASSERT, lint->err,
                                 "no static_assert refuses %s = -1: it compiles", name);
    else if (status == HONE_OK && !strstr(built->log, "static assertion failed"))
        status = hone_lapses_add(lint->out, HONE_LAPSE_NO_STATIC_ASSERT, lint->err,
                                 "no static_assert refuses %s = -1, but: %.160s", name,
                                 built->reason);
    if (built) hone_build_release(built);
    free(job.source);
    return status;
}

enum hone_status hone_template_lint(struct hone_lapses *lapses,
                                    const struct hone_kernel *kernel, uint64_t index,
                                    struct hone_builder *builder, const char *arch,
                                    struct hone_error *err)
{
    struct lint lint = {.out = lapses,
                        .kernel = kernel,
                        .space = &hone_kernel_get_def(kernel)->space,
                        .builder = builder,
                        .arch = arch,
                        .err = err};
    enum hone_status status = hone_kernel_job(&lint.job, kernel, index, NULL, err);
    if (status == HONE_OK) status = check_text(&lint);
    if (status == HONE_OK) status = check_builds(&lint);
    for (size_t i = 0; i < lint.space->param_count && status == HONE_OK; i++)
        if (takes_naturals(&lint.space->params[i]) && template_reads(&lint, i))
            status = check_refusal(&lint, lint.space->params[i].name);
    hone_job_fini(&lint.job);
    return status;
}
