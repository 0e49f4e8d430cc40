/* What the suites of the session share: a small space, a scripted evaluator on it, and a
 * journal to run into. */
#ifndef SESSION_FIXTURE_H
#define SESSION_FIXTURE_H

#include "hone_test.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "hone/rng.h"
#include "hone/session.h"
#include "session_actor.h"

enum { SIDE = 6, COUNT = SIDE * SIDE };
_Static_assert((int)COUNT == (int)ACTOR_COUNT, "the actor knows the space");

static struct hone_space *space;
static char folder[64], path[96];
static struct hone_arena said; // by trials whose evaluator or recording is gone

static inline const struct hone_value *side_values(void)
{
    static struct hone_value values[SIDE];
    for (int64_t i = 0; i < SIDE; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    return values;
}

static struct hone_param params[2];

static inline int set_up(void **state)
{
    (void)state;
    params[0] = (struct hone_param){.name = "p", .values = side_values(), .count = SIDE};
    params[1] = (struct hone_param){.name = "q", .values = side_values(), .count = SIDE};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    strcpy(folder, "/tmp/hone-session-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    return hone_space_new(&space, &def, NULL);
}

static inline int tear_down(void **state)
{
    (void)state;
    hone_space_free(space);
    hone_arena_fini(&said);
    unlink(path);
    return rmdir(folder);
}

static inline struct actor make_actor(struct script script)
{
    struct actor actor = {.script = script};
    hone_rng_seed(&actor.rng, script.late_seed);
    return actor;
}

static const struct script plain = {.capacity = 1, .batch = 1};
static const struct script wide = {.capacity = 7, .batch = 3, .late_seed = 5};

static inline struct hone_session_options make_options(const char *strategy,
                                                       uint64_t budget)
{
    return (struct hone_session_options){.strategy = hone_strategy_find(strategy),
                                         .search = {.seed = 3, .budget = budget},
                                         .seconds = (double)INFINITY};
}

static inline enum hone_status run(struct hone_session_result *result,
                                   struct actor *actor,
                                   const struct hone_session_options *options,
                                   struct hone_error *err)
{
    struct hone_evaluator evaluator = {.fns = &actor_fns, .priv = actor};
    return hone_session_run(result, space, &evaluator, options, err);
}

// --- journals ---

static inline struct hone_record_info journal_info(void)
{
    return (struct hone_record_info){.kernel = "toy",
                                     .params = params,
                                     .param_count = 2,
                                     .device_name = "toy",
                                     .device_id = "cuda:0",
                                     .clock = "cupti",
                                     .objective = "time_us"};
}

static inline struct hone_journal *new_journal(void)
{
    unlink(path);
    const struct hone_record_info info = journal_info();
    struct hone_journal *journal = NULL;
    struct hone_error err = {0};
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    return journal;
}

static inline void close_journal(struct hone_journal *journal)
{
    struct hone_error err = {0};
    assert_ok(hone_journal_close(journal, &err), err);
}

static inline size_t recorded(bool seen[COUNT])
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    const size_t count = hone_recording_count(recording);
    for (size_t i = 0; seen && i < count; i++) {
        uint16_t choices[2];
        hone_space_choices(hone_recording_space(recording),
                           hone_recording_trial(recording, i)->index, choices);
        uint64_t index = COUNT;
        assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
        assert_false(seen[index]);
        seen[index] = true;
    }
    hone_recording_free(recording);
    return count;
}

static inline char *journal_text(const struct script *script, const char *strategy)
{
    struct actor actor = make_actor(*script);
    struct hone_session_options options = make_options(strategy, 20);
    struct hone_session_result result;
    struct hone_error err = {0};
    options.journal = new_journal();
    assert_ok(run(&result, &actor, &options, &err), err);
    close_journal(options.journal);
    char *text = NULL;
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    return text;
}

#endif
