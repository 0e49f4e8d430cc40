#include "common_kinds.h"

#include <stdio.h>

#include "color.h"
#include "device/emu.h"
#include "hone/device.h"
#include "hone/tuning.h"
#include "tuning/named_strategy.h"

static const struct cli_choice wish_words[] = {
    {"yes", HONE_WISH_YES}, {"no", HONE_WISH_NO}, {"auto", HONE_WISH_AUTO}, {0}};
const struct cli_kind cli_wish_kind = {.store = cli_store_choice, .choices = wish_words};

static const struct cli_choice clock_words[] = {{"auto", HONE_CLOCK_NONE},
                                                {"cupti", HONE_CLOCK_CUPTI},
                                                {"event", HONE_CLOCK_EVENT},
                                                {"graph", HONE_CLOCK_GRAPH},
                                                {0}};
const struct cli_kind cli_clock_kind = {.store = cli_store_choice,
                                        .choices = clock_words};

static const struct cli_choice objective_words[] = {
#define OBJECTIVE_WORD(name, text, record) {text, HONE_OBJECTIVE_##name},
    HONE_OBJECTIVE_LIST(OBJECTIVE_WORD)
#undef OBJECTIVE_WORD
        {0}};
const struct cli_kind cli_objective_kind = {.store = cli_store_choice,
                                            .choices = objective_words};

static const struct cli_choice color_words[] = {{"auto", HONE_COLOR_AUTO},
                                                {"always", HONE_COLOR_ALWAYS},
                                                {"never", HONE_COLOR_NEVER},
                                                {0}};
const struct cli_kind cli_color_kind = {.store = cli_store_choice,
                                        .choices = color_words};

static const struct cli_choice on_error_words[] = {
    {"random", HONE_ON_ERROR_RANDOM}, {"stop", HONE_ON_ERROR_STOP}, {0}};
const struct cli_kind cli_on_error_kind = {.store = cli_store_choice,
                                           .choices = on_error_words};

// No driver is asked: completions are written where the program is built.
static bool device_word(char *buf, size_t size, size_t i)
{
    static const char *const others[] = {"auto", "cuda:0", "replay:"};
    enum { OTHERS = sizeof others / sizeof *others };
    if (i < OTHERS) return snprintf(buf, size, "%s", others[i]) > 0;
    const char *gpu = hone_emu_name(i - OTHERS);
    return gpu && snprintf(buf, size, "emu:%s", gpu) > 0;
}

const struct cli_kind cli_device_kind = {.store = cli_store_text, .word = device_word};

// Files and programs are opened when they are needed: a program is started by that.
static enum hone_status store_strategy(const struct cli_option *option, void *field,
                                       const char *text, struct hone_error *err)
{
    enum hone_status status = cli_store_text(option, field, text, err);
    return status == HONE_OK ? hone_named_strategy_check(text, err) : status;
}

static bool strategy_word(char *buf, size_t size, size_t i)
{
    if (!hone_strategies[i]) return false;
    snprintf(buf, size, "%s", hone_strategies[i]->name);
    return true;
}

const struct cli_kind cli_strategy_kind = {.store = store_strategy,
                                           .word = strategy_word};
