#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// Racing stores that are noted.
enum { MOST_STORES = 1 << 18, SLOTS = 1 << 16, WORD = 4, NONE = UINT32_MAX };

// Pairs of instructions that are kept beside the races.
enum { MOST_EXCHANGED = 64 };

// Numbers of races past the table's end: of guesses, and of others.
enum { LAST_GUESS = HONE_EMU_ORIGINS - 2, LAST_OTHER = HONE_EMU_ORIGINS - 1 };

struct racing_store {
    struct hone_emu_racer access;
    struct hone_emu_vector known;
    uint32_t origin;
};

// A word that a store touches; next: another one of its slot.
struct racing_word {
    uint64_t key;
    uint32_t store, next;
};

struct hone_emu_judge {
    struct hone_fault races[HONE_EMU_ORIGINS]; // from 1 on
    uint32_t load_sites[HONE_EMU_ORIGINS], store_sites[HONE_EMU_ORIGINS];
    uint32_t race_count, guesses;
    struct {
        uint32_t load, store;
    } exchanged[MOST_EXCHANGED];
    uint32_t exchanged_count;
    bool all_guesses; // of the stores noted
    bool lost;        // there was no room for one
    bool *followed;   // instructions that guesses race with
    struct racing_store *stores;
    size_t store_count, store_cap;
    struct racing_word *words;
    size_t word_count, word_cap;
    uint32_t *slots; // first word of each, NONE
    bool again;
    struct hone_fault choice, guess, stored, copied; // the first of the run; VALID: none
    struct hone_fault travel;                        // of all runs
    bool watches_all;
    enum hone_emu_policy policy;
    uint32_t *choices; // of each instruction
    size_t sites;
    uint64_t draws;
    struct hone_emu_history *history;
};

struct hone_emu_judge *hone_emu_judge_new(size_t sites)
{
    struct hone_emu_judge *judge = calloc(1, sizeof *judge);
    if (!judge) return NULL;
    judge->sites = sites;
    judge->choices = calloc(sites + 1, sizeof *judge->choices);
    judge->followed = calloc(sites + 1, sizeof *judge->followed);
    judge->guesses = UINT32_C(1) << LAST_GUESS;
    judge->slots = malloc(SLOTS * sizeof *judge->slots);
    judge->history = hone_emu_history_new();
    judge->all_guesses = true;
    judge->travel.outcome = HONE_VALID;
    if (judge->choices && judge->followed && judge->slots && judge->history) {
        memset(judge->slots, 0xff, SLOTS * sizeof *judge->slots);
        return judge;
    }
    hone_emu_judge_free(judge);
    return NULL;
}

void hone_emu_judge_free(struct hone_emu_judge *judge)
{
    if (!judge) return;
    hone_emu_history_free(judge->history);
    free(judge->stores);
    free(judge->words);
    free(judge->slots);
    free(judge->choices);
    free(judge->followed);
    free(judge);
}

void hone_emu_judge_doubt(struct hone_fault *fault, const char *why)
{
    char text[HONE_REASON_MAX];
    memcpy(text, fault->reason, sizeof text);
    if (strncmp(text, why, strlen(why)) == 0) return;
    snprintf(fault->reason, sizeof fault->reason, "%s%.*s", why,
             (int)(sizeof fault->reason - 1 - strlen(why)), text);
}

bool hone_emu_judge_watches_all(const struct hone_emu_judge *judge)
{
    return judge->watches_all;
}

void hone_emu_judge_watch_all(struct hone_emu_judge *judge)
{
    judge->watches_all = true;
}

void hone_emu_judge_begin(struct hone_emu_judge *judge, enum hone_emu_policy policy)
{
    judge->again = judge->store_count > 0;
    judge->policy = policy;
    judge->choice = (struct hone_fault){.outcome = HONE_VALID};
    judge->guess = judge->stored = judge->copied = judge->choice;
    judge->draws = 0;
    hone_emu_history_begin(judge->history, policy <= HONE_EMU_NEWEST);
    memset(judge->choices, 0, judge->sites * sizeof *judge->choices);
}

bool hone_emu_judge_wants_values(const struct hone_emu_judge *judge)
{
    return judge->store_count > 0 && !judge->again;
}

const struct hone_fault *hone_emu_judge_stored(const struct hone_emu_judge *judge)
{
    return judge->stored.outcome != HONE_VALID ? &judge->stored : NULL;
}

void hone_emu_judge_note_stored(struct hone_emu_judge *judge,
                                const struct hone_fault *fault)
{
    if (judge->stored.outcome == HONE_VALID) judge->stored = *fault;
}

const struct hone_fault *hone_emu_judge_copied(const struct hone_emu_judge *judge)
{
    return judge->copied.outcome != HONE_VALID ? &judge->copied : NULL;
}

void hone_emu_judge_note_copied(struct hone_emu_judge *judge,
                                const struct hone_fault *fault)
{
    if (judge->copied.outcome == HONE_VALID) judge->copied = *fault;
}

const struct hone_fault *hone_emu_judge_travel(const struct hone_emu_judge *judge)
{
    return judge->travel.outcome != HONE_VALID ? &judge->travel : NULL;
}

void hone_emu_judge_note_travel(struct hone_emu_judge *judge,
                                const struct hone_fault *fault)
{
    if (judge->travel.outcome == HONE_VALID) judge->travel = *fault;
}

// ---- races of loads ----

uint32_t hone_emu_judge_find_race(const struct hone_emu_judge *judge, uint32_t load_site,
                                  uint32_t store_site, bool guess)
{
    for (uint32_t k = 1; k <= judge->race_count; k++)
        if (judge->load_sites[k] == load_site && judge->store_sites[k] == store_site)
            return k;
    const uint32_t last = guess ? LAST_GUESS : LAST_OTHER;
    return judge->races[last].outcome != HONE_VALID ? last : 0;
}

uint32_t hone_emu_judge_add_race(struct hone_emu_judge *judge, uint32_t load_site,
                                 uint32_t store_site, bool guess,
                                 const struct hone_fault *fault)
{
    uint32_t number = guess ? LAST_GUESS : LAST_OTHER;
    if (judge->race_count < LAST_GUESS - 1) number = ++judge->race_count;
    judge->races[number] = *fault;
    if (guess) judge->guesses |= UINT32_C(1) << number;
    judge->load_sites[number] = load_site;
    judge->store_sites[number] = store_site;
    return number;
}

const uint32_t *hone_emu_judge_guesses(const struct hone_emu_judge *judge)
{
    return &judge->guesses;
}

static bool is_guess(const struct hone_emu_judge *judge, uint32_t origin)
{
    return judge->guesses >> origin & 1;
}

const struct hone_fault *hone_emu_judge_race(const struct hone_emu_judge *judge,
                                             uint32_t origin)
{
    return &judge->races[origin];
}

static uint64_t key_of(const struct hone_emu_racer *access, uint64_t address)
{
    const uint64_t space = access->shared ? access->block + UINT64_C(1) : 0;
    return space << 44 ^ address / WORD;
}

static uint32_t *slot_of(const struct hone_emu_judge *judge, uint64_t key)
{
    return &judge->slots[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 48 & (SLOTS - 1)];
}

static bool is_noted(const struct hone_emu_judge *judge,
                     const struct hone_emu_racer *store)
{
    enum { NEAR = 64 }; // one that is noted twice is by one instruction, mostly
    const uint64_t key = key_of(store, store->address);
    uint32_t w = *slot_of(judge, key);
    for (int n = 0; w != NONE && n < NEAR; w = judge->words[w].next, n++) {
        const struct hone_emu_racer *other = &judge->stores[judge->words[w].store].access;
        if (other->address == store->address && other->bytes == store->bytes &&
            other->block == store->block && other->stamp == store->stamp &&
            other->shared == store->shared)
            return true;
    }
    return false;
}

static bool add_words(struct hone_emu_judge *judge, const struct hone_emu_racer *store)
{
    const uint64_t end = store->address + store->bytes;
    for (uint64_t at = store->address / WORD * WORD; at < end; at += WORD) {
        if (!HONE_GROW(&judge->words, &judge->word_cap, judge->word_count + 1, 64))
            return false;
        const uint64_t key = key_of(store, at);
        uint32_t *slot = slot_of(judge, key);
        judge->words[judge->word_count] =
            (struct racing_word){key, (uint32_t)judge->store_count - 1, *slot};
        *slot = (uint32_t)judge->word_count++;
    }
    return true;
}

bool hone_emu_judge_add_store(struct hone_emu_judge *judge,
                              const struct hone_emu_racer *store,
                              const struct hone_emu_vector *known, uint32_t origin)
{
    if (is_noted(judge, store)) return true;
    judge->lost |=
        judge->store_count == MOST_STORES ||
        !HONE_GROW(&judge->stores, &judge->store_cap, judge->store_count + 1, 64);
    if (judge->lost) return false;
    judge->stores[judge->store_count++] = (struct racing_store){*store, *known, origin};
    judge->all_guesses &= is_guess(judge, origin);
    return add_words(judge, store);
}

void hone_emu_judge_say_lost(const struct hone_emu_judge *judge, struct hone_fault *fault)
{
    if (judge->lost || hone_emu_history_is_full(judge->history))
        hone_emu_judge_doubt(
            fault, "may not matter, but there are more races than can be judged: ");
}

bool hone_emu_judge_is_again(const struct hone_emu_judge *judge)
{
    return judge->again;
}

void hone_emu_judge_note_exchange(struct hone_emu_judge *judge, uint32_t load_site,
                                  uint32_t store_site)
{
    for (uint32_t k = 0; k < judge->exchanged_count; k++)
        if (judge->exchanged[k].load == load_site &&
            judge->exchanged[k].store == store_site)
            return;
    if (judge->exchanged_count == MOST_EXCHANGED) return;
    judge->exchanged[judge->exchanged_count].load = load_site;
    judge->exchanged[judge->exchanged_count++].store = store_site;
}

// Lanes have exchanged something between the two wherever they met.
static bool are_exchanged(const struct hone_emu_judge *judge, uint32_t load_site,
                          uint32_t store_site)
{
    bool exchanged = false;
    for (uint32_t k = 0; k < judge->exchanged_count; k++)
        exchanged |= judge->exchanged[k].load == load_site &&
                     judge->exchanged[k].store == store_site;
    for (uint32_t k = 1; exchanged && k <= judge->race_count; k++)
        if (judge->load_sites[k] == load_site && judge->store_sites[k] == store_site)
            return false;
    return exchanged;
}

// Which signals of other blocks come between is not known any more: a store that raced
// with one load of a place by another block is taken to race with all that come before.
static bool races(const struct racing_store *store, const struct hone_emu_racer *load)
{
    const struct hone_emu_racer *other = &store->access;
    if (other->shared != load->shared || load->address >= other->address + other->bytes ||
        other->address >= load->address + load->bytes)
        return false;
    if (hone_emu_stamp_strong(other->stamp) && hone_emu_stamp_strong(load->stamp))
        return false;
    if (other->block != load->block) return !load->shared;
    const uint32_t warp = hone_emu_stamp_warp(other->stamp),
                   lane = hone_emu_stamp_lane(other->stamp);
    return load->shared ? !hone_emu_known_load(&store->known, load->stamp, warp, lane)
                        : !hone_emu_known(&store->known, load->stamp, warp, lane);
}

// The bytes that both touch, a bit each of the load's.
static uint32_t common_bytes(const struct hone_emu_racer *store,
                             const struct hone_emu_racer *load)
{
    uint32_t common = 0;
    for (uint32_t b = 0; b < load->bytes && b < 32; b++)
        common |= (uint32_t)(load->address + b - store->address < store->bytes) << b;
    return common;
}

uint32_t hone_emu_judge_find_stores(const struct hone_emu_judge *judge,
                                    const struct hone_emu_racer *load,
                                    hone_emu_has_come *has_come, const void *context,
                                    uint32_t *origin)
{
    const uint64_t end = load->address + load->bytes;
    const uint32_t whole =
        load->bytes < 32 ? (UINT32_C(1) << load->bytes) - 1 : UINT32_MAX;
    uint32_t stored = 0;
    for (uint64_t at = load->address / WORD * WORD; at < end; at += WORD) {
        const uint64_t key = key_of(load, at);
        for (uint32_t w = *slot_of(judge, key); w != NONE; w = judge->words[w].next) {
            const struct racing_store *store = &judge->stores[judge->words[w].store];
            if (stored == whole && judge->all_guesses) return stored;
            if (judge->words[w].key != key || !races(store, load) ||
                are_exchanged(judge, load->site, store->access.site) ||
                has_come(context, &store->access, load))
                continue;
            if (stored == 0 || is_guess(judge, *origin)) *origin = store->origin;
            stored |= common_bytes(&store->access, load);
        }
    }
    return stored;
}

// ---- guesses ----

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
static uint32_t mix(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 16);
}

static uint32_t draw(struct hone_emu_judge *judge)
{
    return mix(++judge->draws);
}

bool hone_emu_judge_gives(const struct hone_emu_judge *judge)
{
    return judge->policy >= HONE_EMU_OLDEST;
}

void hone_emu_judge_follow(struct hone_emu_judge *judge, uint32_t store_site)
{
    judge->followed[store_site] = true;
}

bool hone_emu_judge_follows(const struct hone_emu_judge *judge, uint32_t store_site)
{
    return judge->followed[store_site];
}

void hone_emu_judge_change(struct hone_emu_judge *judge, const struct hone_emu_racer *by,
                           uint32_t lanes, const struct hone_emu_vector *known,
                           const uint8_t *memory)
{
    hone_emu_history_change(judge->history, by, lanes, known, memory);
}

void hone_emu_judge_settle(struct hone_emu_judge *judge)
{
    hone_emu_history_settle(judge->history);
}

// The same for a look in each of the runs that give what there was between.
static uint32_t rank_of(const struct hone_emu_racer *load, uint32_t turn)
{
    return mix((uint64_t)load->block << 40 ^ (uint64_t)turn << 20 ^
               hone_emu_stamp_warp(load->stamp) << 6 ^ hone_emu_stamp_lane(load->stamp));
}

void hone_emu_judge_give(struct hone_emu_judge *judge, uint32_t site,
                         const struct hone_emu_racer *load, hone_emu_has_come *has_come,
                         const void *context, uint32_t turn, uint8_t *bytes)
{
    enum { PATIENCE = 4096 }; // a loop that waits for a value must get it one day
    enum { OLD, NEW, MEMORY, WAYS };
    uint32_t way = judge->policy == HONE_EMU_NEWEST ? NEW : OLD;
    if (judge->policy == HONE_EMU_OLD_THEN_NEW) way = turn % 2 ? NEW : OLD;
    if (judge->policy == HONE_EMU_NEW_THEN_OLD) way = turn % 2 ? OLD : NEW;
    if (judge->choices[site]++ >= PATIENCE)
        way = draw(judge) % WAYS;
    else if (judge->policy >= HONE_EMU_BETWEEN) {
        const uint32_t round = (uint32_t)judge->policy - HONE_EMU_BETWEEN;
        hone_emu_history_between(judge->history, load, has_come, context,
                                 rank_of(load, turn) % 64 + round, bytes);
        return;
    }
    if (way == OLD)
        hone_emu_history_oldest(judge->history, load, has_come, context, bytes);
    if (way == NEW)
        hone_emu_history_newest(judge->history, load, has_come, context, bytes);
}

bool hone_emu_judge_lost_values(const struct hone_emu_judge *judge)
{
    return hone_emu_history_is_full(judge->history);
}

// ---- choices ----

const struct hone_fault *hone_emu_judge_choice(const struct hone_emu_judge *judge)
{
    return judge->choice.outcome != HONE_VALID ? &judge->choice : NULL;
}

void hone_emu_judge_note_choice(struct hone_emu_judge *judge,
                                const struct hone_fault *fault)
{
    judge->choice = *fault;
}

const struct hone_fault *hone_emu_judge_guess(const struct hone_emu_judge *judge)
{
    return judge->guess.outcome != HONE_VALID ? &judge->guess : NULL;
}

void hone_emu_judge_note_guess(struct hone_emu_judge *judge,
                               const struct hone_fault *fault)
{
    judge->guess = *fault;
}

uint32_t hone_emu_judge_choose(struct hone_emu_judge *judge, uint32_t site,
                               uint32_t lanes, uint32_t as_is)
{
    enum { PATIENCE = 64 }; // a loop that undefined values decide must come to its end
    const bool patient = judge->choices[site]++ < PATIENCE;
    if (judge->policy == HONE_EMU_TAKEN)
        return (patient ? UINT32_MAX : draw(judge)) & lanes;
    if (judge->policy == HONE_EMU_NOT_TAKEN) return (patient ? 0 : draw(judge)) & lanes;
    if (judge->policy == HONE_EMU_BY_CHANCE) return draw(judge) & lanes;
    return as_is & lanes;
}
