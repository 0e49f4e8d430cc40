// The direct evaluator under memory that runs out anywhere.
#include "fake/fake_machine.h"
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

static struct hone_device fake_device;

static enum hone_status open_kernel(struct scale_kernel *k, unsigned flags,
                                    unsigned evaluate_flags, struct hone_error *err)
{
    fake_counts = (struct fake_counts){0};
    fake_device_init(&fake_device, HONE_CLOCK_EVENT);
    return scale_open(k, &fake_device, &fake_builder_object, flags, evaluate_flags, err);
}

static enum hone_status evaluate_some(void *context, struct hone_error *err)
{
    const unsigned *flags = context;
    const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_WRONG, SCALE_BROKEN, SCALE_HEAVY};
    struct scale_kernel k;
    enum hone_status status = open_kernel(&k, *flags, 0, err);
    for (size_t i = 0; status == HONE_OK && i < sizeof modes / sizeof *modes; i++)
        for (uint16_t twin = 0; status == HONE_OK && twin < 2; twin++)
            status = evaluate(k.evaluator, scale_index(&k, modes[i], twin), err);
    scale_close(&k);
    return status;
}

static void evaluator_survives_every_failing_allocation(void **state)
{
    (void)state;
    unsigned flags[] = {0, SCALE_NO_VERIFY_SIZES, SCALE_SIZES_DEFINED, SCALE_SIZES_DRAWN,
                        SCALE_WIDE};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        oom_check(evaluate_some, &flags[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(evaluator_survives_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
