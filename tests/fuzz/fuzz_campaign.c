// Any files in the folder of a campaign's run: events, then after lines of dashes the mark
// of its job and its log. What they say is refused, or is a state that can be told; and
// what is done behind them counts, whatever they say, so that no run is begun for ever.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "campaign/attempt.h"
#include "campaign/overview.h"
#include "campaign/slurm.h"
#include "events.h"
#include "fuzz.h"
#include "hone/strbuf.h"
#include "record/json_out.h"

enum { TRIES = 3 };

static const char *const ids[] = {"emu:a100"};
static const struct hone_campaign_device device = {
    .label = "a100", .ids = ids, .id_count = 1, .via = HONE_ENGINE_LOCAL};
static const struct hone_campaign_def def = {
    .devices = &device, .device_count = 1, .tries = TRIES};

/* One run of a kernel without sizes; its folder is that of the target's files. */
struct fixture {
    struct hone_campaign campaign;
    struct hone_campaign_source source;
    struct hone_campaign_run run;
    char *folder;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.source = {.script = "k.lua", .kernel = "k", .result = "k"},
                          .run = {.id = "0123456789abcdef", .after = HONE_RUN_NONE}};
    f->folder = hone_path_folder(fuzz_path(HONE_RUN_EVENTS));
    FUZZ_CHECK(f->folder != NULL);
    f->run.folder = f->folder;
    f->campaign = (struct hone_campaign){.def = &def,
                                         .path = "c.lua",
                                         .folder = ".",
                                         .state = f->folder,
                                         .output = f->folder,
                                         .sources = &f->source,
                                         .runs = &f->run,
                                         .run_count = 1};
}

/* The next part of the input becomes that file; without one there is none. */
static void write_part(const char *name, const uint8_t **data, size_t *size)
{
    static const char mark[] = "\n----\n";
    const size_t length = sizeof mark - 1;
    size_t n = 0;
    if (!*data) {
        fuzz_no_file(name);
        return;
    }
    while (n + length <= *size && memcmp(*data + n, mark, length) != 0)
        n++;
    const bool last = n + length > *size;
    if (last) n = *size;
    fuzz_file(name, *data, n);
    *data = last ? NULL : *data + n + length;
    *size = last ? 0 : *size - n - length;
}

static bool is_number(double number)
{
    return isfinite(number) && number >= 0;
}

/* A state that is told as text, as JSON and to Slurm's programs. */
static void check_state(const struct fixture *f, const struct hone_run_state *state)
{
    struct hone_run_state copy = *state;
    struct hone_overview overview = {.states = &copy};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const bool chosen = true;
    FUZZ_CHECK(state->phase < HONE_RUN_PHASES);
    FUZZ_CHECK(hone_run_phase_name(state->phase)[0]);
    FUZZ_CHECK(is_number(state->seconds) && is_number(state->age));
    FUZZ_CHECK(is_number(state->figures.best) && is_number(state->figures.base) &&
               is_number(state->figures.gain));
    FUZZ_CHECK(state->begun >= 0 && state->ended >= 0 && state->process >= 0);
    FUZZ_CHECK(!state->job[0] || hone_slurm_is_job(state->job));
    FUZZ_CHECK(state->phase != HONE_RUN_QUEUED || state->job[0]);
    FUZZ_CHECK(state->tries < TRIES || state->phase == HONE_RUN_FAILED ||
               state->phase == HONE_RUN_DONE);
    hone_json_line(&text, hone_overview_json(&f->campaign, &overview, &chosen));
    FUZZ_CHECK(!text.failed && strstr(text.data, "\"reason\":"));
    FUZZ_CHECK(strstr(text.data, state->host[0] ? "\"host\":\"" : "\"host\":null"));
    hone_strbuf_fini(&text);
}

static bool read_state(const struct fixture *f, struct hone_run_state *state)
{
    struct hone_error err = {0};
    return fuzz_taken(hone_run_state_read(state, &f->run, TRIES, 1, &err), &err);
}

/* A start that ends well behind these events makes the run done. */
static void check_goes_on(const struct fixture *f)
{
    struct hone_run_state before, after;
    struct hone_attempt attempt;
    enum hone_claim claim;
    struct hone_error err = {0};
    FUZZ_CHECK(read_state(f, &before));
    fuzz_must(hone_attempt_begin(&attempt, &claim, &f->campaign, 0, ids[0], &err), &err);
    const bool over = before.phase == HONE_RUN_DONE || before.phase == HONE_RUN_FAILED;
    FUZZ_CHECK(claim == (over ? HONE_CLAIM_OVER : HONE_CLAIM_OURS));
    if (over) return;
    fuzz_must(hone_attempt_end(&attempt, 1, NULL, &err), &err);
    FUZZ_CHECK(read_state(f, &after));
    check_state(f, &after);
    FUZZ_CHECK(after.starts == before.starts + 1 && after.tries >= before.tries + 1);
    fuzz_must(hone_run_retry(&f->run, &err), &err);
    fuzz_must(hone_attempt_begin(&attempt, &claim, &f->campaign, 0, ids[0], &err), &err);
    FUZZ_CHECK(claim == HONE_CLAIM_OURS);
    fuzz_must(hone_attempt_end(&attempt, 0, NULL, &err), &err);
    FUZZ_CHECK(read_state(f, &after) && after.phase == HONE_RUN_DONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fixture f;
    struct hone_run_state state;
    fixture_init(&f);
    write_part(HONE_RUN_EVENTS, &data, &size);
    write_part(HONE_RUN_JOB, &data, &size);
    write_part(HONE_RUN_LOG, &data, &size);
    if (read_state(&f, &state)) {
        check_state(&f, &state);
        check_goes_on(&f);
    }
    free(f.folder);
    return 0;
}
