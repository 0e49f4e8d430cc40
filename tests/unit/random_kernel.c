// Writes random kernels. Signed arithmetic is done unsigned, divisors are made positive,
// shift counts and indices masked, floats converted to integers only in range.
#include "random_kernel.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 3, LEAST_DEPTH = 1 };

struct writer {
    struct hone_strbuf *text;
    struct hone_rng *rng;
    int loops; // names of their counters
};

static unsigned pick(struct writer *w, unsigned n)
{
    return (unsigned)hone_rng_below(w->rng, n);
}

// ---- expressions ----

// Write a pattern: I U L F D are expressions of int, unsigned, long long, float, double,
// @ is an index below four, # an edge of int.
static void expression(struct writer *w, const char *pattern, unsigned depth);

static const char *const ints[] = {"v->a[0]",
                                   "v->a[1]",
                                   "v->a[2]",
                                   "v->a[3]",
                                   "t",
                                   "#",
                                   "v->h",
                                   "v->c",
                                   "r[(I) & 7]",
                                   "(int)((unsigned)(I) + (unsigned)(I))",
                                   "(int)((unsigned)(I) - (unsigned)(I))",
                                   "(int)((unsigned)(I) * (unsigned)(I))",
                                   "((I) & (I))",
                                   "((I) | (I))",
                                   "((I) ^ (I))",
                                   "(~(I))",
                                   "(int)((unsigned)(I) << ((I) & 31))",
                                   "((I) >> ((I) & 31))",
                                   "((I) / (((I) & 255) + 1))",
                                   "((I) % (((I) & 255) + 1))",
                                   "((I) < (I) ? (I) : (I))",
                                   "((F) < (F))",
                                   "((D) >= (D))",
                                   "((U) > (U))",
                                   "((L) == (L))",
                                   "((F) != (F))",
                                   "to_int(F)",
                                   "(int)(U)",
                                   "(int)(L)",
                                   "(short)(I)",
                                   "(signed char)(I)",
                                   "popc(U)",
                                   "clz(U)",
                                   "mulhi(I, I)",
                                   "helper(I, F)",
                                   "((I) && (F) > (F) || !(U))",
                                   "s[(I) & 63]",
                                   "quotient(I, I)",
                                   "remains(I, I)",
                                   "shift_right(I, U)",
                                   "(int)shift_left(U, U)",
                                   "to_int_near(F)",
                                   "(int)to_half(F)",
                                   "(int)to_brain(F)",
                                   "min_i(I, I)",
                                   "max_i(I, I)",
                                   "(int)bytes_of(U, U, U)",
                                   "first_bit(L)",
                                   "bit_field(I, U, U)",
                                   "sad(I, I, U)",
                                   "(int)dot4(U, U, I)"};
static const char *const unsigneds[] = {"v->u[0]",
                                        "v->u[1]",
                                        "v->u[2]",
                                        "v->u[3]",
                                        "(unsigned)(I)",
                                        "((U) + (U))",
                                        "((U) - (U))",
                                        "((U) * (U))",
                                        "((U) / ((U) | 1u))",
                                        "((U) % ((U) | 1u))",
                                        "((U) >> ((I) & 31))",
                                        "((U) << ((U) & 31u))",
                                        "((U) ^ (U))",
                                        "((I) ? (U) : (U))",
                                        "(unsigned)((unsigned long long)(L) >> 32)",
                                        "(unsigned char)(U)",
                                        "bits(F)",
                                        "shift_left(U, U)",
                                        "shift_right_u(U, U)",
                                        "funnel(U, U, U)",
                                        "reverse(U)",
                                        "bytes_of(U, U, U)",
                                        "half_sum(U, U)",
                                        "half_product(U, U)",
                                        "to_uint(F)",
                                        "insert(U, U, I, I)",
                                        "mulhi_u(U, U)"};
static const char *const longs[] = {
    "v->l[0]",
    "v->l[1]",
    "(long long)(I)",
    "(long long)(U)",
    "(long long)((unsigned long long)(L) + (unsigned long long)(L))",
    "(long long)((unsigned long long)(L) * (unsigned long long)(L))",
    "((L) / (((L) & 1023) + 1))",
    "((L) % (((L) & 65535) + 1))",
    "((L) >> ((I) & 63))",
    "(long long)((unsigned long long)(L) << ((I) & 63))",
    "((L) ^ (L))",
    "(long long)((unsigned long long)(L) / ((unsigned long long)(L) | 1))",
    "((long long)(I) * (I))",
    "((L) < (L) ? (L) : (L))",
    "mulhi_l(L, L)",
    "quotient_l(L, L)",
    "remains_l(L, L)",
    "wide_shift(L, U)",
    "wide_shift_left(L, U)",
    "to_long(D)",
    "(long long)popcl((unsigned long long)(L))",
    "min_l(L, L)"};
static const char *const floats[] = {"v->x[0]",
                                     "v->x[1]",
                                     "v->x[2]",
                                     "v->x[3]",
                                     "(float)(I)",
                                     "(float)(U)",
                                     "(float)(L)",
                                     "(float)(D)",
                                     "((F) + (F))",
                                     "((F) - (F))",
                                     "((F) * (F))",
                                     "((F) / (F))",
                                     "(-(F))",
                                     "fabsf(F)",
                                     "sqrtf(fabsf(F))",
                                     "fmaf(F, F, F)",
                                     "((F) < (F) ? (F) : (F))",
                                     "floorf(F)",
                                     "ceilf(F)",
                                     "truncf(F)",
                                     "rintf(F)",
                                     "1.5f",
                                     "1e-30f",
                                     "16777216.0f",
                                     "0.1f",
                                     "least(F, F)",
                                     "most(F, F)",
                                     "least_nan(F, F)",
                                     "most_nan(F, F)",
                                     "half((unsigned short)(U))",
                                     "half(to_half(F))",
                                     "brain(to_brain(F))",
                                     "copysignf(F, (float)(I))",
                                     "saturate(F)"};
static const char *const doubles[] = {"v->d[0]",
                                      "v->d[1]",
                                      "(double)(I)",
                                      "(double)(U)",
                                      "(double)(L)",
                                      "(double)(F)",
                                      "((D) + (D))",
                                      "((D) - (D))",
                                      "((D) * (D))",
                                      "((D) / (D))",
                                      "sqrt(fabs(D))",
                                      "fma(D, D, D)",
                                      "((D) > (D) ? (D) : (D))",
                                      "floor(D)",
                                      "rint(D)",
                                      "0.3",
                                      "1e200",
                                      "least_d(D, D)",
                                      "most_d(D, D)",
                                      "(double)half((unsigned short)(I))",
                                      "ceil(D)",
                                      "trunc(D)",
                                      "copysign(D, (double)(L))"};

// The first leaves of each list need no further expression.
static void typed(struct writer *w, char type, unsigned depth)
{
    const struct {
        char type;
        const char *const *list;
        unsigned leaves, count;
    } kinds[] = {{'I', ints, 8, sizeof ints / sizeof *ints},
                 {'U', unsigneds, 4, sizeof unsigneds / sizeof *unsigneds},
                 {'L', longs, 2, sizeof longs / sizeof *longs},
                 {'F', floats, 4, sizeof floats / sizeof *floats},
                 {'D', doubles, 2, sizeof doubles / sizeof *doubles}};
    size_t k = 0;
    while (kinds[k].type != type)
        k++;
    expression(w, kinds[k].list[pick(w, depth ? kinds[k].count : kinds[k].leaves)],
               depth ? depth - 1 : 0);
}

static void expression(struct writer *w, const char *pattern, unsigned depth)
{
    static const char *const edges[] = {
        "0", "1", "-1", "31", "32", "0x8000", "65535", "2147483647", "(-2147483647-1)"};
    for (const char *c = pattern; *c; c++) {
        if (strchr("IULFD", *c))
            typed(w, *c, depth);
        else if (*c == '@')
            hone_strbuf_printf(w->text, "%u", pick(w, 4));
        else if (*c == '#')
            hone_strbuf_add(w->text, edges[pick(w, sizeof edges / sizeof *edges)]);
        else
            hone_strbuf_add_bytes(w->text, c, 1);
    }
}

// ---- statements ----

static void statements(struct writer *w, unsigned depth, unsigned count);

static void assignment(struct writer *w)
{
    static const char *const patterns[] = {
        "v->a[@] = I;\n",       "v->a[@] = I;\n",
        "v->u[@] = U;\n",       "v->x[@] = F;\n",
        "v->x[@] = F;\n",       "v->l[@ & 1] = L;\n",
        "v->d[@ & 1] = D;\n",   "r[(I) & 7] = I;\n",
        "v->h = (short)(I);\n", "v->c = (unsigned char)(U);\n"};
    unsigned depth = LEAST_DEPTH + pick(w, MOST_DEPTH - LEAST_DEPTH + 1);
    expression(w, patterns[pick(w, sizeof patterns / sizeof *patterns)], depth);
}

static void loop(struct writer *w, unsigned depth)
{
    int i = w->loops++;
    hone_strbuf_printf(w->text, "for (int i%d = 0; i%d < (", i, i);
    expression(w, "(I) & 7", 1);
    hone_strbuf_printf(w->text, "); i%d++) {\n", i);
    statements(w, depth - 1, 2);
    if (pick(w, 3) == 0) {
        expression(w, "if (I) ", 2);
        hone_strbuf_add(w->text, pick(w, 2) ? "break;\n" : "continue;\n");
    }
    hone_strbuf_printf(w->text, "v->a[i%d & 3] ^= i%d;\n}\n", i, i);
}

static void switching(struct writer *w, unsigned depth)
{
    expression(w, "switch ((I) & 7) {\n", 2);
    for (unsigned k = 0; k < 6; k++) {
        hone_strbuf_printf(w->text, "case %u:\n", k);
        statements(w, depth - 1, 1);
        if (pick(w, 4)) hone_strbuf_add(w->text, "break;\n");
        hone_strbuf_add(w->text, "/* fall through */\n");
    }
    hone_strbuf_add(w->text, "default: v->a[1]++;\n}\n");
}

static void statement(struct writer *w, unsigned depth)
{
    unsigned kind = depth ? pick(w, 10) : 0;
    if (kind < 5) {
        assignment(w);
    } else if (kind < 7) {
        expression(w, "if (I) {\n", 3);
        statements(w, depth - 1, 2);
        hone_strbuf_add(w->text, "} else {\n");
        statements(w, depth - 1, 1);
        hone_strbuf_add(w->text, "}\n");
    } else if (kind < 9) {
        loop(w, depth);
    } else {
        switching(w, depth);
    }
}

static void statements(struct writer *w, unsigned depth, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        statement(w, depth);
}

// ---- exchanges between threads ----

// @ is an index below four. The host runs its text for each t from 0 to 63, first to
// collect, then to set.
static const struct {
    const char *device, *collect, *set;
} exchanges[] = {
    {"__syncthreads(); s[t] = v->a[@]; __syncthreads();", "s[t] = v[t].a[@];", ""},
    {"v->a[@] = __shfl_xor_sync(~0u, v->a[3], 5);", "n[t] = v[t ^ 5].a[3];",
     "v[t].a[@] = (int)n[t];"},
    {"v->a[@] = (int)__ballot_sync(~0u, v->a[0] > 0);",
     "n[t] = 0; for (int k = 0; k < 32; k++)"
     " n[t] |= (long long)(v[t / 32 * 32 + k].a[0] > 0) << k;",
     "v[t].a[@] = (int)n[t];"},
    {"v->x[@] = __shfl_down_sync(~0u, v->x[1], 3);",
     "f[t] = v[t % 32 < 29 ? t + 3 : t].x[1];", "v[t].x[@] = f[t];"},
    {"v->l[@ & 1] = __shfl_sync(~0u, v->l[0], v->u[2] & 31);",
     "n[t] = v[t / 32 * 32 + (int)(v[t].u[2] & 31)].l[0];", "v[t].l[@ & 1] = n[t];"},
    {"v->u[@] = __shfl_up_sync(~0u, v->u[1], v->a[1] & 15, 16);",
     "int d = v[t].a[1] & 15; n[t] = v[t % 16 >= d ? t - d : t].u[1];",
     "v[t].u[@] = (unsigned)n[t];"},
    {"v->a[@] = __all_sync(~0u, v->h > -9000) + 2 * __any_sync(~0u, v->a[2] == 0);",
     "int h = 1, z = 0; for (int k = 0; k < 32; k++) { h &= v[t / 32 * 32 + k].h > "
     "-9000; z |= v[t / 32 * 32 + k].a[2] == 0; } n[t] = h + 2 * z;",
     "v[t].a[@] = (int)n[t];"},
    {"v->u[@] = __match_any_sync(~0u, v->c & 3);",
     "n[t] = 0; for (int k = 0; k < 32; k++) n[t] |= (long long)((v[t / 32 * 32 + k].c & "
     "3) == (v[t].c & 3)) << k;",
     "v[t].u[@] = (unsigned)n[t];"},
    {"v->a[@] = __reduce_min_sync(~0u, v->a[2]);",
     "n[t] = v[t].a[2]; for (int k = 0; k < 32; k++) if (v[t / 32 * 32 + k].a[2] < n[t]) "
     "n[t] = v[t / 32 * 32 + k].a[2];",
     "v[t].a[@] = (int)n[t];"},
    {"v->u[@] = __reduce_xor_sync(~0u, v->u[0]);",
     "n[t] = 0; for (int k = 0; k < 32; k++) n[t] ^= v[t / 32 * 32 + k].u[0];",
     "v[t].u[@] = (unsigned)n[t];"},
    {"v->d[@ & 1] = __shfl_xor_sync(~0u, v->d[1], 17);", "e[t] = v[t ^ 17].d[1];",
     "v[t].d[@ & 1] = e[t];"},
    {"__syncthreads(); atomicMax(&s[v->u[@] & 63], v->a[0]); __syncthreads();",
     "int *p = &s[v[t].u[@] & 63]; if (v[t].a[0] > *p) *p = v[t].a[0];", ""},
    {"__syncthreads(); atomicAdd(&s[v->u[@] & 63], v->a[0]); __syncthreads();",
     "s[v[t].u[@] & 63] = (int)((unsigned)s[v[t].u[@] & 63] + (unsigned)v[t].a[0]);", ""},
};

static void add_indexed(struct hone_strbuf *text, const char *pattern, unsigned index)
{
    for (const char *c = pattern; *c; c++)
        if (*c == '@')
            hone_strbuf_printf(text, "%u", index);
        else
            hone_strbuf_add_bytes(text, c, 1);
}

static void exchange(struct writer *w, bool device)
{
    unsigned kind = pick(w, sizeof exchanges / sizeof *exchanges), index = pick(w, 4);
    if (device) {
        add_indexed(w->text, exchanges[kind].device, index);
    } else {
        hone_strbuf_add(w->text, "for (int t = 0; t < 64; t++) { ");
        add_indexed(w->text, exchanges[kind].collect, index);
        hone_strbuf_add(w->text, " }\nfor (int t = 0; t < 64; t++) { ");
        add_indexed(w->text, exchanges[kind].set, index);
        hone_strbuf_add(w->text, " }");
    }
    hone_strbuf_add(w->text, "\n");
}

// ---- a kernel ----

static void phase(struct writer *w, const char *name, unsigned k)
{
    hone_strbuf_printf(w->text,
                       "%s void %s_%u(struct state *v, int t, const int *s)\n{\n"
                       "int r[8]; for (int i = 0; i < 8; i++) r[i] = v->a[i & 3] ^ i;\n",
                       pick(w, 4) ? "INLINE" : "NOINLINE", name, k);
    statements(w, 2, 2 + pick(w, 4));
    hone_strbuf_add(w->text, "v->a[0] ^= r[3] ^ s[t] ^ t;\n}\n");
}

void random_kernel(struct hone_strbuf *text, const char *name, struct hone_rng *rng,
                   bool device)
{
    struct writer w = {.text = text, .rng = rng};
    unsigned phases = 1 + pick(&w, 3);
    for (unsigned k = 0; k < phases; k++)
        phase(&w, name, k);
    if (device)
        hone_strbuf_printf(text,
                           "extern \"C\" __global__ void %s(const unsigned *in, unsigned "
                           "*out)\n{\n__shared__ int s[64]; struct state state, *v = "
                           "&state;\nint t = (int)threadIdx.x; s[t] = t; "
                           "__syncthreads(); start(v, in + 16 * t);\n",
                           name);
    else
        hone_strbuf_printf(
            text,
            "void %s(const unsigned *in, unsigned *out)\n{\nint s[64]; "
            "struct state v[64]; long long n[64]; float f[64]; "
            "double e[64]; (void)n, (void)f, (void)e;\nfor (int t = 0; t < 64; t++) "
            "{ s[t] = t; start(v + t, in + 16 * t); }\n",
            name);
    for (unsigned k = 0; k < phases; k++) {
        hone_strbuf_add(text, device ? "" : "for (int t = 0; t < 64; t++) ");
        hone_strbuf_printf(text, "%s_%u(v%s, t, s);\n", name, k, device ? "" : " + t");
        exchange(&w, device);
    }
    hone_strbuf_add(text, device ? "end(v, out + 16 * t);\n}\n"
                                 : "for (int t = 0; t < 64; t++) end(v + t, out + 16 * "
                                   "t);\n}\n");
}
