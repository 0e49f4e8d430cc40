#include "args/common_kinds.h"

#include <stdio.h>

#include "base/quantity.h"
#include "device/emu.h"
#include "hone/device.h"
#include "hone/exchange.h"
#include "hone/tuning.h"
#include "options/command.h"
#include "tuning/named_strategy.h"
#include "tuning/verification.h"

static enum hone_status store_budget(const struct hone_option *option, void *field,
                                     const char *text, struct hone_error *err)
{
    struct hone_budget_args budget = {0};
    const bool is_time = hone_parse_seconds(&budget.seconds, text, 0);
    if (is_time ? budget.seconds > 0
                : hone_parse_count(&budget.evaluations, text) && budget.evaluations) {
        *(struct hone_budget_args *)field = budget;
        return HONE_OK;
    }
    return hone_option_refuse(
        option, "a number of evaluations (200) or a time (30s, 5m, 2h)", text, err);
}

const struct hone_option_kind hone_kind_budget = {.store = store_budget};

static const struct hone_choice wish_words[] = {
    {"yes", HONE_WISH_YES}, {"no", HONE_WISH_NO}, {"auto", HONE_WISH_AUTO}, {0}};
const struct hone_option_kind hone_kind_wish = HONE_CHOICE_KIND(wish_words);

static const struct hone_choice clock_words[] = {{"auto", HONE_CLOCK_NONE},
                                                 {"cupti", HONE_CLOCK_CUPTI},
                                                 {"event", HONE_CLOCK_EVENT},
                                                 {"graph", HONE_CLOCK_GRAPH},
                                                 {0}};
const struct hone_option_kind hone_kind_clock = HONE_CHOICE_KIND(clock_words);

static const struct hone_choice objective_words[] = {
#define OBJECTIVE_WORD(name, text, record) {text, HONE_OBJECTIVE_##name},
    HONE_OBJECTIVE_LIST(OBJECTIVE_WORD)
#undef OBJECTIVE_WORD
        {0}};
const struct hone_option_kind hone_kind_objective = HONE_CHOICE_KIND(objective_words);

static const struct hone_choice color_words[] = {{"auto", HONE_COLOR_AUTO},
                                                 {"always", HONE_COLOR_ALWAYS},
                                                 {"never", HONE_COLOR_NEVER},
                                                 {0}};
const struct hone_option_kind hone_kind_color = HONE_CHOICE_KIND(color_words);

static const struct hone_choice on_error_words[] = {
    {"random", HONE_ON_ERROR_RANDOM}, {"stop", HONE_ON_ERROR_STOP}, {0}};
const struct hone_option_kind hone_kind_on_error = HONE_CHOICE_KIND(on_error_words);

// No driver is asked: completions are written where the program is built.
static bool device_word(char *buf, size_t size, size_t i)
{
    static const char *const others[] = {"auto", "cuda:0", "replay:"};
    enum { OTHERS = sizeof others / sizeof *others };
    if (i < OTHERS) return snprintf(buf, size, "%s", others[i]) > 0;
    const char *gpu = hone_emu_name(i - OTHERS);
    return gpu && snprintf(buf, size, "emu:%s", gpu) > 0;
}

const struct hone_option_kind hone_kind_device = {.store = hone_store_text,
                                                  .word = device_word};

// Files and programs are opened when they are needed: a program is started by that.
static enum hone_status store_strategy(const struct hone_option *option, void *field,
                                       const char *text, struct hone_error *err)
{
    enum hone_status status = hone_store_text(option, field, text, err);
    return status == HONE_OK ? hone_named_strategy_check(text, err) : status;
}

static bool strategy_word(char *buf, size_t size, size_t i)
{
    if (!hone_strategies[i]) return false;
    snprintf(buf, size, "%s", hone_strategies[i]->name);
    return true;
}

const struct hone_option_kind hone_kind_strategy = {.store = store_strategy,
                                                    .word = strategy_word};

static bool stage_word(char *buf, size_t size, size_t i)
{
    const char *name = hone_stage_name(i);
    return name && snprintf(buf, size, "%s", name) > 0;
}

static enum hone_status store_stage(const struct hone_option *option, void *field,
                                    const char *text, struct hone_error *err)
{
    enum hone_status status = hone_stage_expect(text, err);
    return status == HONE_OK ? hone_store_text(option, field, text, err) : status;
}

const struct hone_option_kind hone_kind_stage = {.store = store_stage,
                                                 .word = stage_word};

static const struct hone_choice format_words[] = {
#define FORMAT_WORD(name, text) {text, HONE_FORMAT_##name},
    HONE_FORMAT_LIST(FORMAT_WORD)
#undef FORMAT_WORD
        {"auto", HONE_FORMAT_AUTO},
    {0}};
const struct hone_option_kind hone_kind_format = HONE_CHOICE_KIND(format_words);
