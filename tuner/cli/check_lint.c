// hone check --lint: what a template lacks, by what its default configuration shows.
#include <stdio.h>

#include "check_command.h"
#include "print.h"
#include "record/json_out.h"
#include "report/verification.h"

static void print_lint_text(const struct hone_verification *v,
                            const struct hone_lapses *lapses)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, v->indices[0]);
    printf("%s: lint of %s: %zu finding%s\n  %s\n", v->options->script,
           hone_kernel_get_def(v->bench.kernel)->template_path, lapses->count,
           lapses->count == 1 ? "" : "s", config.data);
    for (size_t i = 0; i < lapses->count; i++)
        printf("  %s\n", lapses->items[i].text);
    hone_strbuf_fini(&config);
}

enum hone_status check_lint(const struct hone_verification *v, bool json,
                            struct hone_error *err)
{
    struct hone_lapses lapses = {0};
    enum hone_status status = hone_verification_lint(&lapses, v, err);
    if (status == HONE_OK && json)
        status = hone_json_print(hone_template_lint_json(v, &lapses), stdout, err);
    else if (status == HONE_OK)
        print_lint_text(v, &lapses);
    if (status == HONE_OK && lapses.count)
        status = hone_fail(err, HONE_EDEVICE, "the template has %zu finding%s",
                           lapses.count, lapses.count == 1 ? "" : "s");
    hone_lapses_fini(&lapses);
    return status;
}
