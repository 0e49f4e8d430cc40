// hone check --lint: what a template lacks, by what its default configuration shows.
#include <stdio.h>

#include "check_command.h"
#include "evaluate/template_lint.h"
#include "print.h"
#include "record/json_out.h"

static enum hone_status add_unwritten(struct hone_lapses *lapses,
                                      const struct hone_trial *trial,
                                      struct hone_error *err)
{
    const int32_t unwritten = check_unwritten_bytes(trial);
    if (!unwritten) return HONE_OK;
    return hone_lapses_add(lapses, HONE_LAPSE_SHARED_UNWRITTEN, err,
                           "the last %d of %d bytes of dynamic shared memory are not "
                           "written at any size of verify: launch.shared asks for too "
                           "much, or these are too small",
                           (int)unwritten, (int)trial->resources.dynamic_shared_bytes);
}

static void print_text(const struct check *c, const struct hone_lapses *lapses)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    cli_config_text(&config, c->bench.space, c->indices[0]);
    printf("%s: lint of %s: %zu finding%s\n  %s\n", c->args->words.items[0],
           hone_kernel_get_def(c->bench.kernel)->template_path, lapses->count,
           lapses->count == 1 ? "" : "s", config.data);
    for (size_t i = 0; i < lapses->count; i++)
        printf("  %s\n", lapses->items[i].text);
    hone_strbuf_fini(&config);
}

static enum hone_status print_json(const struct check *c,
                                   const struct hone_lapses *lapses,
                                   struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "script", c->args->words.items[0]);
    hone_json_text(root, "template", hone_kernel_get_def(c->bench.kernel)->template_path);
    hone_json_child(root, "config", cli_config_json(c->bench.space, c->indices[0]));
    for (size_t i = 0; i < lapses->count; i++) {
        struct json_t *object = hone_json_object();
        hone_json_text(object, "kind", hone_lapse_name(lapses->items[i].kind));
        hone_json_text(object, "text", lapses->items[i].text);
        hone_json_append(list, object);
    }
    hone_json_child(root, "lint", list);
    return hone_json_print(root, stdout, err);
}

enum hone_status check_lint(struct check *c, struct hone_error *err)
{
    struct hone_lapses lapses = {0};
    enum hone_status status =
        hone_template_lint(&lapses, c->bench.kernel, c->indices[0], c->bench.builder,
                           c->bench.limits.arch, err);
    if (!status) status = add_unwritten(&lapses, &c->trials[0], err);
    if (!status && c->args->json)
        status = print_json(c, &lapses, err);
    else if (!status)
        print_text(c, &lapses);
    if (!status && lapses.count)
        status = hone_fail(err, HONE_EDEVICE, "the template has %zu finding%s",
                           lapses.count, lapses.count == 1 ? "" : "s");
    hone_lapses_fini(&lapses);
    return status;
}
