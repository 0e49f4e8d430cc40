#include "fake/scale_bench.h"

#include "hone/evaluate.h"
#include "hone_test.h"

struct hone_device bench_device;

enum hone_status bench_try(struct scale_kernel *k, unsigned flags,
                           unsigned evaluate_flags, struct hone_error *err)
{
    fake_counts = (struct fake_counts){0};
    fake_device_init(&bench_device, HONE_CLOCK_EVENT);
    return scale_open(k, &bench_device, &fake_builder_object, flags, evaluate_flags, err);
}

void bench_open(struct scale_kernel *k, unsigned flags, unsigned evaluate_flags)
{
    struct hone_error err = {0};
    assert_ok(bench_try(k, flags, evaluate_flags, &err), err);
}

void bench_close(struct scale_kernel *k)
{
    scale_close(k);
    assert_int_equal(fake_counts.tickets, 0);
    assert_int_equal(fake_counts.builds_held, 0);
    assert_int_equal(fake_counts.modules, 0);
    assert_int_equal(fake_counts.blocks, 0);
}

struct hone_trial bench_evaluate(struct scale_kernel *k, enum scale_mode mode,
                                 uint16_t twin)
{
    const uint64_t index = scale_index(k, mode, twin);
    struct hone_evaluator *e = k->evaluator;
    struct hone_trial trial;
    struct hone_error err = {0};
    size_t count = 0;
    assert_ok(e->fns->submit(e, index, &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    assert_int_equal(count, 1);
    assert_int_equal(trial.index, index);
    return trial;
}
