// A search by another program under memory that runs out anywhere here; the program, a
// shell, has all it wants.
#include "hone_test.h"
#include "oom.h"
#include "partner/partner.h"
#include "space_def.h"

enum { BUDGET = 6 };

// Takes its first line for the hello. Puts each question, then proposes more than a queue
// holds at first, after what first holds.
// clang-format off
#define PROGRAM(first)                                                                   \
    "sh -c 'list=$(seq -s , 0 69); read hello; while read line; do case $line in "       \
    "*ask*) echo \"{\\\"query\\\":\\\"valid\\\",\\\"configs\\\":[[7,7],[1,2]]}\";; "     \
    "*valid?:*) echo \"{\\\"query\\\":\\\"random\\\",\\\"n\\\":3}\"; read line; "        \
    "echo \"{\\\"query\\\":\\\"neighbours\\\",\\\"config\\\":[1,2]}\"; read line; "      \
    "echo \"{\\\"propose\\\":[" first "$list]}\";; esac; done'"
// clang-format on

struct work {
    const char *command;
    const struct hone_space *space;
    size_t design;
    enum hone_on_error on_error;
};

static enum hone_status drive(struct hone_search *search, struct hone_error *err)
{
    for (;;) {
        uint64_t out[2];
        size_t count = 0;
        enum hone_status status = hone_search_ask(search, out, 2, &count, err);
        if (status != HONE_OK || !count) return status;
        for (size_t i = 0; i < count; i++) {
            struct hone_trial trial = hone_trial_make(out[i], HONE_VALID);
            trial.time_us = 1.0 + (double)(out[i] * 7 % 31);
            status = hone_search_tell(search, &trial, 1, err);
            if (status != HONE_OK) return status;
        }
    }
}

static enum hone_status search_all(void *context, struct hone_error *err)
{
    const struct work *work = context;
    const struct hone_search_options options = {
        .seed = 1, .budget = BUDGET, .design = work->design, .on_error = work->on_error};
    const struct hone_record_info info = {.kernel = "k", .device_name = "GPU"};
    struct hone_partner *partner = NULL;
    struct hone_search *search = NULL;
    enum hone_status status = hone_partner_new(&partner, work->command, 5, err);
    if (status != HONE_OK) return status;
    hone_partner_describe(partner, &info);
    status = hone_search_new(&search, hone_partner_strategy(partner), work->space,
                             &options, err);
    if (status == HONE_OK) status = drive(search, err);
    if (status == HONE_OK) assert_int_equal(hone_search_told(search), BUDGET);
    hone_search_free(search);
    hone_partner_free(partner);
    return status;
}

static void check(struct work work)
{
    struct space_def d = {0};
    struct hone_error err = {0};
    struct hone_space *space = NULL;
    space_def_ints(&d, "x", "0 1 2 3 4 5 6 7 8");
    space_def_ints(&d, "y", "0 1 2 3 4 5 6 7 8");
    space_def_where(&d, "x + y < 16");
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    work.space = space;
    oom_check(search_all, &work);
    hone_space_free(space);
}

// What the constraints forbid and what the design proposed before are answered.
static void a_partner_survives_every_failing_allocation(void **state)
{
    (void)state;
    check((struct work){
        .command = PROGRAM("[8,8],"), .design = 2, .on_error = HONE_ON_ERROR_RANDOM});
}

// The fault named is the memory, never a program that was not told something.
static void a_stopped_partner_names_the_failing_allocation(void **state)
{
    (void)state;
    check((struct work){.command = PROGRAM(""), .on_error = HONE_ON_ERROR_STOP});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_partner_survives_every_failing_allocation),
    cmocka_unit_test(a_stopped_partner_names_the_failing_allocation),
};
HONE_TEST_MAIN(tests)
