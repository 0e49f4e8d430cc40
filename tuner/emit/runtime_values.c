// Values in the texts of the part that NAME_RUNTIME asks for: read from NAME=VALUE, and
// written to the list of missed problems.
#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "emit_internal.h"

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

// "(int)strtoll(value, &end, 10)"
static void add_number(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_field *field)
{
    const char *type = hone_emit_type_text(field);
    hone_strbuf_printf(out, "(%.*s)", (int)strlen(type) - 1, type);
    if (field->type == HONE_FLOAT)
        hone_strbuf_printf(out, "%s_real(value, &end)", plan->name);
    else if (field->type == HONE_BOOL)
        hone_strbuf_add(out, "(strtol(value, &end, 10) != 0)");
    else
        hone_strbuf_add(out, "strtoll(value, &end, 10)");
}

// Arithmetic on a parameter is printed for the values that the journals know; size: the
// number of a size, -1 of a parameter.
static void print_read(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_field *field, const char *name, int size)
{
    struct emit_slots slots = {.count = 0};
    char words[32];
    const bool is_text = field->type == HONE_STRING, is_size = size >= 0;
    struct hone_strbuf *place =
        hone_emit_slot(&slots, is_text ? "TEXT_PLACE" : "NUMBER_PLACE");
    hone_sink_c_string(hone_emit_slot(&slots, "VALUE_NAME"), name);
    hone_emit_integer(hone_emit_slot(&slots, "LEAST"), field->range.low);
    hone_emit_integer(hone_emit_slot(&slots, "MOST"), field->range.high);
    hone_strbuf_printf(place, "forced->%s.%s", is_size ? "problem" : "config",
                       field->name);
    if (!is_text) add_number(hone_emit_slot(&slots, "READ_NUMBER"), plan, field);
    hone_strbuf_printf(hone_emit_slot(&slots, "SIZE_NUMBER"), "%d", size);
    snprintf(words, sizeof words, "%s%s%s",
             !is_size && field->type == HONE_INT ? "bounds " : "",
             is_text ? "text " : "number ", is_size ? "size " : "");
    hone_emit_lines(out, plan, hone_text_runtime_read, words, &slots);
}

// One word of a line, NAME=VALUE.
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (reads_reals(plan)) hone_emit_part(out, plan, hone_text_runtime_values, "reads ");
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *reads = hone_emit_slot(&slots, "READ_VALUES");
    for (size_t i = 0; i < plan->info->param_count; i++)
        print_read(reads, plan, &plan->params[i], plan->info->params[i].name, -1);
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        print_read(reads, plan, &plan->problem[i], plan->info->problem[i].name, (int)i);
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
