// Values in the texts of the part that NAME_RUNTIME asks for: read from NAME=VALUE, and
// written to the list of missed problems.
#include <string.h>

#include "base/sink.h"
#include "emit_internal.h"

// Arithmetic on a parameter is printed for the values that the journals know.
static void print_bounds(struct hone_strbuf *out, const struct emit_field *field)
{
    static const struct emit_field wide = {.type = HONE_INT, .wide = true};
    const struct hone_value low = {.type = HONE_INT, .i = field->range.low};
    const struct hone_value high = {.type = HONE_INT, .i = field->range.high};
    hone_strbuf_add(out, "        if (strtoll(value, &end, 10) < ");
    hone_emit_literal(out, &wide, low);
    hone_strbuf_add(out, " || strtoll(value, &end, 10) > ");
    hone_emit_literal(out, &wide, high);
    hone_strbuf_add(out, ") return 0;\n");
}

// A program's locale may have a comma for a point, and strtod goes by it.
static bool asks_for(const struct emit_plan *plan, enum hone_type type)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed && plan->problem[i].type == type) return true;
    return false;
}

static bool reads_reals(const struct emit_plan *plan)
{
    bool found = false;
    for (size_t i = 0; i < plan->info->param_count; i++)
        found = found || plan->params[i].type == HONE_FLOAT;
    return found || asks_for(plan, HONE_FLOAT);
}

// bounded: it is a parameter, for whose values the geometry is printed.
static void print_read(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_field *field, const char *name, bool bounded)
{
    const char *place = bounded ? "forced->config." : "forced->problem.";
    static const char *const reads[] = {
        [HONE_INT] = "strtoll(value, &end, 10)",
        [HONE_FLOAT] = "_real(value, &end)",
        [HONE_BOOL] = "strtol(value, &end, 10) != 0",
    };
    hone_strbuf_add(out, "    if (strcmp(name, ");
    hone_sink_c_string(out, name);
    hone_strbuf_add(out, ") == 0) {\n");
    if (field->type == HONE_STRING) {
        hone_strbuf_printf(out, "        %s%s = value;\n        end = value + 1;\n",
                           place, field->name);
    } else {
        if (bounded && field->type == HONE_INT) print_bounds(out, field);
        const char *type = hone_emit_type_text(field);
        hone_strbuf_printf(out, "        %s%s = (%.*s)%s%s%s%s;\n", place, field->name,
                           (int)strlen(type) - 1, type,
                           field->type == HONE_BOOL ? "(" : "",
                           field->type == HONE_FLOAT ? plan->name : "",
                           reads[field->type], field->type == HONE_BOOL ? ")" : "");
    }
}

static void print_done(struct hone_strbuf *out, const struct emit_field *field)
{
    hone_strbuf_add(out, field->type == HONE_STRING
                             ? "        return 1;\n    }\n"
                             : "        return end != value && !*end;\n    }\n");
}

// One word of a line, NAME=VALUE.
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (reads_reals(plan)) hone_emit_part(out, plan, hone_text_runtime_values, "reads ");
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *reads = hone_emit_slot(&slots, "READ_VALUES");
    for (size_t i = 0; i < plan->info->param_count; i++) {
        print_read(reads, plan, &plan->params[i], plan->info->params[i].name, true);
        print_done(reads, &plan->params[i]);
    }
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        print_read(reads, plan, &plan->problem[i], plan->info->problem[i].name, false);
        hone_strbuf_printf(reads, "        forced->asks[%zu] = 1;\n", i);
        print_done(reads, &plan->problem[i]);
    }
    hone_emit_part_with(out, plan, hone_text_runtime_set, "", &slots);
}

// A value in the line of a problem list.
void hone_emit_runtime_value(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t i, const char *separator)
{
    static const char *const formats[] = {[HONE_INT] = "%lld", [HONE_BOOL] = "%s"};
    const char *name = plan->problem[i].name;
    const enum hone_type type = plan->problem[i].type;
    if (type == HONE_STRING || type == HONE_FLOAT) {
        hone_strbuf_printf(out, "            fputs(\"%s\\\"%s\\\":\", file);\n",
                           separator, plan->info->problem[i].name);
        hone_strbuf_printf(out, "            %s_put_%s(file, %s);\n", plan->name,
                           type == HONE_STRING ? "text" : "real", name);
        return;
    }
    hone_strbuf_printf(out, "            fprintf(file, \"%s\\\"%s\\\":%s\", %s%s);\n",
                       separator, plan->info->problem[i].name, formats[type], name,
                       type == HONE_BOOL ? " ? \"true\" : \"false\"" : "");
}

void hone_emit_runtime_writers(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (asks_for(plan, HONE_STRING))
        hone_emit_part(out, plan, hone_text_runtime_values, "texts ");
    if (asks_for(plan, HONE_FLOAT))
        hone_emit_part(out, plan, hone_text_runtime_values, "reals ");
}
