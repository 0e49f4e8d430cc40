// What was found for several problems.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "print.h"
#include "report/tuning.h"
#include "tune.h"
#include "tuning/result_facts.h"

static void print_outcome(FILE *file, const char *problem,
                          const struct hone_session_result *r, const char *config)
{
    fprintf(file, "  %s", problem);
    if (!r->has_best) {
        fputs(": ", file);
        cli_print_styled(file, HONE_STYLE_BAD, "none of %zu configurations is valid",
                         r->done);
        fputc('\n', file);
        return;
    }
    char cost[48];
    hone_cost_text(cost, sizeof cost, &r->best);
    fputs(": ", file);
    cli_print_styled(file, HONE_STYLE_GOOD, "best %s", cost);
    const double gain = hone_result_gain(r).ratio;
    if (hone_default_is_best(r))
        fputs(", the default is the fastest", file);
    else if (isfinite(gain))
        fprintf(file, ", %.4gx as fast as the default", gain);
    fprintf(file, ", %zu trials\n    %s\n", r->done, config);
    tune_print_compared(file, "    ", r);
}

void tune_several_print(const struct tune *tune)
{
    const char *output = tune->args->output;
    const struct hone_tuning_facts facts = hone_tuning_facts(tune->tuning);
    const struct hone_record_info *info = facts.info;
    // The header itself may go to standard output.
    FILE *file = tune->has_header && cli_output_is_stdout(output) ? stderr : stdout;
    if (tune->file) file = tune->file;
    fprintf(file, "%s on %s: %zu problems\n", info->kernel, info->device_name,
            info->problems_count);
    for (size_t p = 0; p < info->problems_count; p++) {
        const struct hone_session_result *result;
        struct hone_strbuf text = HONE_STRBUF_INIT, best = HONE_STRBUF_INIT;
        hone_tuning_result_of(&result, &best, tune->tuning, p);
        hone_problem_apart_text(&text, info, p);
        print_outcome(file, text.data, result, best.data);
        hone_strbuf_fini(&best);
        hone_strbuf_fini(&text);
    }
    fprintf(file, "  journal %s\n", facts.journal);
    if (tune->has_header) {
        fprintf(file, "  header  %s\n", output);
        cli_print_coverage(file, &tune->coverage);
    }
}
