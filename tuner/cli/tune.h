/* hone tune in parts: the target (a script on a device, or a recording), its journal, its
 * summary. */
#ifndef HONE_CLI_TUNE_H
#define HONE_CLI_TUNE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "header_command.h"
#include "hone/pool.h"
#include "hone/session.h"
#include "record/problem_list.h"
#include "strategy_args.h"
#include "tuning/named_strategy.h"

struct tune_args {
    struct cli_words words;
    struct cli_script_args script;
    struct cli_header_args header;
    struct cli_build_args build;
    const char *strategy;
    struct cli_budget budget;
    uint64_t seed;
    const char *journal;
    const char *output;
    const char *calibrate;
    struct cli_list warm;
    const char *on_strategy_error;
    uint64_t strategy_timeout; /* seconds */
    const char *isolate;       /* "yes", "no", "auto" */
    const char *sustained;     /* likewise: times of the finals */
    const char *clock;         /* "auto", "cupti", "event", "graph" */
    const char *l2;            /* "cold", "warm" */
    const char *objective;
    uint64_t drift_check; /* trials; 0: never */
    struct cli_list workers;
    struct cli_budget launch_deadline, build_deadline; /* in seconds */
    uint64_t repeat;                                   /* tunings */
    const char *problems;
    bool no_wait;
    bool resume, no_verify, no_race, no_finals, json, quiet;
};

/* One of several problems, and what is done with it: searched, or measured with the best
 * configurations of the others. */
struct tune_part {
    const struct hone_problem_list *problems;
    size_t number;
    const struct hone_record_info *whole; /* of the journal there is; NULL: not yet */
    bool cross;
    double seconds;                /* to spend; 0: no limit */
    struct hone_builder **builder; /* of all parts, made by the first that builds here */
    int *lock; /* of the journal, from one part to the next; -1: not yet */
};

struct tune {
    const struct tune_args *args;
    const struct tune_part *part; /* NULL: the script's own problem, alone */
    struct hone_arena arena;

    struct hone_named_strategy strategy;
    enum hone_on_error on_error;
    enum hone_clock clock; /* wished for */
    bool warm_cache;
    enum hone_objective objective;
    struct hone_workbench bench;      /* of a script */
    struct hone_pool *pool;           /* NULL when this process measures */
    int gpu_lock;                     /* held where it does; -1: none */
    struct hone_recording *recording; /* of a replay */
    const struct hone_space *space;   /* of either */
    struct hone_evaluator *evaluator;
    struct hone_record_info info;
    bool predicts;   /* the device's figures are predictions */
    bool silent;     /* no summary: it is one of several tunings */
    bool has_header; /* it was written */

    struct hone_journal *journal;
    struct hone_recording *done; /* what the journal held before; or NULL */
    char *journal_path;
    bool journal_is_temporary;
    struct hone_trial *resumed;
    size_t resumed_count;
    uint64_t *start; /* the default, then what --warm proposes */
    size_t start_count;
    struct hone_expectation *expectation; /* of --warm, or of other problems; or NULL */
    size_t fresh;      /* how many of start a cross measurement lacks */
    uint64_t *retried; /* an earlier run was killed over these */
    size_t retried_count;

    struct hone_session_result result;
    struct hone_trial first_failure; /* outcome VALID while there is none */
};

/* The name after "replay:" of the device option, or NULL. */
const char *tune_replay_path(const struct tune_args *args);

enum hone_status tune_open_target(struct tune *tune, struct hone_error *err);

/* The target of a script: its evaluator measures here or in workers (--isolate). */
enum hone_status tune_open_script(struct tune *tune, struct hone_error *err);

/* Put the correction by the journal of --calibrate before the evaluator. */
enum hone_status tune_calibrate(struct tune *tune, struct hone_error *err);

/* Where the search starts: default and journals of --warm. */
enum hone_status tune_choose_start(struct tune *tune, uint64_t budget,
                                   struct hone_error *err);

/* Start or continue the journal. Without --journal a script gets NAME-DEVICE.jsonl in the
 * working folder (numbered where that exists), a replay a temporary one. */
enum hone_status tune_open_journal(struct tune *tune, struct hone_error *err);
/* Close it, keep it readable for the header. */
enum hone_status tune_close_journal(struct tune *tune, struct hone_error *err);

/* Where part of several problems starts, once the journal is open: with what was found
 * for the others. */
enum hone_status tune_cross_start(struct tune *tune, struct hone_error *err);

/* What was found, on stdout (on stderr when the header goes to stdout). */
void tune_print_text(const struct tune *tune);
enum hone_status tune_print_json(const struct tune *tune, struct hone_error *err);

/* What became of comparing results at the tuned size; nothing where nobody did. */
void tune_print_compared(FILE *file, const char *indent,
                         const struct hone_session_result *result);

/* One tuning from its arguments to its summary. tune_close also after a failure. */
enum hone_status tune_run(struct tune *tune, struct hone_error *err);
void tune_close(struct tune *tune);

/* tune_run in three steps; the last is told what became of the second. */
enum hone_status tune_prepare(struct tune *tune, struct hone_error *err);
enum hone_status tune_search(struct tune *tune, struct hone_error *err);
enum hone_status tune_write_header(const struct tune *tune, struct hone_error *err);

/* The problems of --problems, or else of the script; count 0: just the script's own. */
enum hone_status tune_problems(struct hone_problem_list *out,
                               const struct tune_args *args, struct hone_error *err);
/* What was found for one of several problems. */
struct tune_outcome {
    struct hone_session_result result;
    char *config; /* of the best, as text; owned */
};
/* "M=512 N=64": the sizes that are not the same in all problems. */
void tune_problem_text(struct hone_strbuf *out, const struct hone_problem_list *problems,
                       size_t number, const struct hone_constant *names, size_t count);
void tune_several_print(const struct tune_args *args,
                        const struct hone_problem_list *problems,
                        const struct hone_record_info *info,
                        const struct tune_outcome *outcomes, const char *journal);
enum hone_status tune_several_json(const struct tune_args *args,
                                   const struct hone_problem_list *problems,
                                   const struct hone_record_info *info,
                                   const struct tune_outcome *outcomes,
                                   const char *journal, struct hone_error *err);

/* All of them, in one journal. */
enum hone_status tune_several(const struct tune_args *args,
                              const struct hone_problem_list *problems,
                              struct hone_error *err);

/* As many tunings as args->repeat, with seeds that count up, and how often each winner
 * won. Journals are numbered. Stops at the first that fails. */
enum hone_status tune_repeat(const struct tune_args *args, struct hone_error *err);

#endif
