// The side of the engine: trials are collected until the program is asked, which then has
// the turn: it may put questions about the space, and ends its turn with proposals.
#include "partner/partner.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "base/grow.h"
#include "base/subprocess.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "partner_message.h"
#include "query.h"
#include "record/json_in.h"
#include "record/json_out.h"

enum {
    FRUITLESS_MAX = 1000, // turns in a row in which nothing new was proposed
    SEED_BITS = 53        // whole in every language's numbers
};
static const double farewell_seconds = 2; // to end by itself

// What was said of proposals in vain: once, however many searches there are.
struct remarks {
    atomic_bool repeats, forbids;
};

struct hone_partner {
    struct hone_strategy_fns fns; // comes first: callbacks find the rest behind it
    char *name;                   // "exec:COMMAND"
    char **argv;
    double patience; // seconds
    const struct hone_record_info *info;
    struct remarks *remarks;
};

// One search.
struct talk {
    const struct hone_partner *partner;
    struct hone_search *search;
    const struct hone_space *space;
    struct hone_subprocess *program; // NULL once it is over
    struct json_t *told;             // list of what it is told with the next ask
    uint16_t *choices;
    uint64_t *queue; // proposed, not yet asked for by the engine
    size_t queue_next, queue_count, queue_cap;
    size_t proposed; // in its last turn, what the constraints forbid included
    int line;        // of its output
};

// --- faults ---

static struct hone_error at_line(const struct talk *talk, const struct hone_error *why)
{
    struct hone_error err = {0};
    hone_fail_at(&err, why->code, talk->partner->name, talk->line, "%s", why->text);
    return err;
}

static void remark_once(const struct talk *talk, atomic_bool *said,
                        const struct hone_error *why, const char *outcome)
{
    const struct hone_error err = at_line(talk, why);
    if (!atomic_exchange(said, true)) hone_search_remark(talk->search, &err, outcome);
}

// Lets it end by itself, if grace seconds are enough.
static void end(struct talk *talk, double grace)
{
    if (talk->program) hone_subprocess_stop(talk->program, hone_clock_seconds() + grace);
    hone_subprocess_free(talk->program);
    talk->program = NULL;
}

// What the pipe reports, in terms of the program.
static void partner_give_up(struct talk *talk, const struct hone_error *why)
{
    struct hone_error err = {.code = HONE_EINPUT};
    if (why->code == HONE_EIO) {
        char how[64];
        const double deadline = hone_clock_seconds() + farewell_seconds;
        hone_exit_text(how, sizeof how, hone_subprocess_stop(talk->program, deadline));
        snprintf(err.text, sizeof err.text, "the program %s instead of answering", how);
    } else if (why->code == HONE_ELIMIT) {
        hone_snprintf(err.text, sizeof err.text, "the program gave no answer within %g s",
                      talk->partner->patience);
    } else {
        err = *why;
    }
    err = at_line(talk, &err);
    hone_search_complain(talk->search, &err, "the search goes on at random");
    end(talk, 0);
}

// --- what the program is told ---

static enum hone_status send(struct talk *talk, struct json_t *message, double deadline,
                             struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_json_line(&text, message);
    enum hone_status status =
        text.failed
            ? hone_no_memory(err, "for a message")
            : hone_subprocess_write(talk->program, text.data, text.len, deadline, err);
    hone_strbuf_fini(&text);
    return status;
}

static enum hone_status send_told(struct talk *talk, double deadline,
                                  struct hone_error *err)
{
    size_t count;
    if (!hone_json_is_list(talk->told, &count) || !count) return HONE_OK;
    struct json_t *message = hone_json_object();
    hone_json_child(message, "tell", talk->told);
    talk->told = hone_json_array();
    return send(talk, message, deadline, err);
}

static void remember(struct talk *talk, const struct hone_trial *trial)
{
    hone_json_append(talk->told, hone_message_trial(talk->space, trial, talk->choices));
}

// A configuration that the constraints forbid has no index, and costs no evaluation.
static void remember_forbidden(struct talk *talk, const struct hone_error *why)
{
    struct json_t *object = hone_json_object(), *config = hone_json_array();
    for (size_t i = 0; i < hone_space_param_count(talk->space); i++)
        hone_json_append_value(
            config, hone_space_param(talk->space, i)->values[talk->choices[i]]);
    hone_json_text(object, "index", NULL);
    hone_json_child(object, "config", config);
    hone_json_text(object, "outcome", "forbidden");
    hone_json_append(talk->told, object);
    remark_once(talk, &talk->partner->remarks->forbids, why,
                "such ones are answered as forbidden");
}

// --- what the program proposes ---

static enum hone_status enqueue(struct talk *talk, uint64_t index, struct hone_error *err)
{
    if (!HONE_GROW(&talk->queue, &talk->queue_cap, talk->queue_count + 1, 64))
        return hone_no_memory(err, "for %zu proposals", talk->queue_count);
    talk->queue[talk->queue_count++] = index;
    return HONE_OK;
}

static enum hone_status take_proposals(struct talk *talk, const struct json_t *list,
                                       struct hone_error *err)
{
    size_t count;
    if (!hone_json_is_list(list, &count)) {
        char brief[80];
        return hone_fail(err, HONE_EINPUT, "\"propose\" wants a list, got %s",
                         hone_json_brief(brief, sizeof brief, list));
    }
    talk->queue_next = talk->queue_count = 0;
    talk->proposed = count;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        uint64_t index;
        struct hone_error why = {0};
        status = hone_message_read_config(talk->space, hone_json_at(list, i),
                                          talk->choices, &index, &why);
        if (status == HONE_OK)
            status = enqueue(talk, index, &why);
        else if (status == HONE_ENOTFOUND) {
            remember_forbidden(talk, &why);
            status = HONE_OK;
        }
        hone_error_pass(err, status, &why);
    }
    return status;
}

// What was measured before is answered at once.
static void answer_repeat(struct talk *talk, uint64_t index)
{
    const struct hone_trial known = hone_search_recall(talk->search, index);
    remember(talk, &known);
    struct hone_error why = {0};
    hone_fail(&why, HONE_EINPUT, "configuration %" PRIu64 " was proposed before", index);
    remark_once(talk, &talk->partner->remarks->repeats, &why,
                "such ones are answered from what is known");
}

// Moves up to cap new configurations out of the queue; HONE_ASK_WAIT when all of it is
// being measured already.
static size_t dequeue(struct talk *talk, uint64_t *out, size_t cap)
{
    size_t n = 0;
    bool waits = false;
    while (n < cap && talk->queue_next < talk->queue_count) {
        const uint64_t index = talk->queue[talk->queue_next++];
        if (!hone_search_seen(talk->search, index))
            out[n++] = index;
        else if (hone_search_pending(talk->search, index))
            waits = true;
        else
            answer_repeat(talk, index);
    }
    return n || !waits ? n : HONE_ASK_WAIT;
}

// --- a turn ---

enum turn { TURN_GOES_ON, TURN_PROPOSED, TURN_WAITS, TURN_DONE };

static bool is_true(const struct json_t *message, const char *key)
{
    struct hone_value value;
    return hone_json_peek_value(&value, hone_json_get(message, key)) &&
           value.type == HONE_BOOL && value.b;
}

static enum hone_status take_message(struct talk *talk, const struct json_t *message,
                                     double deadline, enum turn *turn,
                                     struct hone_error *err)
{
    const struct json_t *proposals = hone_json_get(message, "propose");
    char brief[80];
    if (hone_json_get(message, "query")) {
        struct json_t *answer = NULL;
        enum hone_status status =
            hone_query_answer(&answer, talk->search, message, talk->choices, err);
        return status == HONE_OK ? send(talk, answer, deadline, err) : status;
    }
    if (proposals) {
        *turn = TURN_PROPOSED;
        return take_proposals(talk, proposals, err);
    }
    if (is_true(message, "wait"))
        *turn = TURN_WAITS;
    else if (is_true(message, "done"))
        *turn = TURN_DONE;
    else
        return hone_fail(err, HONE_EINPUT,
                         "%s is neither a proposal, a query, wait nor done",
                         hone_json_brief(brief, sizeof brief, message));
    return HONE_OK;
}

static enum hone_status read_message(struct talk *talk, double deadline, enum turn *turn,
                                     struct hone_error *err)
{
    const char *line;
    size_t size;
    char why[128];
    enum hone_status status =
        hone_subprocess_read_line(talk->program, &line, &size, deadline, err);
    if (status != HONE_OK) return status;
    talk->line++;
    struct json_t *message = hone_json_parse(line, size, why, sizeof why);
    if (!message) return hone_fail(err, HONE_EINPUT, "'%.60s' is no JSON: %s", line, why);
    status = take_message(talk, message, deadline, turn, err);
    hone_json_free(message);
    return status;
}

static enum hone_status take_turn(struct talk *talk, size_t cap, enum turn *turn,
                                  struct hone_error *err)
{
    const double deadline = hone_clock_seconds() + talk->partner->patience;
    struct json_t *question = hone_json_object();
    hone_json_integer(question, "ask", (int64_t)cap);
    enum hone_status status = send_told(talk, deadline, err);
    if (status == HONE_OK)
        status = send(talk, question, deadline, err);
    else
        hone_json_free(question);
    *turn = TURN_GOES_ON;
    while (status == HONE_OK && *turn == TURN_GOES_ON)
        status = read_message(talk, deadline, turn, err);
    return status;
}

// --- callbacks ---

static size_t partner_ask(struct hone_search *search, void *priv, uint64_t *out,
                          size_t cap)
{
    (void)search;
    struct talk *talk = priv;
    struct hone_error err = {0};
    for (int fruitless = 0; talk->program; fruitless++) {
        const size_t n = dequeue(talk, out, cap);
        if (n || (fruitless && !talk->proposed)) return n;
        enum turn turn;
        enum hone_status status = take_turn(talk, cap, &turn, &err);
        if (status == HONE_OK && fruitless == FRUITLESS_MAX)
            status = hone_fail(&err, HONE_EINPUT,
                               "%d proposals in a row held nothing new", FRUITLESS_MAX);
        if (status != HONE_OK) partner_give_up(talk, &err);
        if (turn == TURN_WAITS) return HONE_ASK_WAIT;
        if (turn == TURN_DONE) end(talk, farewell_seconds);
    }
    return 0;
}

static void partner_tell(struct hone_search *search, void *priv,
                         const struct hone_trial *trials, size_t count)
{
    (void)search;
    struct talk *talk = priv;
    for (size_t i = 0; i < count && talk->program; i++)
        remember(talk, &trials[i]);
}

static void release(struct talk *talk)
{
    end(talk, 0);
    hone_json_free(talk->told);
    free(talk->choices);
    free(talk->queue);
}

static enum hone_status partner_start(struct hone_search *search, struct talk *talk,
                                      struct hone_error *err)
{
    talk->partner = (const struct hone_partner *)hone_search_strategy(search);
    talk->search = search;
    talk->space = hone_search_space(search);
    talk->choices = calloc(hone_space_param_count(talk->space) + 1, sizeof(uint16_t));
    talk->told = hone_json_array();
    if (!talk->choices || !talk->told)
        return hone_no_memory(err, "for a program's search");
    struct json_t *hello = NULL;
    const uint64_t seed = hone_rng_next(hone_search_rng(search)) >> (64 - SEED_BITS);
    enum hone_status status =
        hone_message_hello(&hello, search, talk->partner->info, seed, err);
    if (status == HONE_OK)
        status = hone_subprocess_start(&talk->program,
                                       (const char *const *)talk->partner->argv, err);
    if (status != HONE_OK) {
        hone_json_free(hello);
        return status;
    }
    struct hone_error fault = {0};
    send(talk, hello, hone_clock_seconds() + talk->partner->patience, &fault);
    // One that does not read is found out when it is asked.
    return fault.code == HONE_ENOMEM ? hone_error_pass(err, fault.code, &fault) : HONE_OK;
}

static enum hone_status partner_init(struct hone_search *search, void *priv,
                                     struct hone_error *err)
{
    enum hone_status status = partner_start(search, priv, err);
    if (status != HONE_OK) release(priv); // fini is for searches that began
    return status;
}

static void partner_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct talk *talk = priv;
    const double deadline = hone_clock_seconds() + farewell_seconds;
    if (talk->program && send_told(talk, deadline, NULL) == HONE_OK) {
        struct json_t *stop = hone_json_object();
        hone_json_bool(stop, "stop", true);
        send(talk, stop, deadline, NULL);
    }
    end(talk, farewell_seconds);
    release(talk);
}

// --- the partner ---

enum hone_status hone_partner_new(struct hone_partner **out, const char *command,
                                  double patience, struct hone_error *err)
{
    static const char prefix[] = "exec:";
    const size_t size = sizeof prefix + strlen(command);
    *out = NULL;
    struct hone_partner *partner = calloc(1, sizeof *partner);
    struct remarks *remarks = calloc(1, sizeof *remarks);
    char *name = malloc(size);
    if (!partner || !remarks || !name) {
        free(partner);
        free(remarks);
        free(name);
        return hone_no_memory(err, "for a command");
    }
    snprintf(name, size, "%s%s", prefix, command);
    *partner = (struct hone_partner){
        .fns = {.name = name,
                .description = "another program",
                .priv_size = sizeof(struct talk),
                .init = partner_init,
                .ask = partner_ask,
                .tell = partner_tell,
                .fini = partner_fini},
        .name = name,
        .patience = patience,
        .remarks = remarks,
    };
    enum hone_status status = hone_command_split(&partner->argv, command, err);
    if (status == HONE_OK)
        *out = partner;
    else
        hone_partner_free(partner);
    return status;
}

void hone_partner_free(struct hone_partner *partner)
{
    if (!partner) return;
    free(partner->argv);
    free(partner->remarks);
    free(partner->name);
    free(partner);
}

void hone_partner_describe(struct hone_partner *partner,
                           const struct hone_record_info *info)
{
    partner->info = info;
}

const struct hone_strategy_fns *hone_partner_strategy(const struct hone_partner *partner)
{
    return &partner->fns;
}
