// Times the construction of a script's space, and prints the same space for others to
// build: as JSON, or as a C program with one loop a parameter that only counts.
//   space_bench time SCRIPT REPEATS | space_bench json SCRIPT | space_bench nest SCRIPT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sort.h"
#include "hone/device.h"
#include "hone/rng.h"
#include "hone/script.h"
#include "hone/space.h"
#include "hone/strbuf.h"

struct bench {
    struct hone_script *script;
    const struct hone_space_def *def;
    struct hone_space *space;
    struct hone_error err;
};

static double median(double *times, size_t n)
{
    hone_sort_doubles(times, n);
    return hone_sorted_median(times, n);
}

// --- time ---

// Of this process: other programs on the same cores do not count.
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds of one index -> configuration, at random indices.
static double time_choices(const struct hone_space *space)
{
    enum { DRAWS = 200000 };
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    uint64_t *indices = calloc(DRAWS, sizeof *indices);
    uint16_t *choices = calloc(hone_space_param_count(space), sizeof *choices);
    volatile unsigned sink = 0;
    double start = 0;
    if (indices && choices) {
        for (size_t i = 0; i < DRAWS; i++)
            indices[i] = hone_rng_below(&rng, hone_space_count(space));
        start = cpu_seconds();
        for (size_t i = 0; i < DRAWS; i++) {
            hone_space_choices(space, indices[i], choices);
            sink += choices[0];
        }
        start = (cpu_seconds() - start) / DRAWS;
    }
    free(indices);
    free(choices);
    return start;
}

static enum hone_status print_times(struct bench *b, size_t repeats)
{
    enum hone_status status = HONE_OK;
    double *times = calloc(repeats, sizeof *times);
    if (!times) return hone_no_memory(&b->err, "for a benchmark");
    for (size_t i = 0; i < repeats && status == HONE_OK; i++) {
        hone_space_free(b->space);
        double start = cpu_seconds();
        status = hone_space_new(&b->space, b->def, &b->err);
        times[i] = cpu_seconds() - start;
    }
    if (status == HONE_OK)
        printf("{\"valid\": %llu, \"cartesian\": %.17g, \"seconds\": %.9f, "
               "\"choices_seconds\": %.3g}\n",
               (unsigned long long)hone_space_count(b->space),
               hone_space_cartesian(b->space), median(times, repeats),
               time_choices(b->space));
    free(times);
    return status;
}

// --- json ---

static void print_value(struct hone_value value)
{
    char text[256];
    hone_value_print(text, sizeof text, value);
    printf(value.type == HONE_STRING ? "\"%s\"" : "%s", text);
}

static enum hone_status print_json(const struct bench *b)
{
    printf("{\"params\": {");
    for (size_t p = 0; p < b->def->param_count; p++) {
        printf("%s\"%s\": [", p ? ", " : "", b->def->params[p].name);
        for (size_t v = 0; v < b->def->params[p].count; v++) {
            if (v) printf(", ");
            print_value(b->def->params[p].values[v]);
        }
        printf("]");
    }
    printf("}, \"constraints\": [");
    for (size_t i = 0; i < b->def->constraint_count; i++)
        printf("%s\"%s\"", i ? ", " : "", b->def->constraints[i].text);
    printf("]}\n");
    return HONE_OK;
}

// --- nest ---

static const char prologue[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n";

static const char epilogue[] =
    "static double now(void)\n{\n    struct timespec t;\n"
    "    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n}\n\n"
    "int main(int argc, char **argv)\n{\n    int repeats = argc > 1 ? atoi(argv[1]) : "
    "1;\n"
    "    for (int i = 0; i < repeats; i++) {\n        double start = now();\n"
    "        long long n = count();\n        printf(\"%.9f %lld\\n\", now() - start, "
    "n);\n"
    "    }\n    return 0;\n}\n";

// Depth of the innermost loop that an expression reads.
static size_t depth_of(const struct bench *b, const struct hone_expr *expr)
{
    size_t depth = 0;
    for (size_t v = 0; v < hone_expr_var_count(expr); v++) {
        size_t slot = hone_expr_slot(expr, v);
        if (slot < b->def->param_count && slot + 1 > depth) depth = slot + 1;
    }
    return depth;
}

static enum hone_status append_check(struct bench *b, const char *rule,
                                     const struct hone_expr_c_var *vars, size_t depth,
                                     struct hone_strbuf *out)
{
    struct hone_expr *expr = NULL;
    enum hone_type type;
    enum hone_status status = hone_expr_new(&expr, rule, &b->err);
    if (status == HONE_OK)
        status = hone_expr_bind(expr, hone_space_names(b->space),
                                hone_space_name_count(b->space), &b->err);
    if (status == HONE_OK && depth_of(b, expr) == depth) {
        hone_strbuf_add(out, "        if (!(");
        status = hone_expr_print_c(expr, vars, out, &type, &b->err);
        hone_strbuf_add(out, depth ? ")) continue;\n" : ")) return 0;\n");
    }
    hone_expr_free(expr);
    return status;
}

static enum hone_status append_checks(struct bench *b, const struct hone_expr_c_var *vars,
                                      size_t depth, struct hone_strbuf *out)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < b->def->constraint_count && status == HONE_OK; i++)
        status = append_check(b, b->def->constraints[i].text, vars, depth, out);
    return status;
}

static enum hone_status append_loops(struct bench *b, const struct hone_expr_c_var *vars,
                                     struct hone_strbuf *out)
{
    const size_t n = b->def->param_count;
    hone_strbuf_add(out, "__attribute__((noinline)) static long long count(void)\n{\n"
                         "    long long n = 0;\n");
    enum hone_status status = append_checks(b, vars, 0, out);
    for (size_t p = 0; p < n && status == HONE_OK; p++) {
        hone_strbuf_printf(out,
                           "    for (int i%zu = 0; i%zu < %zu; i%zu++) {\n"
                           "        long long %s = v%zu[i%zu];\n        (void)%s;\n",
                           p, p, b->def->params[p].count, p, vars[p].text, p, p,
                           vars[p].text);
        status = append_checks(b, vars, p + 1, out);
    }
    // One by one, as an enumeration must: the compiler shall not multiply instead.
    hone_strbuf_add(out, "    n++;\n    __asm__ volatile(\"\" : \"+r\"(n));\n");
    for (size_t p = 0; p < n; p++)
        hone_strbuf_add(out, "    }\n");
    hone_strbuf_add(out, "    return n;\n}\n\n");
    return status;
}

static void append_values(const struct bench *b, struct hone_strbuf *out)
{
    for (size_t p = 0; p < b->def->param_count; p++) {
        const struct hone_param *param = &b->def->params[p];
        hone_strbuf_printf(out, "long long v%zu[] = {", p);
        for (size_t v = 0; v < param->count; v++)
            hone_strbuf_printf(out, "%lld, ", (long long)param->values[v].i);
        hone_strbuf_add(out, "};\n");
    }
}

static enum hone_status print_nest(struct bench *b)
{
    const size_t params = b->def->param_count;
    if (hone_space_name_count(b->space) != params + b->def->constant_count)
        return hone_fail(&b->err, HONE_EUNSUPPORTED, "derived values are not printed");
    struct hone_expr_c_var *vars = calloc(hone_space_name_count(b->space), sizeof *vars);
    if (!vars) return hone_no_memory(&b->err, "for a benchmark");
    for (size_t i = 0; i < hone_space_name_count(b->space); i++)
        vars[i] = (struct hone_expr_c_var){
            .type = HONE_INT, .text = i < params ? b->def->params[i].name : "0"};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_strbuf_add(&out, prologue);
    enum hone_status status = hone_expr_print_c_helpers(&out, &b->err);
    append_values(b, &out);
    if (status == HONE_OK) status = append_loops(b, vars, &out);
    hone_strbuf_add(&out, epilogue);
    if (status == HONE_OK) fputs(out.data, stdout);
    hone_strbuf_fini(&out);
    free(vars);
    return status;
}

// --- main ---

static enum hone_status run(struct bench *b, const char *what, const char *path,
                            size_t repeats)
{
    struct hone_limits limits;
    const struct hone_script_options options = {.limits = &limits};
    enum hone_status status = hone_device_limits(&limits, "emu:h200", &b->err);
    if (status == HONE_OK) status = hone_script_load(&b->script, path, &options, &b->err);
    if (status != HONE_OK) return status;
    b->def = &hone_script_def(b->script)->space;
    status = hone_space_new(&b->space, b->def, &b->err);
    if (status != HONE_OK) return status;
    if (strcmp(what, "json") == 0) return print_json(b);
    if (strcmp(what, "nest") == 0) return print_nest(b);
    return print_times(b, repeats);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: space_bench time|json|nest SCRIPT [REPEATS]\n");
        return 2;
    }
    struct bench b = {0};
    size_t repeats = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 1;
    enum hone_status status = run(&b, argv[1], argv[2], repeats ? repeats : 1);
    if (status != HONE_OK)
        fprintf(stderr, "%s:%d: %s\n", b.err.source, b.err.line, b.err.text);
    hone_space_free(b.space);
    hone_script_free(b.script);
    return status != HONE_OK ? 1 : 0;
}
