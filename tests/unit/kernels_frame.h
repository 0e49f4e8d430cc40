/* What the suites of the project's own kernels share: a kernel on an emulated machine. */
#ifndef KERNELS_FRAME_H
#define KERNELS_FRAME_H

#include <stdlib.h>
#include <string.h>

#include "emu_kernel.h"
#include "hone/evaluate.h"
#include "hone/rng.h"
#include "hone/script.h"

enum { SAMPLE_MAX = 64, SETTINGS_MAX = 8 };

struct machine {
    struct hone_builder *builder;
    struct hone_device *device;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_evaluator *evaluator;
};

// What is checked: a script with settings "TYPE=f16 ACT=silu", a device, how many.
struct sample {
    const char *script, *settings, *device;
    size_t size;
    unsigned flags;
};

// text, which is cut, as --set gives it.
static inline size_t split_settings(struct hone_script_set *out, char *text)
{
    size_t count = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_true(value && count < SETTINGS_MAX);
        *value++ = '\0';
        out[count++] = (struct hone_script_set){word, value};
    }
    return count;
}

static inline void open_machine(struct machine *m, const struct sample *sample)
{
    *m = (struct machine){0};
    struct hone_error err = {0};
    const struct hone_builder_options builder = {0};
    enum hone_status status = hone_builder_new(&m->builder, &builder, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&m->device, sample->device, &err), err);
    emu_vary(m->device);
    char settings[200];
    struct hone_script_set set[SETTINGS_MAX];
    snprintf(settings, sizeof settings, "%s", sample->settings);
    const struct hone_script_options options = {.limits = &m->device->limits,
                                                .set = set,
                                                .set_count =
                                                    split_settings(set, settings)};
    assert_ok(hone_script_load(&m->script, sample->script, &options, &err), err);
    const struct hone_kernel_def *def = hone_script_def(m->script);
    assert_ok(hone_space_new(&m->space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&m->kernel, def, m->space, &err), err);
    const struct hone_evaluate_options evaluate = {
        .flags = sample->flags, .data_seed = 7, .policy = hone_time_policy_default};
    assert_ok(hone_evaluator_direct(&m->evaluator, m->kernel, m->device, m->builder,
                                    &evaluate, &err),
              err);
}

static inline void close_machine(struct machine *m)
{
    hone_evaluator_close(m->evaluator);
    hone_kernel_free(m->kernel);
    hone_space_free(m->space);
    hone_script_free(m->script);
    hone_device_close(m->device);
    hone_builder_free(m->builder);
}

static inline void print_config(const struct machine *m, const struct hone_trial *trial)
{
    uint16_t choices[32];
    hone_space_choices(m->space, trial->index, choices);
    for (size_t i = 0; i < hone_space_param_count(m->space); i++) {
        const struct hone_param *param = hone_space_param(m->space, i);
        char value[32];
        hone_value_print(value, sizeof value, param->values[choices[i]]);
        print_message("%s=%s ", param->name, value);
    }
    print_message("%s: %s\n", hone_outcome_name(trial->outcome), trial->reason);
}

// What the compiler's log says of static shared memory is what the script says: its
// STATIC_SHARED, or none.
static inline void check_shared(const struct machine *m, const struct hone_trial *trial)
{
    enum { NAMES_MAX = 128 };
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    const char *const *names = hone_space_names(m->space);
    assert_in_range(hone_space_name_count(m->space), 1, NAMES_MAX);
    assert_ok(hone_space_slots(m->space, trial->index, slots, &err), err);
    int64_t bytes = 0;
    for (size_t i = 0; i < hone_space_name_count(m->space); i++)
        if (strcmp(names[i], "STATIC_SHARED") == 0) bytes = slots[i].i;
    assert_int_equal(trial->resources.static_shared_bytes, bytes);
}

// A configuration may be rejected for its resources; none may fail in any other way.
static inline size_t check_trial(const struct machine *m, const struct hone_trial *trial,
                                 unsigned flags)
{
    if (trial->outcome == HONE_REJECTED) return 0;
    if (trial->outcome != HONE_VALID) {
        print_config(m, trial);
        fail_msg("configuration %llu is %s", (unsigned long long)trial->index,
                 hone_outcome_name(trial->outcome));
    }
    check_shared(m, trial);
    assert_true(flags & HONE_EVALUATE_NO_TIME || trial->predicted_us > 0);
    return 1;
}

// Another variant of the emulator runs what the usual one has passed.
static inline const char *variant_of_a_part(void)
{
    return hone_test_is_long() ? NULL : getenv("HONE_TEST_EMULATOR");
}

// How many valid configurations of a sample the test run wants: one of three, of a variant
// the first, whose build the cache has. All are tried with HONE_TESTS=long.
static inline size_t valid_wanted(size_t size)
{
    if (hone_test_is_long()) return SIZE_MAX;
    return variant_of_a_part() ? 1 : (size + 2) / 3;
}

static inline void check(const struct sample *what)
{
    struct machine m;
    open_machine(&m, what);
    struct hone_evaluator *e = m.evaluator;
    struct hone_error err = {0};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    uint64_t sample[SAMPLE_MAX];
    const size_t size = hone_space_sample(m.space, &rng, sample, what->size);
    const size_t wanted = valid_wanted(size);
    size_t submitted = 0, done = 0, valid = 0;
    while (done < size && valid < wanted) {
        size_t ahead = e->fns->capacity(e);
        if (ahead > wanted - valid) ahead = wanted - valid;
        while (submitted < size && submitted - done < ahead)
            assert_ok(e->fns->submit(e, sample[submitted++], &err), err);
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        done += count;
        valid += check_trial(&m, &trial, what->flags);
    }
    assert_true(valid == wanted || valid * 2 > size);
    close_machine(&m);
}

// Of the samples of a case a variant takes one of four, of a few one of two; of many the
// test run takes every second one.
static inline void check_all(const struct sample *samples, size_t count)
{
    enum { FEW = 3, MANY = 8 };
    const char *variant = variant_of_a_part();
    const size_t thinned = count > MANY ? 2 : 1, few = count > FEW ? 4 : 2;
    const size_t part = variant ? few * thinned : hone_test_one_of(thinned);
    const size_t first = variant ? part / 2 : 0; // the cheaper half of most cases
    for (size_t i = 0; i < count; i++)
        if (count == 1 || i % part == first) check(&samples[i]);
}

enum { NO_TIME = HONE_EVALUATE_NO_TIME };
#define CHECK(...)                                                                       \
    check_all((const struct sample[]){__VA_ARGS__},                                      \
              sizeof((const struct sample[]){__VA_ARGS__}) / sizeof(struct sample))

#endif
