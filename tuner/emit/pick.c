#include "pick.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

// Nodes of a cover's search; what it did not find by then counts as not there.
enum { EXACT_MOST = 64, NODES_MOST = 4096, SWEEPS_MOST = 20 };

// Differences below this are noise: the least margin of the finals (docs/measurement.md).
static const double noise = 0.01;

struct cover {
    const struct emit_matrix *m;
    const bool *use;
    double limit;   // of the weighted regret
    size_t most;    // configurations to spend
    uint64_t *mask; // [configs] problems covered; up to EXACT_MOST problems
    size_t *path, depth;
    size_t nodes;
    bool *chosen; // [configs]
    bool *done;   // [problems] scratch of the greedy cover
};

static bool covers(const struct cover *c, size_t config, size_t problem)
{
    const double regret = emit_regret(c->m, config, problem);
    return isfinite(regret) && c->m->weight[problem] * regret <= c->limit;
}

static bool counts(const struct cover *c, size_t problem)
{
    return !c->use || c->use[problem];
}

/* --- the greedy cover --- */

static double weight_of_new(const struct cover *c, size_t config)
{
    double weight = 0;
    for (size_t p = 0; p < c->m->problems; p++)
        if (counts(c, p) && !c->done[p] && covers(c, config, p))
            weight += c->m->weight[p];
    return weight;
}

// True when everything is covered.
static bool cover_greedily(struct cover *c)
{
    memset(c->chosen, 0, c->m->configs * sizeof *c->chosen);
    memset(c->done, 0, c->m->problems * sizeof *c->done);
    for (size_t spent = 0; spent < c->most; spent++) {
        double most = 0;
        size_t best = 0;
        for (size_t i = 0; i < c->m->configs; i++) {
            const double weight = c->chosen[i] ? 0 : weight_of_new(c, i);
            if (weight > most) {
                most = weight;
                best = i;
            }
        }
        if (!(most > 0)) break;
        c->chosen[best] = true;
        for (size_t p = 0; p < c->m->problems; p++)
            c->done[p] = c->done[p] || covers(c, best, p);
    }
    for (size_t p = 0; p < c->m->problems; p++)
        if (counts(c, p) && !c->done[p]) return false;
    return true;
}

/* --- the exact cover --- */

static int bits(uint64_t mask)
{
    return __builtin_popcountll(mask);
}

// The problem that the fewest configurations cover.
static int hardest(const struct cover *c, uint64_t missing)
{
    int best = 0;
    size_t fewest = SIZE_MAX;
    for (uint64_t left = missing; left; left &= left - 1) {
        const int problem = __builtin_ctzll(left);
        size_t count = 0;
        for (size_t i = 0; i < c->m->configs; i++)
            count += c->mask[i] >> problem & 1;
        if (count >= fewest) continue;
        fewest = count;
        best = problem;
    }
    return best;
}

static bool cover_rest(struct cover *c, uint64_t missing)
{
    if (!missing) return true;
    if (c->depth == c->most || ++c->nodes > NODES_MOST) return false;
    int widest = 0;
    for (size_t i = 0; i < c->m->configs; i++) {
        const int width = bits(c->mask[i] & missing);
        if (width > widest) widest = width;
    }
    if ((size_t)widest * (c->most - c->depth) < (size_t)bits(missing)) return false;
    const int problem = hardest(c, missing);
    for (int width = widest; width; width--)
        for (size_t i = 0; i < c->m->configs; i++) {
            const uint64_t own = c->mask[i] & missing;
            if (!(own >> problem & 1) || bits(own) != width) continue;
            c->path[c->depth++] = i;
            if (cover_rest(c, missing & ~own)) return true;
            c->depth--;
        }
    return false;
}

static bool cover_exactly(struct cover *c)
{
    uint64_t missing = 0;
    for (size_t p = 0; p < c->m->problems; p++)
        if (counts(c, p)) missing |= UINT64_C(1) << p;
    for (size_t i = 0; i < c->m->configs; i++) {
        c->mask[i] = 0;
        for (size_t p = 0; p < c->m->problems; p++)
            if (covers(c, i, p)) c->mask[i] |= UINT64_C(1) << p;
    }
    c->depth = c->nodes = 0;
    if (!cover_rest(c, missing)) return false;
    memset(c->chosen, 0, c->m->configs * sizeof *c->chosen);
    for (size_t i = 0; i < c->depth; i++)
        c->chosen[c->path[i]] = true;
    return true;
}

static bool cover_within(struct cover *c, double limit, size_t most)
{
    c->limit = limit;
    c->most = most;
    return cover_greedily(c) || (c->m->problems <= EXACT_MOST && cover_exactly(c));
}

/* --- the bottleneck --- */

// The weighted regrets that occur, in order.
static size_t find_thresholds(const struct cover *c, double *out)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < c->m->configs; i++)
        for (size_t p = 0; p < c->m->problems; p++) {
            const double regret = c->m->weight[p] * emit_regret(c->m, i, p);
            if (counts(c, p) && isfinite(regret)) out[count++] = regret;
        }
    hone_sort_doubles(out, count);
    for (size_t i = 0; i < count; i++)
        if (!kept || out[i] > out[kept - 1]) out[kept++] = out[i];
    return kept;
}

// The least threshold that `most` configurations reach; the greatest where none does.
static double find_limit(struct cover *c, const double *thresholds, size_t count,
                         size_t most)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cover_within(c, thresholds[middle], most))
            high = middle;
        else
            low = middle + 1;
    }
    return thresholds[low];
}

/* --- a smaller mean --- */

// Whether a serves the problem better than b, which can.
static bool is_better(const struct emit_matrix *m, size_t a, size_t b, size_t problem)
{
    const double x = emit_regret(m, a, problem), y = emit_regret(m, b, problem);
    return x < y ||
           (x == y && emit_is_seen(m, a, problem) && !emit_is_seen(m, b, problem));
}

size_t hone_emit_best_of(const struct emit_matrix *m, const bool *chosen, size_t problem)
{
    size_t best = m->configs;
    for (size_t i = 0; i < m->configs; i++) {
        if (!chosen[i] || isinf(emit_regret(m, i, problem))) continue;
        if (best == m->configs || is_better(m, i, best, problem)) best = i;
    }
    return best;
}

// Sums the regrets of the chosen by weight; INFINITY where a problem is over the limit.
static double total_of(const struct cover *c)
{
    double total = 0;
    for (size_t p = 0; p < c->m->problems; p++) {
        if (!counts(c, p)) continue;
        const size_t best = hone_emit_best_of(c->m, c->chosen, p);
        if (best == c->m->configs || !covers(c, best, p)) return (double)INFINITY;
        total += c->m->weight[p] * emit_regret(c->m, best, p);
    }
    return total;
}

static bool exchange(struct cover *c, size_t out, double *total)
{
    for (size_t in = 0; in < c->m->configs; in++) {
        if (c->chosen[in]) continue;
        c->chosen[out] = false;
        c->chosen[in] = true;
        const double now = total_of(c);
        if (now < *total) {
            *total = now;
            return true;
        }
        c->chosen[out] = true;
        c->chosen[in] = false;
    }
    return false;
}

static void lower_mean(struct cover *c)
{
    double total = total_of(c);
    bool better = isfinite(total);
    for (int sweep = 0; better && sweep < SWEEPS_MOST; sweep++) {
        better = false;
        for (size_t i = 0; i < c->m->configs; i++)
            if (c->chosen[i]) better = exchange(c, i, &total) || better;
    }
}

/* --- whose results were compared --- */

// Who serves each problem as long as the chosen are looked for.
struct service {
    struct cover *c;
    size_t *config; // [problems] c->m->configs: nobody
    size_t chosen, most;
};

static bool serves_better(const struct service *s, size_t config, size_t problem)
{
    const struct emit_matrix *m = s->c->m;
    const size_t now = s->config[problem];
    if (now == m->configs) return isfinite(emit_regret(m, config, problem));
    return is_better(m, config, now, problem);
}

static bool is_spared(const struct service *s, size_t config, size_t instead)
{
    for (size_t p = 0; p < s->c->m->problems; p++)
        if (counts(s->c, p) && s->config[p] == config && !serves_better(s, instead, p))
            return false;
    return true;
}

// One that is no slower on the problem than who serves it, and was compared there: one
// that takes its place in all, else the fastest.
static size_t find_seen(const struct service *s, size_t problem)
{
    const struct emit_matrix *m = s->c->m;
    const size_t now = s->config[problem];
    const double most = emit_regret(m, now, problem);
    size_t found = m->configs;
    for (size_t i = 0; i < m->configs; i++) {
        const double regret = emit_regret(m, i, problem);
        if (!emit_is_seen(m, i, problem) || regret > most) continue;
        if (is_spared(s, now, i)) return i;
        if (found == m->configs || regret < emit_regret(m, found, problem)) found = i;
    }
    return found;
}

// Whether the problem now has one whose results were compared: where there is no room, in
// place of who served it alone.
static bool see(struct service *s, size_t problem)
{
    const struct emit_matrix *m = s->c->m;
    const size_t now = s->config[problem];
    if (now == m->configs || emit_is_seen(m, now, problem)) return false;
    const size_t seen = find_seen(s, problem);
    if (seen == m->configs) return false;
    const bool spared = is_spared(s, now, seen);
    if (!spared && s->chosen == s->most) return false;
    s->chosen += !spared;
    s->c->chosen[now] = !spared;
    s->c->chosen[seen] = true;
    for (size_t p = 0; p < m->problems; p++)
        if (serves_better(s, seen, p)) s->config[p] = seen;
    return true;
}

// No row goes without a look at its results where that costs no time.
static bool see_all(struct cover *c, size_t most, struct hone_arena *scratch)
{
    struct service s = {.c = c, .most = most};
    s.config = hone_arena_array(scratch, c->m->problems, sizeof *s.config);
    if (!s.config) return false;
    for (size_t i = 0; i < c->m->configs; i++)
        s.chosen += c->chosen[i];
    for (size_t p = 0; p < c->m->problems; p++)
        s.config[p] = hone_emit_best_of(c->m, c->chosen, p);
    for (bool more = true; more;) {
        more = false;
        for (size_t p = 0; p < c->m->problems; p++)
            more = (counts(c, p) && see(&s, p)) || more;
    }
    return true;
}

enum hone_status hone_emit_pick(bool *chosen, const struct emit_matrix *m,
                                const bool *use, size_t most, struct hone_arena *scratch)
{
    struct cover c = {.m = m, .use = use, .chosen = chosen};
    double *thresholds =
        hone_arena_array(scratch, m->configs * m->problems, sizeof *thresholds);
    c.mask = hone_arena_array(scratch, m->configs, sizeof *c.mask);
    c.path = hone_arena_array(scratch, most + 1, sizeof *c.path);
    c.done = hone_arena_array(scratch, m->problems, sizeof *c.done);
    if (!thresholds || !c.mask || !c.path || !c.done) return HONE_ENOMEM;
    memset(chosen, 0, m->configs * sizeof *chosen);
    const size_t count = find_thresholds(&c, thresholds);
    if (!count) return HONE_OK;
    const double enough = fmax(m->enough, noise);
    const double limit = fmax(find_limit(&c, thresholds, count, most), enough);
    size_t fewest = 1;
    while (fewest < most && !cover_within(&c, limit, fewest))
        fewest++;
    if (!cover_within(&c, limit, fewest)) {
        c.limit = thresholds[count - 1]; // who can be covered at all
        cover_greedily(&c);
    }
    lower_mean(&c);
    return !m->seen || see_all(&c, most, scratch) ? HONE_OK : HONE_ENOMEM;
}

/* --- estimates --- */

// The 97.5 % point of Student's t.
static double student(size_t freedom)
{
    static const double points[] = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
        2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    enum { COUNT = sizeof points / sizeof *points };
    // Beyond the table: the first term of the expansion in 1 / freedom.
    if (freedom > COUNT) return 1.960 + 2.37 / (double)freedom;
    return points[freedom - 1];
}

struct emit_estimate hone_emit_estimate_of(const double *regrets, const double *weights,
                                           size_t count)
{
    struct emit_estimate e = {.mean = (double)NAN,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .worst = (double)NAN,
                              .asked = count};
    double sum = 0, total = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(regrets[i])) continue;
        if (e.known < EMIT_INTERVAL_LEAST - 1) e.each[e.known] = regrets[i];
        e.known++;
        total += weights[i];
        sum += weights[i] * regrets[i];
        e.worst = fmax(e.worst, regrets[i]); // of NAN and a number: the number
    }
    if (!e.known) return e;
    e.mean = sum / total;
    if (e.known < 2) return e;
    for (size_t i = 0; i < count; i++)
        if (isfinite(regrets[i])) squares += pow(weights[i] * (regrets[i] - e.mean), 2);
    const double n = (double)e.known;
    const double half = student(e.known - 1) * sqrt(squares * n / (n - 1)) / total;
    e.low = fmax(e.mean - half, 0);
    e.high = e.mean + half;
    return e;
}
