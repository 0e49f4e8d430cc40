// Testing one check for one tuple of its scope, and remembering the verdict: an
// expression or a Lua function is then evaluated once a tuple, however often the search
// meets it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space_internal.h"

// In bytes of a memo: larger scopes would cost more memory than they save time.
enum { MEMO_TUPLES_MAX = 1 << 22 };

bool hone_check_remember(const struct hone_check *check, const struct hone_space *space)
{
    struct hone_space_memo *memo = check->memo;
    if (memo->verdicts || memo->is_closed || check->tuples > MEMO_TUPLES_MAX) return true;
    size_t tuples = 1;
    for (size_t i = check->scope_count; i-- > 0;) {
        memo->strides[i] = tuples;
        tuples *= space->params[check->scope[i]].count;
    }
    memo->verdicts = calloc(tuples, 1);
    return memo->verdicts != NULL;
}

enum hone_status hone_tester_init(struct hone_tester *tester,
                                  const struct hone_space *space, struct hone_rule *tally,
                                  struct hone_error *err)
{
    size_t args = 0;
    for (size_t i = 0; i < space->check_count; i++)
        if (space->checks[i].arg_count > args) args = space->checks[i].arg_count;
    *tester = (struct hone_tester){
        .space = space,
        .tally = tally,
        .slots = malloc(space->name_count * sizeof *tester->slots),
        .args = malloc((args + 1) * sizeof *tester->args),
    };
    if (!tester->slots || !tester->args) {
        hone_tester_fini(tester);
        return hone_no_memory(err, "to check a configuration");
    }
    memcpy(tester->slots, space->slots, space->name_count * sizeof *tester->slots);
    return HONE_OK;
}

void hone_tester_fini(struct hone_tester *tester)
{
    free(tester->slots);
    free(tester->args);
    tester->slots = tester->args = NULL;
}

uint64_t hone_check_length(const struct hone_check *check, const struct hone_space *space)
{
    uint64_t characters = check->expr ? strlen(hone_expr_text(check->expr)) : 0;
    for (size_t i = 0; i < check->need_count; i++)
        characters += strlen(space->formulas[check->needs[i]].text);
    return characters;
}

static enum hone_status call_predicate(struct hone_tester *tester,
                                       const struct hone_check *check, bool *holds)
{
    const struct hone_rule *rule = &tester->space->rules[check->rule];
    for (size_t i = 0; i < check->arg_count; i++)
        tester->args[i] = tester->slots[check->args[i]];
    return rule->holds(rule->context, tester->args, check->arg_count, holds,
                       &tester->failure);
}

static enum hone_status check_evaluate(struct hone_tester *tester,
                                       const struct hone_check *check, bool *holds,
                                       unsigned *notes)
{
    struct hone_value *slots = tester->slots;
    for (size_t i = 0; i < check->need_count; i++) {
        enum hone_status status = hone_space_evaluate(tester->space, check->needs[i],
                                                      slots, notes, &tester->failure);
        if (status != HONE_OK) return status;
    }
    if (!check->expr) return call_predicate(tester, check, holds);
    struct hone_value value;
    enum hone_status status =
        hone_expr_eval(check->expr, slots, &value, notes, &tester->failure);
    if (status == HONE_OK) *holds = hone_value_true(value);
    return status;
}

// A failed evaluation: data when it raised, the end when the world failed.
static enum hone_status check_fail(struct hone_tester *tester,
                                   const struct hone_check *check,
                                   enum hone_status status, struct hone_error *err)
{
    const struct hone_rule *rule = &tester->space->rules[check->rule];
    if (status == HONE_EINPUT && tester->tally) {
        struct hone_constraint_info *info = &tester->tally[check->rule].info;
        if (info->failed++ == 0)
            snprintf(info->first_failure, sizeof info->first_failure, "%.*s",
                     (int)sizeof info->first_failure - 1, tester->failure.text);
    }
    if (status != HONE_EINPUT) {
        char what[HONE_RULE_NAME];
        hone_rule_name(rule, what);
        hone_fail_at(err, status, tester->space->source, rule->info.line, "%s: %s", what,
                     tester->failure.text);
    }
    tester->failure = (struct hone_error){0};
    return status == HONE_EINPUT ? HONE_OK : status;
}

enum hone_status hone_check_evaluate(struct hone_tester *tester,
                                     const struct hone_check *check,
                                     enum hone_space_verdict *verdict,
                                     struct hone_error *err)
{
    bool holds = false;
    unsigned notes = 0;
    enum hone_status status = check_evaluate(tester, check, &holds, &notes);
    if (status != HONE_OK) {
        holds = false;
        status = check_fail(tester, check, status, err);
    }
    if ((notes & HONE_EXPR_OVERFLOW) && tester->tally)
        tester->tally[check->rule].info.overflow++;
    *verdict = holds ? HONE_HOLDS : HONE_REJECTS;
    return status;
}
