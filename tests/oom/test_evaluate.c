// The direct evaluator under memory that runs out anywhere.
#include "fake/fake_kernel.h"
#include "hone_test.h"
#include "oom.h"

static enum hone_status evaluate(struct hone_evaluator *e, uint64_t index,
                                 struct hone_error *err)
{
    struct hone_trial trial;
    size_t count = 0;
    enum hone_status status = e->fns->submit(e, index, err);
    if (status == HONE_OK) status = e->fns->wait(e, &trial, 1, &count, err);
    return status;
}

static enum hone_status evaluate_some(void *context, struct hone_error *err)
{
    const unsigned *flags = context;
    const enum fake_mode modes[] = {FAKE_RIGHT, FAKE_WRONG, FAKE_BROKEN, FAKE_HEAVY};
    struct fake_kernel k;
    enum hone_status status = fake_kernel_open(&k, *flags, 0, err);
    for (size_t i = 0; status == HONE_OK && i < sizeof modes / sizeof *modes; i++)
        for (uint16_t twin = 0; status == HONE_OK && twin < 2; twin++)
            status = evaluate(k.evaluator, fake_kernel_index(&k, modes[i], twin), err);
    fake_kernel_close(&k);
    return status;
}

static void evaluator_survives_every_failing_allocation(void **state)
{
    (void)state;
    unsigned flags[] = {0, FAKE_NO_VERIFY_SIZES, FAKE_SIZES_DEFINED};
    for (int i = 0; i < 3; i++)
        oom_check(evaluate_some, &flags[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(evaluator_survives_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, fake_kernel_set_up, fake_kernel_tear_down)
