// What hone check found: outcomes, where the time went, and failures by their cause.
#include <stdio.h>
#include <stdlib.h>

#include "check_command.h"
#include "print.h"
#include "record/json_out.h"
#include "report/verification.h"
#include "terminal.h"

enum { CAUSES_SHOWN = 20, TEXT_WIDTH = 100 };

static void print_fidelity(const struct hone_verification *v, FILE *file)
{
    for (size_t i = 0; i < v->done; i++) {
        const size_t alike = hone_verification_alike(v, i);
        if (alike) fprintf(file, "  fidelity: %zu %s\n", alike, v->trials[i].fidelity);
    }
}

// ---- shared memory ----

static void print_unwritten(const struct hone_verification *v, FILE *file)
{
    const struct hone_trial *most;
    const size_t count = hone_verification_unwritten_shared(v, &most);
    if (!count) return;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, most->index);
    fprintf(file,
            "  shared memory: %zu ask for more than they write, most %d of %d bytes\n"
            "      %s\n",
            count, (int)hone_trial_unwritten_shared(most),
            (int)most->resources.dynamic_shared_bytes, config.data);
    hone_strbuf_fini(&config);
}

// ---- what could not be judged ----

static void print_unjudged(const struct hone_verification *v, FILE *file)
{
    double most;
    if (hone_verification_judges(v)) return;
    const size_t count = hone_verification_unwritten_outputs(v, &most);
    fprintf(file, "  no reference: values were not judged\n");
    if (count)
        fprintf(
            file,
            "  note: %zu leave elements of outputs unwritten, at most %.0f; whether they "
            "may was not judged\n",
            count, most);
}

// ---- text ----

// "  4 crashed (out_of_bounds): "; the columns that it takes.
static size_t print_count(const struct hone_failure_cause *cause, FILE *file)
{
    const enum hone_style style = cli_outcome_style(cause->outcome);
    const enum hone_finding finding = cause->example->found->finding;
    cli_style_begin(file, style);
    int column =
        fprintf(file, "  %zu %s", cause->count, hone_outcome_name(cause->outcome));
    if (finding) column += fprintf(file, " (%s)", hone_finding_name(finding));
    column += fprintf(file, ": ");
    cli_style_end(file, style);
    return column > 0 ? (size_t)column : 0;
}

// Its first configuration with its whole reason, as a place without numbers is none.
static void print_cause(const struct hone_verification *v,
                        const struct hone_failure_cause *cause, FILE *file)
{
    struct hone_strbuf config = HONE_STRBUF_INIT, reason = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, cause->example->index);
    hone_text_wrap(&reason, cause->example->reason, print_count(cause, file), 6,
                   TEXT_WIDTH);
    fprintf(file, "%s\n", reason.data);
    if (config.len)
        fprintf(file, "      %s%s\n", cause->count > 1 ? "first: " : "", config.data);
    hone_strbuf_fini(&reason);
    hone_strbuf_fini(&config);
}

static void print_same(const struct hone_verification *v, FILE *file)
{
    const struct hone_verification_same *same = &v->same;
    if (!same->recording) return;
    fprintf(file,
            "  compared with %s: %zu of %zu have the same bits, %zu differ and may\n",
            v->options->same_as, same->equal, v->done, same->apart);
}

// A waiver that let nothing pass: the findings of its kind are elsewhere, or there are
// none.
static void print_unused_waiver(const struct hone_verification *v, size_t index,
                                FILE *file)
{
    const struct hone_waiver *waiver =
        &hone_kernel_get_def(v->bench.kernel)->waivers[index];
    const struct hone_trial *first;
    const size_t count = hone_verification_unwaived(v, waiver, &first);
    char text[256];
    hone_waiver_text(text, sizeof text, waiver);
    fprintf(file, "  waiver %zu (%s) ", index + 1, text);
    if (!first) {
        fprintf(file, "was not needed\n");
        return;
    }
    fprintf(file, "fits none of %zu configuration%s with that finding", count,
            count == 1 ? "" : "s");
    if (first->found->file[0])
        fprintf(file, ", found at %s:%u", first->found->file, first->found->line);
    if (first->found->buffer[0]) fprintf(file, " in buffer %s", first->found->buffer);
    fprintf(file, "\n");
}

// A device that does not look for races has no use for waivers and cannot tell, nor can a
// check that was interrupted.
static void print_waivers(const struct hone_verification *v, FILE *file)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    cli_print_waivers(file, def->waivers, def->waiver_count, v->waived);
    if (v->done < v->count || !hone_device_is_emulated(v->crew.device)) return;
    for (size_t i = 0; i < def->waiver_count; i++)
        if (!v->waived[i]) print_unused_waiver(v, i, file);
}

static void print_skips(const struct hone_verification *v, FILE *file)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    for (size_t i = 0; i < def->verify_count; i++)
        cli_print_skips(file, def, i, hone_verification_skips(v, i), false);
}

void check_print_text(const struct hone_verification *v, FILE *file)
{
    cli_terminal_fold();
    struct hone_failure_causes causes = hone_failure_causes(v);
    char done[32], all[32];
    hone_count_text(done, sizeof done, (double)v->done);
    hone_count_text(all, sizeof all, (double)hone_space_count(v->bench.space));
    fprintf(file,
            "%s on %s: %s of %s configurations checked in %.1f s: ", v->options->script,
            v->crew.device, done, all, v->seconds);
    cli_print_outcomes(file, v->outcomes);
    fputc('\n', file);
    fprintf(file, "  thread time: %.1f s building, %.1f s verifying\n", v->build_seconds,
            v->verify_seconds);
    cli_print_sizes(file, &v->sizes, hone_verification_seed(v));
    print_skips(v, file);
    print_unjudged(v, file);
    print_fidelity(v, file);
    print_same(v, file);
    print_unwritten(v, file);
    for (size_t i = 0; i < causes.count && i < CAUSES_SHOWN; i++)
        print_cause(v, &causes.items[i], file);
    if (causes.count > CAUSES_SHOWN)
        fprintf(file, "  and %zu more causes\n", causes.count - CAUSES_SHOWN);
    cli_print_hidden(file, v->bench.kernel, v->outcomes);
    print_waivers(v, file);
    free(causes.items);
}

// ---- --lint ----

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
