/* Whatever is written to a journal is read back: random first lines and random trials. */
#include "record_fixture.h"

#include "record_random.h"

static void assert_same_text(const char *a, const char *b)
{
    if (a && b)
        assert_string_equal(a, b);
    else
        assert_ptr_equal(a, b);
}

static const char *text_of(const struct hone_record_info *info,
                           const struct hone_header_text *field)
{
    const char *text;
    memcpy(&text, (const char *)info + field->offset, sizeof text);
    return text;
}

static void assert_same_map(const struct hone_map_def *a, const struct hone_map_def *b)
{
    assert_int_equal(!a, !b);
    if (!a) return;
    assert_int_equal(a->rank, b->rank);
    for (size_t i = 0; i < a->rank; i++) {
        assert_string_equal(a->axes[i].size, b->axes[i].size);
        assert_string_equal(a->axes[i].box, b->axes[i].box);
        assert_same_text(a->axes[i].stride, b->axes[i].stride);
    }
    assert_memory_equal(&a->modes, &b->modes, sizeof a->modes);
}

static void assert_same_lists(const struct hone_record_info *a,
                              const struct hone_record_info *b)
{
    assert_int_equal(a->param_count, b->param_count);
    for (size_t i = 0; i < a->param_count; i++) {
        assert_string_equal(a->params[i].name, b->params[i].name);
        assert_int_equal(a->params[i].count, b->params[i].count);
        for (size_t v = 0; v < a->params[i].count; v++)
            assert_true(hone_value_same(a->params[i].values[v], b->params[i].values[v]));
        if (a->defaults) assert_int_equal(a->defaults[i], b->defaults[i]);
    }
    assert_int_equal(!a->defaults, !b->defaults);
    assert_int_equal(a->problem_count, b->problem_count);
    for (size_t i = 0; i < a->problem_count; i++) {
        assert_string_equal(a->problem[i].name, b->problem[i].name);
        assert_true(hone_value_same(a->problem[i].value, b->problem[i].value));
    }
    assert_int_equal(a->derived_count, b->derived_count);
    for (size_t i = 0; i < a->derived_count; i++) {
        assert_string_equal(a->derived[i].name, b->derived[i].name);
        assert_string_equal(a->derived[i].text, b->derived[i].text);
        assert_int_equal(a->derived[i].line, b->derived[i].line);
    }
    assert_int_equal(a->arg_count, b->arg_count);
    for (size_t i = 0; i < a->arg_count; i++) {
        assert_same_text(a->args[i].kind, b->args[i].kind);
        assert_same_text(a->args[i].name, b->args[i].name);
        assert_same_text(a->args[i].dtype, b->args[i].dtype);
        assert_same_text(a->args[i].size, b->args[i].size);
        assert_same_text(a->args[i].pointers, b->args[i].pointers);
        assert_same_text(a->args[i].fill, b->args[i].fill);
        assert_same_map(a->args[i].map, b->args[i].map);
    }
}

static void assert_same_defines(const struct hone_record_info *a,
                                const struct hone_record_info *b)
{
    assert_int_equal(!a->defines, !b->defines);
    assert_int_equal(a->define_count, b->define_count);
    for (size_t i = 0; i < a->define_count; i++)
        assert_string_equal(a->defines[i], b->defines[i]);
}

static void assert_same_waivers(const struct hone_record_info *a,
                                const struct hone_record_info *b)
{
    assert_int_equal(a->waiver_count, b->waiver_count);
    for (size_t i = 0; i < a->waiver_count; i++) {
        const struct hone_waiver *x = &a->waivers[i], *y = &b->waivers[i];
        assert_int_equal(x->finding, y->finding);
        assert_int_equal(x->line, y->line);
        assert_same_text(x->file, y->file);
        assert_same_text(x->buffer, y->buffer);
        assert_string_equal(x->reason, y->reason);
    }
}

static void assert_same_info(const struct hone_record_info *a,
                             const struct hone_record_info *b)
{
    assert_string_equal(a->kernel, b->kernel);
    assert_same_lists(a, b);
    assert_same_defines(a, b);
    assert_same_waivers(a, b);
    for (size_t i = 0; i < hone_header_text_count; i++)
        assert_same_text(text_of(a, &hone_header_texts[i]),
                         text_of(b, &hone_header_texts[i]));
    for (size_t i = 0; i < 3; i++) {
        assert_same_text(a->grid[i], b->grid[i]);
        assert_same_text(a->block[i], b->block[i]);
        assert_same_text(a->cluster[i], b->cluster[i]);
    }
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->launch_flags, b->launch_flags);
    assert_true(a->seed == b->seed);
    assert_true(a->space_count == b->space_count);
    assert_int_equal(!a->limits, !b->limits);
    if (a->limits) assert_memory_equal(a->limits, b->limits, sizeof *a->limits);
}

static void every_info_roundtrips(void **state)
{
    (void)state;
    struct draw d = {.arena = {0}};
    hone_rng_seed(&d.rng, 7);
    for (int round = 0; round < 300; round++) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_record_info info = random_info(&d);
        assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
        assert_ok(hone_journal_close(journal, &err), err);
        struct hone_recording *recording = load();
        assert_same_info(&info, hone_recording_info(recording));
        hone_recording_free(recording);
        hone_arena_fini(&d.arena);
        unlink(path);
    }
}

static void assert_close(double a, double b, double tolerance)
{
    assert_int_equal(isnan(a), isnan(b));
    if (!isnan(a)) assert_true(fabs(a - b) <= tolerance * fabs(a));
}

static void assert_same_trial(const struct hone_trial *a, const struct hone_trial *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->kind, b->kind);
    assert_close(a->time_us, b->time_us, 5e-9);
    assert_close(a->predicted_us, b->predicted_us, 5e-9);
    assert_close(a->energy_j, b->energy_j, 5e-9);
    assert_close(a->cost, b->cost, 5e-9);
    assert_close(a->rel_std, b->rel_std, 6e-4);
    assert_close(a->build_ms, b->build_ms, 6e-4);
    assert_close(a->evaluate_ms, b->evaluate_ms, 6e-4);
    assert_int_equal(a->kind, b->kind);
    assert_true(a->outputs == b->outputs);
    assert_int_equal(a->found->finding, b->found->finding);
    assert_int_equal(a->found->line, b->found->line);
    assert_string_equal(a->found->file, b->found->file);
    assert_string_equal(a->found->buffer, b->found->buffer);
    assert_memory_equal(a->waived, b->waived, HONE_WAIVER_MAX * sizeof *a->waived);
    assert_int_equal(a->final.rank, b->final.rank);
    assert_int_equal(a->final.rounds, b->final.rounds);
    assert_true(a->final.sustained_us == b->final.sustained_us);
    assert_true(a->final.ratio == b->final.ratio && a->final.high == b->final.high);
    assert_true(isinf(a->final.high) || a->final.low == b->final.low);
    assert_memory_equal(&a->resources, &b->resources,
                        offsetof(struct hone_resources, estimated));
    assert_int_equal(a->resources.estimated, b->resources.estimated);
    assert_int_equal(a->metric_count, b->metric_count);
    for (size_t i = 0; i < a->metric_count; i++) {
        assert_string_equal(a->metrics[i].name, b->metrics[i].name);
        assert_close(a->metrics[i].value, b->metrics[i].value, 5e-9);
    }
    assert_int_equal(hone_trial_counter_count(a), hone_trial_counter_count(b));
    for (size_t i = 0; a->counters[i].name; i++) {
        assert_string_equal(a->counters[i].name, b->counters[i].name);
        assert_string_equal(a->counters[i].unit, b->counters[i].unit);
        assert_close(a->counters[i].value, b->counters[i].value, 5e-9);
    }
    assert_memory_equal(a->place, b->place, sizeof *a->place);
    assert_string_equal(a->reason, b->reason);
}

static void append_all(struct hone_journal *journal,
                       const struct hone_recording *recording)
{
    struct hone_error err = {0};
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        uint16_t choices[32];
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        assert_ok(hone_journal_append(journal, trial, choices, &err), err);
    }
}

static void trials_roundtrip_and_rewrite_the_same(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    struct hone_record_info info = small_info();
    for (int round = 0; round < 200; round++) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_trial_notes notes[4];
        struct hone_trial trials[4];
        assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
        for (size_t i = 0; i < 4; i++) {
            trials[i] = random_trial(&rng, &notes[i]);
            assert_ok(hone_journal_append(journal, &trials[i], choices_of[i], &err), err);
        }
        assert_ok(hone_journal_close(journal, &err), err);
        struct hone_recording *recording = load();
        char *first = contents();
        unlink(path);
        for (size_t i = 0; i < 4; i++)
            assert_same_trial(&trials[i], hone_recording_trial(recording, i));
        assert_ok(
            hone_journal_create(&journal, path, hone_recording_info(recording), 0, &err),
            err);
        append_all(journal, recording);
        assert_ok(hone_journal_close(journal, &err), err);
        char *second = contents();
        assert_string_equal(first, second);
        hone_recording_free(recording);
        unlink(path);
        free(first);
        free(second);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(every_info_roundtrips, clean),
    cmocka_unit_test_teardown(trials_roundtrip_and_rewrite_the_same, clean),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
