// Follows a load's value forward. Which registers hold something of it is kept where
// branches lead, and grows until nothing changes. An exchange that some way comes to
// without the value is asked for once more, by ways that end there.
#include "reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// Instructions that are walked over for one load, and bytes that are kept for a walk.
enum { MOST_STEPS = 1 << 22, MOST_BYTES = 1 << 26, WORD_BITS = 64 };

static bool is_exchange(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_SHUFFLE || insn->op == EMU_VOTE || insn->op == EMU_MATCH ||
           insn->op == EMU_REDUX;
}

bool hone_emu_reach_init(struct hone_emu_reach *reach, const struct hone_emu_code *code)
{
    *reach = (struct hone_emu_reach){.code = code};
    reach->numbers = calloc(code->count + 1, sizeof *reach->numbers);
    reach->targets = calloc(code->count + 1, sizeof *reach->targets);
    if (!reach->numbers || !reach->targets) return false;
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        if (hone_emu_is_load(insn)) reach->numbers[k] = ++reach->loads;
        if (is_exchange(insn)) reach->numbers[k] = ++reach->exchanges;
        if (insn->op == EMU_BRA) reach->targets[insn->target] = true;
    }
    reach->reached = calloc((size_t)reach->loads + 1, sizeof *reach->reached);
    return reach->reached != NULL;
}

void hone_emu_reach_fini(struct hone_emu_reach *reach)
{
    for (uint32_t k = 0; reach->reached && k < reach->loads; k++)
        free(reach->reached[k]);
    free(reach->reached);
    free(reach->targets);
    free(reach->numbers);
    *reach = (struct hone_emu_reach){0};
}

// ---- a walk ----

struct reach_walk {
    const struct hone_emu_reach *reach;
    uint64_t *reached;
    uint64_t *missed; // exchanges that some way came to without the value
    uint32_t load;    // not passed again
    uint32_t end;     // the one that is asked for, where ways end; the count: none
    bool met;         // it got something of the value
    uint64_t *now;    // registers that hold something of the value: a bit for 4 bytes
    uint64_t **held;  // the same where branches lead; NULL: nobody came there
    size_t words, bytes, steps;
    uint32_t *todo; // places to go on from
    size_t todo_count, todo_cap;
};

static bool reach_has(const uint64_t *set, uint32_t offset)
{
    return set[offset / 4 / WORD_BITS] >> (offset / 4 % WORD_BITS) & 1;
}

static void reach_set(uint64_t *set, uint32_t offset, bool held)
{
    const uint64_t bit = UINT64_C(1) << (offset / 4 % WORD_BITS);
    uint64_t *word = &set[offset / 4 / WORD_BITS];
    *word = held ? *word | bit : *word & ~bit;
}

// The walk comes to a place: false when there is no room for it.
static bool come_to(struct reach_walk *walk, uint32_t place)
{
    uint64_t **held = &walk->held[place], more = 0;
    if (!*held) {
        walk->bytes += walk->words * sizeof **held;
        *held = walk->bytes > MOST_BYTES ? NULL : calloc(walk->words, sizeof **held);
        if (!*held) return false;
    }
    for (size_t w = 0; w < walk->words; w++) {
        more |= walk->now[w] & ~(*held)[w];
        (*held)[w] |= walk->now[w];
    }
    if (!more) return true;
    if (!HONE_GROW(&walk->todo, &walk->todo_cap, walk->todo_count + 1, 64)) return false;
    walk->todo[walk->todo_count++] = place;
    return true;
}

static void note_exchange(struct reach_walk *walk, uint32_t place, bool any)
{
    const uint32_t number = walk->reach->numbers[place] - 1;
    uint64_t *set = any ? walk->reached : walk->missed;
    if (place == walk->end) walk->met = walk->met || any;
    if (walk->end == walk->reach->code->count)
        set[number / WORD_BITS] |= UINT64_C(1) << (number % WORD_BITS);
}

// What is computed from the value is something of it; a guard is no part of a value, and
// may leave what was there.
static void pass(struct reach_walk *walk, uint32_t place)
{
    const struct hone_emu_insn *insn = &walk->reach->code->insns[place];
    bool any = false;
    for (unsigned k = 0; k < insn->src_count; k++)
        any |= reach_has(walk->now, insn->src[k]);
    if (is_exchange(insn)) note_exchange(walk, place, any);
    if (!any && insn->guard != HONE_EMU_NO_GUARD) return;
    for (unsigned k = 0; k < insn->dst_count; k++)
        reach_set(walk->now, insn->dst[k], any);
}

// From the place on to where the code goes elsewhere; false when that takes too much.
static bool walk_on(struct reach_walk *walk, uint32_t place)
{
    const struct hone_emu_code *code = walk->reach->code;
    for (; place < code->count && place != walk->load; place++) {
        const struct hone_emu_insn *insn = &code->insns[place];
        const bool always = insn->src_count == 0 && insn->guard == HONE_EMU_NO_GUARD;
        if (walk->steps++ == MOST_STEPS) return false;
        pass(walk, place);
        if (place == walk->end) return true;
        if (insn->op == EMU_BRA && !come_to(walk, insn->target)) return false;
        if (always && (insn->op == EMU_BRA || insn->op == EMU_EXIT)) return true;
        if (walk->reach->targets[place + 1]) return come_to(walk, place + 1);
    }
    return true;
}

static void forget(struct reach_walk *walk)
{
    for (size_t k = 0; walk->held && k < walk->reach->code->count; k++) {
        free(walk->held[k]);
        walk->held[k] = NULL;
    }
    memset(walk->now, 0, walk->words * sizeof *walk->now);
    walk->bytes = walk->todo_count = 0;
}

static bool walk_all(struct reach_walk *walk, size_t end)
{
    const struct hone_emu_insn *load = &walk->reach->code->insns[walk->load];
    forget(walk);
    walk->end = (uint32_t)end;
    walk->met = false;
    for (unsigned k = 0; k < load->dst_count; k++)
        reach_set(walk->now, load->dst[k], true);
    bool done = walk->reach->targets[walk->load + 1] ? come_to(walk, walk->load + 1)
                                                     : walk_on(walk, walk->load + 1);
    while (done && walk->todo_count) {
        const uint32_t place = walk->todo[--walk->todo_count];
        memcpy(walk->now, walk->held[place], walk->words * sizeof *walk->now);
        done = walk_on(walk, place);
    }
    return done;
}

// Leaves out those that the value comes to only behind themselves, as in a later turn of
// a loop, with another value in this one. What takes too much stays.
static void leave_out(struct reach_walk *walk)
{
    const struct hone_emu_reach *reach = walk->reach;
    for (size_t k = 0; k < reach->code->count; k++) {
        if (!is_exchange(&reach->code->insns[k])) continue;
        const uint32_t number = reach->numbers[k] - 1, word = number / WORD_BITS;
        const uint64_t bit = UINT64_C(1) << (number % WORD_BITS);
        if (!(walk->reached[word] & walk->missed[word] & bit)) continue;
        if (!walk_all(walk, k)) return;
        if (!walk->met) walk->reached[word] &= ~bit;
    }
}

// NULL when memory is out.
static uint64_t *follow_load(const struct hone_emu_reach *reach, uint32_t load)
{
    const size_t words = reach->exchanges / WORD_BITS + 1;
    uint64_t *reached = calloc(words, sizeof *reached);
    struct reach_walk walk = {.reach = reach,
                              .reached = reached,
                              .load = load,
                              .words = reach->code->register_bytes / 4 / WORD_BITS + 1};
    walk.missed = calloc(words, sizeof *walk.missed);
    walk.now = calloc(walk.words, sizeof *walk.now);
    walk.held = calloc(reach->code->count + 1, sizeof *walk.held);
    const bool can = reached && walk.missed && walk.now && walk.held;
    if (can && walk_all(&walk, reach->code->count))
        leave_out(&walk);
    else if (reached)
        memset(reached, 0, words * sizeof *reached);
    if (walk.now) forget(&walk);
    free(walk.held);
    free(walk.now);
    free(walk.missed);
    free(walk.todo);
    return reached;
}

const uint64_t *hone_emu_reach_of(struct hone_emu_reach *reach, uint32_t load)
{
    uint64_t **reached = &reach->reached[reach->numbers[load] - 1];
    if (!*reached) *reached = follow_load(reach, load);
    return *reached;
}
