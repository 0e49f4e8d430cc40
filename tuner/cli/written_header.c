#include "written_header.h"

#include <stdlib.h>

#include "base/log.h"
#include "emit/shipped.h"
#include "output.h"

static enum hone_status check_second(const char *path, struct hone_error *err)
{
    if (cli_output_is_stdout(path))
        return hone_fail(err, HONE_EUSAGE,
                         "--shape runtime makes two files: say -o FILE");
    char *second = hone_emit_second_path(path);
    enum hone_status status = second ? cli_output_check(second, err)
                                     : hone_no_memory(err, "for the name of a file");
    free(second);
    return status;
}

enum hone_status cli_header_check(const char *path, const struct hone_header_args *args,
                                  bool json, struct hone_error *err)
{
    if (json && cli_output_is_stdout(path))
        return hone_fail(err, HONE_EUSAGE, "--json and -o - both want standard output");
    enum hone_status status = hone_header_args_check(args, err);
    if (status == HONE_OK && args->shape == HONE_SHAPE_RUNTIME)
        status = check_second(path, err);
    return status == HONE_OK ? cli_output_check(path, err) : status;
}

static bool loses_payload(const char *path, const struct hone_header_options *options)
{
    return options->emit.shape == HONE_SHAPE_TABLE &&
           options->payload.kind == HONE_PAYLOAD_NONE && !cli_output_is_stdout(path) &&
           hone_shipped_has_payload(path);
}

// All that is to be written is made by then: a failure leaves old files as they are.
static enum hone_status write_files(struct cli_written_header *out, const char *path,
                                    struct hone_made_header *made,
                                    const struct hone_header_options *options,
                                    struct hone_error *err)
{
    const bool loses = loses_payload(path, options);
    enum hone_status status = HONE_OK;
    if (options->emit.shape == HONE_SHAPE_RUNTIME) {
        out->second = hone_emit_second_path(path);
        if (!out->second) return hone_no_memory(err, "for the name of a file");
        status = cli_output_write(out->second, &made->second, HONE_OK, err);
    }
    status = cli_output_write(path, &made->text, status, err);
    if (status == HONE_OK && loses)
        hone_log(HONE_LOG_WARNING,
                 "'%s' is replaced%s: it had a payload, which --payload gives anew", path,
                 options->count ? "" : " by the author's default");
    return status;
}

enum hone_status cli_header_write(struct cli_written_header *out, const char *path,
                                  const struct hone_header_args *args,
                                  const struct hone_script_args *script_args,
                                  const struct hone_header_options *options,
                                  struct hone_error *err)
{
    struct hone_script_input script = {0};
    struct hone_made_header made = {0};
    struct hone_header_options with = *options;
    hone_header_args_apply(&with, args, &script);
    enum hone_status status = hone_script_input_make(&script, script_args, err);
    if (status == HONE_OK) status = hone_header_make(&made, &with, err);
    if (status == HONE_OK) status = write_files(out, path, &made, &with, err);
    out->coverage = made.coverage;
    made.coverage = (struct hone_coverage){0};
    hone_made_header_fini(&made);
    hone_script_input_fini(&script);
    return status;
}

void cli_written_header_fini(struct cli_written_header *written)
{
    hone_coverage_fini(&written->coverage);
    free(written->second);
}

static void print_gap(FILE *file, const struct hone_coverage *coverage,
                      const struct hone_coverage_gap *gap)
{
    fprintf(file, "    %s", gap->what);
    if (*gap->problem) fprintf(file, " (%s)", gap->problem);
    if (gap->device_count == coverage->device_count) {
        fprintf(file, ": on no GPU\n");
        return;
    }
    for (size_t i = 0; i < gap->device_count; i++)
        fprintf(file, "%s%s", i ? ", " : ": not on ", gap->devices[i]);
    fprintf(file, "\n");
}

void cli_print_coverage(FILE *file, const struct hone_coverage *coverage)
{
    size_t missed = 0;
    if (!coverage->device_count) return;
    for (size_t i = 0; i < coverage->gap_count; i++)
        missed += coverage->gaps[i].problems;
    fprintf(file, "  coverage: %zu of %zu sizes run on all of %zu GPUs asked%s\n",
            coverage->asked - missed, coverage->asked, coverage->device_count,
            missed ? "; nothing runs for" : "");
    for (size_t i = 0; i < coverage->gap_count; i++)
        print_gap(file, coverage, &coverage->gaps[i]);
}

void cli_print_coverage_beside(const char *path, const struct hone_coverage *coverage)
{
    const bool alone = cli_output_is_stdout(path);
    if (!alone || coverage->gap_count)
        cli_print_coverage(alone ? stderr : stdout, coverage);
}
