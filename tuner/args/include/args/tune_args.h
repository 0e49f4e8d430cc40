/* What hone tune takes from its arguments, as do commands that tune on the way. */
#ifndef HONE_ARGS_TUNE_ARGS_H
#define HONE_ARGS_TUNE_ARGS_H

#include "args/common_kinds.h"
#include "args/header_args.h"

/* Whether a timed launch finds its data in L2. */
enum hone_l2_wish { HONE_L2_COLD, HONE_L2_WARM };

struct hone_tune_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_header_args header;
    struct hone_build_args build;
    /* What options give as the library takes it; hone_tune_input_make adds the rest. */
    struct hone_tuning_options tuning;
    struct hone_budget_args budget;
    struct hone_texts warm, workers;
    enum hone_l2_wish l2;
    const char *output;
    uint64_t repeat; /* tunings */
    bool json, quiet;
};

/* They fill the argument struct of hone tune; those of script and header are apart. */
extern const struct hone_option hone_options_of_tune[];

/* Without options a tuning is like this. */
#define HONE_TUNE_DEFAULTS                                                               \
    .script.device = "auto", .tuning = {.strategy = "portfolio",                         \
                                        .strategy_timeout_s = 60,                        \
                                        .drift_every = 50,                               \
                                        .seed = 1,                                       \
                                        .any_seed = true,                                \
                                        .name_journal = true}

/* The options of the library, and what they borrow besides the arguments. */
struct hone_tune_input {
    struct hone_tuning_options options;
    struct hone_script_input script;
};

/* EUSAGE for arguments that do not go together. Release it after a failure too. */
enum hone_status hone_tune_input_make(struct hone_tune_input *out,
                                      const struct hone_tune_args *args,
                                      struct hone_error *err);
void hone_tune_input_fini(struct hone_tune_input *options);

#endif
