// What the checks of a launch share, and a checker for the blocks of one workspace: how
// they are made, begin a block and end.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_arrays.h"
#include "check_state.h"
#include "fidelity.h"

// ---- what a launch shares ----

// The smallest access to a space, so that neighbours are not taken for one; 4 at most.
static uint32_t smallest_access(const struct hone_emu_code *code, enum ptx_space space)
{
    uint32_t least = 4;
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        uint32_t bytes = hone_ptx_type_bits((enum ptx_type)insn->type) / 8 * insn->lanes;
        bool there = insn->space == space || insn->space == PTX_GENERIC;
        if (insn->op == EMU_STMATRIX && insn->mode == MODE_TRANS) bytes = 2;
        if (insn->op != EMU_LD && insn->op != EMU_ST && insn->op != EMU_STMATRIX)
            continue;
        if (there && bytes && bytes < least) least = bytes;
    }
    return least;
}

enum hone_status hone_emu_checks_new(struct hone_emu_checks **out,
                                     const struct hone_emu_launch *launch,
                                     struct hone_emu_judge *judge, struct hone_error *err)
{
    const struct hone_emu_code *code = launch->code;
    struct hone_emu_checks *checks = calloc(1, sizeof *checks);
    *out = NULL;
    if (!checks) return hone_no_memory(err, "to check a launch");
    checks->launch = launch;
    checks->judge = judge;
    checks->again = hone_emu_judge_is_again(judge);
    checks->clustered = hone_emu_cluster_size(launch) > 1;
    checks->dependent = launch->asked && launch->asked->flags & HONE_LAUNCH_DEPENDENT;
    checks->shared_granule = smallest_access(code, PTX_SHARED);
    uint32_t granule = smallest_access(code, PTX_GLOBAL);
    if (checks->clustered && checks->shared_granule < granule)
        granule =
            checks->shared_granule; // races between blocks of clusters are there too
    checks->kinds = calloc(code->count, 1);
    const bool room = hone_emu_scratch_init(checks) && hone_emu_fresh_init(checks);
    checks->races = hone_emu_global_races_new(granule, code->count);
    const uint64_t shared = code->dynamic_shared_at + launch->shared_bytes;
    if (!hone_emu_reach_init(&checks->reach, code) || !room || !checks->kinds ||
        !hone_emu_arrays_init(checks, shared) || !checks->races) {
        hone_emu_checks_free(checks);
        return hone_no_memory(err, "to check a launch");
    }
    if (!checks->follows) hone_emu_global_races_sample(checks->races);
    for (size_t k = 0; k < code->count; k++) {
        checks->kinds[k] = (uint8_t)hone_emu_kind_of(&code->insns[k]);
        checks->copies |= code->insns[k].op == EMU_CPASYNC;
        checks->near |= checks->clustered && code->insns[k].order & ORDER_CLUSTER;
    }
    *out = checks;
    return HONE_OK;
}

void hone_emu_checks_free(struct hone_emu_checks *checks)
{
    if (!checks) return;
    hone_emu_global_races_free(checks->races);
    hone_emu_scratch_fini(checks);
    hone_emu_fresh_fini(checks);
    hone_emu_reach_fini(&checks->reach);
    free(checks->kinds);
    free(checks->arrays);
    free(checks->changes);
    free(checks->grid_waits);
    free(checks);
}

unsigned hone_emu_checks_reached(const struct hone_emu_checks *checks)
{
    return checks->reached;
}

uint64_t hone_emu_checks_shared_written(const struct hone_emu_checks *checks)
{
    return checks->shared_written;
}

// ---- a checker ----

// Above all device memory, below the windows.
static const uint64_t cluster_bases = UINT64_C(1) << 50;

// Each warp's share of what is known of registers.
static void make_shadows(struct hone_emu_checker *checker)
{
    const struct hone_emu_code *code = checker->code;
    const size_t words = code->register_bytes / 4;
    for (size_t w = 0; w < checker->warps; w++)
        checker->shadows[w] = (struct hone_emu_shadow){
            .code = code,
            .marks = checker->marks + w * words,
            .bits = checker->bits + w * code->register_bytes,
            .origins = checker->origins + w * words,
            .guess_origins = checker->guess_origins + w * words,
            .guesses = hone_emu_judge_guesses(checker->checks->judge),
            .stored = &checker->stored,
            .changed = &checker->changed[w]};
}

// What is known of registers and of the memory that a block has for itself.
static bool make_marks(struct hone_emu_checker *checker)
{
    const struct hone_emu_code *code = checker->code;
    const size_t words = code->register_bytes / 4;
    checker->marks = calloc(checker->warps * words + 1, sizeof *checker->marks);
    checker->bits = calloc(checker->warps, (size_t)code->register_bytes + 1);
    checker->origins = calloc(checker->warps * words + 1, sizeof *checker->origins);
    checker->guess_origins = calloc(checker->warps, words + 1);
    memset(checker->changed, true, sizeof checker->changed);
    make_shadows(checker);
    checker->shared = calloc(1, (size_t)checker->shared_bytes + 1);
    checker->local =
        calloc((size_t)checker->warps * HONE_EMU_LANES, (size_t)code->local_bytes + 1);
    return checker->marks && checker->bits && checker->origins &&
           checker->guess_origins && checker->shared && checker->local;
}

// The checks of their own that the code needs.
static bool make_parts(struct hone_emu_checker *checker)
{
    struct hone_emu_checks *checks = checker->checks;
    if (!hone_emu_races_init(&checker->races, checker->shared_bytes,
                             checks->shared_granule) ||
        !hone_emu_product_checks_init(checker))
        return false;
    if (hone_emu_has_async(checker->code)) {
        checker->proxy = hone_emu_proxy_new(checker->shared_bytes);
        if (!checker->proxy) return false;
    }
    if (!checks->reach.exchanges) return true;
    checker->exchanges =
        hone_emu_exchanges_new(&checks->reach, checks->judge, checker->warps);
    return checker->exchanges != NULL;
}

static const struct hone_emu_observer checker_observer = {
    .step = hone_emu_check_step,
    .access = hone_emu_check_access,
    .barrier = hone_emu_check_barrier,
    .mbarrier = hone_emu_check_mbarrier,
    .peer = hone_emu_check_peer,
    .cluster = hone_emu_check_cluster,
    .map = hone_emu_check_map,
    .async = hone_emu_check_async,
    .products = true,
};

enum hone_status hone_emu_checker_new(struct hone_emu_checker **out,
                                      struct hone_emu_checks *checks,
                                      struct hone_error *err)
{
    const struct hone_emu_launch *launch = checks->launch;
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct hone_emu_checker *checker = calloc(1, sizeof *checker);
    *out = NULL;
    if (!checker) return hone_no_memory(err, "to check a launch");
    checker->observer = checker_observer;
    checker->observer.context = checker;
    checker->checks = checks;
    checker->cluster_base =
        cluster_bases + ((uint64_t)checks->checkers++ << HONE_EMU_RANK_SHIFT);
    checker->code = launch->code;
    checker->warps = (threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES;
    checker->shared_bytes = launch->code->dynamic_shared_at + launch->shared_bytes;
    checker->local_bytes = launch->code->local_bytes;
    if (!make_marks(checker) || !make_parts(checker)) {
        hone_emu_checker_free(checker);
        return hone_no_memory(err, "to check a launch");
    }
    *out = checker;
    return HONE_OK;
}

void hone_emu_checker_free(struct hone_emu_checker *checker)
{
    if (!checker) return;
    hone_emu_races_fini(&checker->races);
    hone_emu_exchanges_free(checker->exchanges);
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        free(checker->pending[w].items);
    hone_emu_proxy_free(checker->proxy);
    free(checker->phases);
    hone_emu_product_checks_fini(checker);
    free(checker->acquired);
    free(checker->marks);
    free(checker->bits);
    free(checker->origins);
    free(checker->guess_origins);
    free(checker->shared);
    free(checker->local);
    free(checker);
}

enum hone_status hone_emu_checker_begin(struct hone_emu_checker *checker,
                                        const uint32_t id[3], struct hone_error *err)
{
    const uint32_t *size = checker->checks->launch->cluster;
    const uint32_t rank =
        (id[2] % size[2] * size[1] + id[1] % size[1]) * size[0] + id[0] % size[0];
    int64_t number = hone_emu_global_races_enter(checker->checks->races, id, rank);
    if (number < 0) return hone_no_memory(err, "to check a launch");
    checker->block = (uint32_t)number;
    checker->stored = (struct hone_emu_stored){0};
    hone_emu_order_begin(&checker->order);
    checker->order.exchanges = checker->exchanges;
    if (checker->exchanges) hone_emu_exchanges_begin(checker->exchanges);
    hone_emu_races_begin(&checker->races);
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        checker->pending[w].count = 0;
    memset(checker->committed, 0, sizeof checker->committed);
    memset(checker->waited, 0, sizeof checker->waited);
    if (checker->checks->clustered)
        hone_emu_global_races_forget(checker->checks->races, checker->cluster_base,
                                     checker->shared_bytes);
    checker->cluster_gate = (struct hone_emu_gate){0};
    checker->begun = checker->passed = 0;
    checker->opening = (struct hone_emu_heard){0};
    memset(checker->arrivals, 0, sizeof checker->arrivals);
    checker->world_at_begin = hone_emu_global_races_world(checker->checks->races);
    memset(checker->visits, 0, sizeof checker->visits);
    if (checker->proxy) hone_emu_proxy_begin(checker->proxy);
    checker->fenced_in_parts = 0;
    checker->given_count = 0;
    hone_emu_product_checks_begin(checker);
    checker->phase_count = 0;
    memset(checker->waits, 0, sizeof checker->waits);
    checker->acquired_count = 0;
    checker->map_uses = (struct hone_emu_map_uses){0};
    checker->barriers = (struct hone_emu_barriers){0};
    memset(checker->after_grid, 0, sizeof checker->after_grid);
    checker->due = false;
    memset(checker->looks, 0, checker->warps * sizeof checker->looks[0]);
    memset(checker->shared, BYTE_UNWRITTEN, (size_t)checker->shared_bytes);
    memset(checker->shared, 0, checker->code->reserved_shared_bytes); // by the system
    memset(checker->local, BYTE_UNWRITTEN,
           (size_t)checker->warps * HONE_EMU_LANES * (size_t)checker->local_bytes);
    for (uint32_t w = 0; w < checker->warps; w++)
        hone_emu_shadow_begin(&checker->shadows[w]);
    return HONE_OK;
}

void hone_emu_checker_end(struct hone_emu_checker *checker)
{
    const uint64_t first = checker->code->dynamic_shared_at;
    uint64_t end = checker->shared_bytes;
    while (end > first + checker->checks->shared_written &&
           checker->shared[end - 1] & BYTE_UNWRITTEN)
        end--;
    if (end > first + checker->checks->shared_written)
        checker->checks->shared_written = end - first;
}

const struct hone_emu_observer *
hone_emu_checker_observer(const struct hone_emu_checker *checker)
{
    return &checker->observer;
}
