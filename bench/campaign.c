// What a campaign costs beside its runs: 10,000 runs on 64 virtual nodes, whose runs take
// no time but that of a clock of their own. Prints the overhead of a run, the size of the
// state, and how long list and status take.
//   hone_bench_campaign [RUNS [NODES]]
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "campaign/engine.h"
#include "campaign/overview.h"
#include "hone/rng.h"

enum { TRIALS = 60, PROBLEMS = 100 };

// A virtual cluster: a run ends when its time has come.
struct nodes {
    double clock;
    struct hone_rng rng;
    const char *journal; // that each run leaves
    size_t size;
};

struct virtual_run {
    double end;
};

static void die(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static enum hone_status node_start(void *context, void **process, const char *const *argv,
                                   int log, struct hone_error *err)
{
    struct nodes *nodes = context;
    struct virtual_run *run = malloc(sizeof *run);
    const char *journal = NULL;
    (void)log;
    (void)err;
    for (size_t i = 0; argv[i]; i++)
        if (strcmp(argv[i], "--journal") == 0) journal = argv[i + 1];
    const int fd = journal ? open(journal, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (!run || fd < 0 || write(fd, nodes->journal, nodes->size) != (ssize_t)nodes->size)
        die("a virtual run cannot be started");
    close(fd);
    run->end = nodes->clock + 60 + 540 * hone_rng_double(&nodes->rng);
    *process = run;
    return HONE_OK;
}

static void node_wait(void *context, void *const *processes, size_t count, double seconds)
{
    struct nodes *nodes = context;
    double next = INFINITY;
    (void)seconds;
    for (size_t i = 0; i < count; i++) {
        const struct virtual_run *run = processes[i];
        if (run && run->end < next) next = run->end;
    }
    if (next > nodes->clock) nodes->clock = next;
}

static bool node_ended(void *context, void *process, int log, int *code)
{
    const struct nodes *nodes = context;
    (void)log;
    *code = 0;
    return nodes->clock >= ((struct virtual_run *)process)->end;
}

static void node_stop(void *context, void *process)
{
    (void)context;
    (void)process;
}

static void node_release(void *context, void *process)
{
    (void)context;
    free(process);
}

static double node_now(void *context)
{
    return ((struct nodes *)context)->clock;
}

static char *make_journal(size_t *size)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"scale\",\"params\":["
                    "{\"name\":\"B\",\"values\":[");
    for (int i = 0; i < TRIALS; i++)
        hone_strbuf_printf(&text, "%s%d", i ? "," : "", i);
    hone_strbuf_add(&text, "]}],\"objective\":\"predicted_us\",\"default\":[0]}\n");
    for (int i = 0; i < TRIALS; i++)
        hone_strbuf_printf(
            &text, "{\"config\":[%d],\"outcome\":\"valid\",\"predicted_us\":%d}\n", i,
            100 + i * 7 % 61);
    *size = text.len;
    return hone_strbuf_steal(&text);
}

// As many kernels, each of PROBLEMS problems, as the runs need; two devices share them.
static void write_campaign(const char *path, size_t runs, size_t nodes)
{
    FILE *file = fopen(path, "w");
    if (!file) die("the campaign cannot be written");
    fprintf(file,
            "local hone = require \"hone\"\nlocal kernels = {}\n"
            "for k = 1, %zu do\n    local problems = {}\n"
            "    for i = 1, %d do problems[i] = { N = 1000 * k + i } end\n"
            "    kernels[k] = { script = \"" HONE_SOURCE_DIR
            "/tests/cli/scripts/scale.lua\", problems = problems }\nend\n"
            "return hone.campaign { kernels = kernels, budget = %d, devices = {\n"
            "    { id = \"emu:a100\", at_once = %zu }, { id = \"emu:h100\", at_once "
            "= %zu } } }\n",
            (runs + 2 * PROBLEMS - 1) / (2 * PROBLEMS), PROBLEMS, TRIALS, nodes / 2,
            nodes - nodes / 2);
    fclose(file);
}

static long du(const char *folder, const char *what)
{
    char line[512];
    long bytes = 0;
    snprintf(
        line, sizeof line,
        "find %s/c.runs -name '%s' -printf '%%s\\n' | awk '{ n += $1 } END { print n }'",
        folder, what);
    FILE *pipe = popen(line, "r");
    if (!pipe || fscanf(pipe, "%ld", &bytes) != 1) bytes = 0;
    if (pipe) pclose(pipe);
    return bytes;
}

static double time_status(const struct hone_campaign *campaign)
{
    struct hone_overview overview;
    struct hone_error err = {0};
    const double begun = hone_clock_seconds();
    if (hone_overview_make(&overview, campaign, &err) != HONE_OK) die(err.text);
    const double seconds = hone_clock_seconds() - begun;
    printf("  %zu waiting, %zu running, %zu done\n", overview.counts[HONE_RUN_WAITING],
           overview.counts[HONE_RUN_RUNNING], overview.counts[HONE_RUN_DONE]);
    hone_overview_fini(&overview);
    return seconds;
}

int main(int argc, char **argv)
{
    const size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
    char folder[] = "/tmp/hone-bench-campaign-XXXXXX", path[64], line[96];
    struct nodes nodes = {0};
    struct hone_engine_result result;
    struct hone_campaign *campaign;
    struct hone_error err = {0};
    if (!mkdtemp(folder)) die("there is no room in /tmp");
    snprintf(path, sizeof path, "%s/c.lua", folder);
    hone_rng_seed(&nodes.rng, 1);
    nodes.journal = make_journal(&nodes.size);
    write_campaign(path, runs, count);

    double begun = hone_clock_seconds();
    if (hone_campaign_open(&campaign, path, &err) != HONE_OK) die(err.text);
    printf("list of %zu runs: %.3f s\n", campaign->run_count,
           hone_clock_seconds() - begun);
    printf("status before: %.3f s\n", time_status(campaign));

    bool *chosen = malloc(campaign->run_count);
    if (!chosen) die("no memory");
    memset(chosen, true, campaign->run_count);
    const struct hone_starter starter = {node_start,   node_wait, node_ended, node_stop,
                                         node_release, node_now,  &nodes};
    const struct hone_engine_options options = {
        .campaign = campaign, .chosen = chosen, .program = "hone", .starter = &starter};
    begun = hone_clock_seconds();
    if (hone_engine_local(&result, &options, &err) != HONE_OK) die(err.text);
    const double seconds = hone_clock_seconds() - begun;
    printf("%zu runs on %zu virtual nodes: %.1f h of theirs, %.2f s of ours, %.3f ms a "
           "run\n",
           result.done, count, nodes.clock / 3600, seconds,
           1e3 * seconds / (double)campaign->run_count);
    printf("state: %.0f bytes a run besides its journal\n",
           (double)du(folder, "events.jsonl") / (double)campaign->run_count);
    printf("status after: %.3f s\n", time_status(campaign));
    hone_campaign_close(campaign);
    free(chosen);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}
