// What a user asks for by defining NAME_RUNTIME: configurations forced by the
// environment, a call or a file, and a note of the problems that no row serves.
#include <string.h>

#include "base/sink.h"
#include "emit_internal.h"

static void print_state(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "#include <string.h>\n"
        "#ifdef _MSC_VER\n"
        "#include <intrin.h>\n"
        "#endif\n\n"
        "#ifndef $N_MISS_FROM\n"
        "#define $N_MISS_FROM $N_DEFAULT /* the first tier that counts as a miss */\n"
        "#endif\n\n"
        "/* A configuration for all problems that have the sizes it asks for. */\n"
        "typedef struct $n_forced {\n"
        "    $n_config config;\n");
    if (hone_emit_is_asked(plan)) hone_emit_put(out, plan, "    $n_problem problem;\n");
    hone_strbuf_printf(out, "    int asks[%zu];\n", plan->info->problem_count + 1);
    hone_emit_put(out, plan,
                  "} $n_forced;\n\n"
                  "enum { $N_SEEN_MOST = 256 };\n"
                  "static struct {\n"
                  "    int lock, ready, count, seen_count;\n"
                  "    char *text; /* texts of configurations point into it */\n"
                  "    $n_forced *forced;\n"
                  "    const char *misses; /* file */\n");
    if (hone_emit_is_asked(plan))
        hone_emit_put(out, plan, "    $n_problem seen[$N_SEEN_MOST];\n");
    hone_strbuf_add(out, "    void (*on_miss)(void *context, int tier");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "    void *context;\n"
                  "} $n_runtime;\n\n");
    hone_emit_part(out, plan, hone_text_runtime_lock, "");
}

// "row's value is the problem's", with what stands before the field.
static void print_same(struct hone_strbuf *out, const struct emit_plan *plan, size_t i,
                       const char *place)
{
    const char *name = plan->problem[i].name;
    if (plan->problem[i].type == HONE_STRING)
        hone_strbuf_printf(out, "strcmp(%s%s, %s) == 0", place, name, name);
    else
        hone_strbuf_printf(out, "%s%s == %s", place, name, name);
}

static void print_override(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What is forced for a problem, or a null pointer: the table's own where it "
        "has the same. */\n"
        "static inline const $n_config *\n$n_override(");
    hone_emit_problem_params(out, plan, "");
    if (!hone_emit_is_asked(plan)) hone_strbuf_add(out, "void");
    hone_emit_put(out, plan,
                  ")\n"
                  "{\n"
                  "    const $n_config *found = 0;\n"
                  "    int i;\n"
                  "    $n_enter();\n"
                  "    $n_start();\n"
                  "    for (i = 0; i < $n_runtime.count && !found; i++) {\n"
                  "        const $n_forced *forced = &$n_runtime.forced[i];\n");
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        hone_strbuf_printf(out, "        if (forced->asks[%zu] && !(", i);
        print_same(out, plan, i, "forced->problem.");
        hone_strbuf_add(out, ")) continue;\n");
    }
    hone_emit_put(out, plan,
                  "        found = &forced->config;\n"
                  "    }\n"
                  "    for (i = 0; found && i < $N_CONFIGS; i++)\n"
                  "        if (");
    for (size_t i = 0; i < plan->info->param_count; i++) {
        const char *name = plan->params[i].name;
        const bool text = plan->params[i].type == HONE_STRING;
        if (i) hone_strbuf_add(out, " &&\n            ");
        hone_strbuf_printf(out,
                           text ? "strcmp(%s_configs[i].%s, found->%s) == 0"
                                : "%s_configs[i].%s == found->%s",
                           plan->name, name, name);
    }
    hone_emit_put(out, plan,
                  ") {\n"
                  "            found = &$n_configs[i];\n"
                  "            break;\n"
                  "        }\n"
                  "    $n_leave();\n"
                  "    return found;\n"
                  "}\n\n");
}

static void print_note(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const char *separator = "{";
    hone_emit_put(out, plan,
                  "    for (i = 0; i < $n_runtime.seen_count && fresh; i++) {\n"
                  "        const $n_problem *seen = &$n_runtime.seen[i];\n"
                  "        fresh = !(");
    for (size_t i = 0, n = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        hone_strbuf_add(out, n++ ? " && " : "");
        print_same(out, plan, i, "seen->");
    }
    hone_strbuf_add(out, ");\n    }\n");
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed && plan->problem[i].type == HONE_FLOAT)
            hone_strbuf_printf(out,
                               "    if (!(%s - %s == 0)) fresh = 0; /* no list holds "
                               "it */\n",
                               plan->problem[i].name, plan->problem[i].name);
    hone_emit_put(
        out, plan,
        "    if (fresh && $n_runtime.misses && *$n_runtime.misses &&\n"
        "        $n_runtime.seen_count < $N_SEEN_MOST) {\n"
        "        FILE *file = fopen($n_runtime.misses, \"a\");\n"
        "        $n_problem *seen = &$n_runtime.seen[$n_runtime.seen_count++];\n"
        "        memset(seen, 0, sizeof *seen);\n");
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed)
            hone_strbuf_printf(out, "        seen->%s = %s;\n", plan->problem[i].name,
                               plan->problem[i].name);
    hone_strbuf_add(out, "        if (file) {\n");
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        hone_emit_runtime_value(out, plan, i, separator);
        separator = ",";
    }
    hone_strbuf_add(out, "            fputs(\"}\\n\", file);\n"
                         "            fclose(file);\n"
                         "        }\n"
                         "    }\n");
}

static void print_missed(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool asked = hone_emit_is_asked(plan);
    hone_emit_put(
        out, plan,
        "/* No row answered. Each of the first 256 problems is noted once; texts of a "
        "problem\n"
        " * must live as long as the program. */\n"
        "static inline void\n$n_missed(int tier");
    hone_emit_problem_params(out, plan, ", ");
    hone_strbuf_add(out, ")\n{\n");
    hone_strbuf_add(out, "    void (*hook)(void *context, int tier");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "    void *context;\n");
    if (asked) hone_strbuf_add(out, "    int i, fresh = 1;\n");
    hone_emit_put(out, plan,
                  "    if (tier < $N_MISS_FROM) return;\n"
                  "    $n_enter();\n"
                  "    hook = $n_runtime.on_miss;\n"
                  "    context = $n_runtime.context;\n");
    if (asked) print_note(out, plan);
    hone_emit_put(out, plan,
                  "    $n_leave();\n"
                  "    if (hook) hook(context, tier");
    hone_emit_problem_args(out, plan, ", ");
    hone_strbuf_add(out, ");\n}\n");
}

void hone_emit_runtime(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "enum { $N_FORCED = $N_NONE + 1 }; /* the tier of what the user forced "
                  "*/\n\n");
    print_state(out, plan);
    hone_emit_runtime_set(out, plan);
    hone_emit_part(out, plan, hone_text_runtime, "");
    hone_emit_part(out, plan, hone_text_runtime_hook, "");
    print_override(out, plan);
    hone_emit_runtime_writers(out, plan);
    print_missed(out, plan);
    hone_emit_part(out, plan, hone_text_runtime_select, "");
}
