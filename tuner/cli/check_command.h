/* hone check, between its files: check.c runs it, check_crew.c opens the devices,
 * check_report.c and
 * check_sarif.c say what was found, check_lint.c what a template lacks, check_same.c
 * whether results have the bits of another run, check_dump.c prints what a stage made. */
#ifndef HONE_CLI_CHECK_COMMAND_H
#define HONE_CLI_CHECK_COMMAND_H

#include <stdio.h>

#include "hone/pool.h"
#include "script_args.h"

struct check_args {
    struct cli_words words;
    struct cli_script_args script;
    struct cli_build_args build;
    uint64_t sample;
    uint64_t seed;
    struct cli_budget launch_deadline; /* in seconds */
    const char *same_as;
    const char *sarif; /* NULL: not wanted */
    const char *dump;  /* stage; NULL: none */
    bool all, lint, json, quiet;
};

/* What a journal's run computed, configuration by configuration. */
struct check_same {
    struct hone_recording *recording; /* NULL: nothing to compare with */
    struct check_known {
        uint64_t index; /* in the space at hand */
        const struct hone_trial *trial;
    } * known; /* sorted by index */
    size_t count;
    size_t equal, apart;      /* apart: where that may be, see check_same_judge */
    struct hone_value *drawn; /* sizes that it was verified at, as evaluators take them */
};

/* The evaluator: of workers on GPUs; or, where the device is emulated, of several, each
 * with a device of its own. */
struct check_crew {
    struct hone_evaluator *evaluator;
    const char *device;           /* "cuda:0" */
    struct hone_pool *pool;       /* NULL when this process checks */
    struct hone_device **devices; /* beside bench's */
    size_t device_count;
};
void check_crew_close(struct check_crew *crew); /* {0} is fine */

struct check {
    const struct check_args *args;
    struct hone_workbench bench;
    struct check_crew crew;
    struct check_same same;
    uint64_t *indices;
    size_t count;
    struct hone_trial *trials; /* as they came */
    size_t done;
    size_t outcomes[HONE_OUTCOME_COUNT];
    struct hone_size_counts sizes;  /* that they are verified at */
    size_t waived[HONE_WAIVER_MAX]; /* configurations that each waiver let pass */
    double seconds;
    double build_seconds, verify_seconds; /* summed over the threads */
};

/* Of the input data: the journal's, where results are to be the same. */
uint64_t check_seed(const struct check *check);

/* Draw the configurations to check from the bench's space. */
enum hone_status check_choose(struct check *check, struct hone_error *err);

/* Open the bench for the device of the arguments, choose, and open the crew. options get
 * the sizes of the journal. */
enum hone_status check_crew_open(struct check *check,
                                 struct hone_evaluate_options *options,
                                 struct hone_error *err);

/* EUSAGE with the stages that there are, where this is none. */
enum hone_status check_dump_expect(const char *stage, struct hone_error *err);
/* Open the bench and print what the stage made of the default configuration, or of the
 * first one. */
enum hone_status check_dump(struct check *check, struct hone_error *err);

/* Load the journal of --same-as. */
enum hone_status check_same_load(struct check *check, struct hone_error *err);
/* Choose from its configurations that the space at hand has, most of them at most; fills
 * indices, which has room, and count. */
enum hone_status check_same_choose(struct check *check, uint64_t most,
                                   struct hone_error *err);
/* Verify at the sizes that its run drew: others would be drawn where a parameter is
 * pinned. They stay the check's. EINPUT where the script's problem has other names. */
enum hone_status check_same_sizes(struct check *check,
                                  struct hone_evaluate_options *options,
                                  struct hone_error *err);
/* Compare: what has other bits although both are exact, on GPUs with as many
 * multiprocessors, becomes a wrong result. */
void check_same_judge(struct check *check, struct hone_trial *trial);
void check_same_close(struct check_same *same); /* {0} is fine */

/* Bytes of dynamic shared memory that trial asks for and never writes, where they are
 * many; 0 where they are not, or not known. */
int32_t check_unwritten_bytes(const struct hone_trial *trial);

/* There is a reference to compare results with. */
bool check_judges(const struct check *check);

/* A rejected configuration is over a limit of this device and an unsupported one was not
 * judged: neither says that the template is wrong. */
bool check_is_failure(enum hone_outcome outcome);

void check_print_text(const struct check *check, FILE *file);
enum hone_status check_print_json(const struct check *check, struct hone_error *err);

/* Findings and waivers as SARIF 2.1.0, in a file or, "-", on standard output. */
enum hone_status check_write_sarif(const struct check *check, const char *path,
                                   struct hone_error *err);

/* What the template lacks, by the default configuration, which was checked; EDEVICE when
 * it lacks something. */
enum hone_status check_lint(struct check *check, struct hone_error *err);

#endif
