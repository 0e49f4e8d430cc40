// hone worker: measure for a tuner that speaks on standard input (hone tune starts it).
#include <unistd.h>

#include "args/common_kinds.h"
#include "args/script_args.h"
#include "base/file.h"
#include "cli.h"
#include "hone/pool.h"

struct worker_args {
    struct hone_words words;
    struct hone_build_args build;
    struct hone_worker_options worker;
    bool local;
};

static enum hone_status run_worker(void *args, struct hone_error *err)
{
    const struct worker_args *a = args;
    struct hone_worker_options options = a->worker;
    options.builder = hone_build_args_builder(&a->build);
    options.in = STDIN_FILENO;
    if (a->local) options.silence_s = 0; // its pipes end with a tuner of this machine
    if (isatty(STDIN_FILENO))
        return hone_fail(err, HONE_EUSAGE,
                         "a worker is started by 'hone tune', which speaks to it");
    enum hone_status status = hone_file_take_output(&options.out, err);
    if (status != HONE_OK) return status;
    bool lost = false;
    status = hone_worker_serve(&options, &lost, err);
    // The tuner was told of a failure and says it better. What is left of a lost device
    // would be released at exit, which may wait for its kernel.
    if (lost || status != HONE_OK) _exit(status == HONE_OK ? CLI_DONE : CLI_FAILED);
    return status;
}

static const struct hone_option option_table[] = {
    {"device", 'd', "DEVICE", "what to measure on: cuda:N, emu:GPU or auto [auto]",
     &hone_kind_device, offsetof(struct worker_args, worker.device)},
    {"clock", 0, NULL, "what to time by [auto]", &hone_kind_clock,
     offsetof(struct worker_args, worker.clock)},
    {"silence", 0, "TIME", "end when the tuner has said nothing for so long [60s]",
     HONE_TIME(struct worker_args, worker.silence_s)},
    {"local", 0, NULL, "a tuner of this machine started it: its silence means nothing",
     HONE_FLAG(struct worker_args, local)},
    HONE_BUILD_OPTIONS(struct worker_args),
    {0},
};

const struct hone_command cli_worker = {
    .name = "worker",
    .summary = "Measure for a hone tune elsewhere (--worker 'ssh HOST hone worker')",
    .usage = "[--device DEVICE] [--clock CLOCK]",
    .details = "Speaks a binary protocol on standard input and output, and ends with the "
               "tuner.\nNeeds neither the script nor its templates.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct worker_args),
    .defaults =
        &(const struct worker_args){.worker = {.device = "auto", .silence_s = 60}},
    .run = run_worker,
};
