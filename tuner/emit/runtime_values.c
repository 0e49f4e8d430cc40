// Values in the texts of the part that NAME_RUNTIME asks for: read from NAME=VALUE, and
// written to the list of missed problems.
#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "emit_sections.h"
#include "emit_text.h"

// Sizes that a program may ask for with this type.
static bool asks_for(const struct emit_plan *plan, enum hone_type type)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed && plan->problem[i].type == type) return true;
    return false;
}

static bool is_int(const struct emit_field *field)
{
    return field->type == HONE_BOOL || (field->type == HONE_INT && !field->wide);
}

// "sgemm_read_int(value, 8, 32, &forced->config.BK)". Arithmetic on a parameter is
// printed for the values that the journals know: others are refused.
static void add_read(struct hone_strbuf *out, const struct emit_plan *plan,
                     const struct emit_field *field, bool is_size)
{
    char place[160];
    snprintf(place, sizeof place, "forced->%s.%s", is_size ? "problem" : "config",
             field->name);
    const bool is_bool = field->type == HONE_BOOL;
    const char *kind = field->type == HONE_STRING  ? "word"
                       : field->type == HONE_FLOAT ? "real"
                       : is_int(field)             ? "int"
                                                   : "whole";
    hone_strbuf_printf(out, "%s_read_%s(value, ", plan->name, kind);
    if (is_int(field)) {
        hone_emit_integer(out, is_bool ? 0 : field->range.low);
        hone_strbuf_add(out, ", ");
        hone_emit_integer(out, is_bool ? 1 : field->range.high);
        hone_strbuf_add(out, ", ");
    }
    hone_strbuf_printf(out, "&%s)", place);
    if (is_size || is_int(field) || field->type != HONE_INT) return;
    hone_strbuf_printf(out, " && %s >= ", place);
    hone_emit_integer(out, field->range.low);
    hone_strbuf_printf(out, " && %s <= ", place);
    hone_emit_integer(out, field->range.high);
}

// size: the number of a size, -1 of a parameter.
static void print_read(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_field *field, const char *name, int size)
{
    struct emit_slots slots = {.count = 0};
    hone_sink_c_string(hone_emit_slot(&slots, "VALUE_NAME"), name);
    add_read(hone_emit_slot(&slots, "IS_READ"), plan, field, size >= 0);
    hone_strbuf_printf(hone_emit_slot(&slots, "SIZE_NUMBER"), "%d", size);
    hone_emit_lines(out, plan, hone_text_runtime_read, size >= 0 ? "size " : "value ",
                    &slots);
}

static void print_readers(struct hone_strbuf *out, const struct emit_plan *plan)
{
    bool words = asks_for(plan, HONE_STRING), reals = asks_for(plan, HONE_FLOAT);
    bool wholes = asks_for(plan, HONE_INT), ints = asks_for(plan, HONE_BOOL);
    for (size_t i = 0; i < plan->info->param_count; i++) {
        const struct emit_field *field = &plan->params[i];
        words = words || field->type == HONE_STRING;
        reals = reals || field->type == HONE_FLOAT;
        ints = ints || is_int(field);
        wholes = wholes || field->type == HONE_INT;
    }
    char parts[32];
    snprintf(parts, sizeof parts, "%s%s%s%s", words ? "words " : "",
             wholes || ints ? "wholes " : "", ints ? "ints " : "", reals ? "reals " : "");
    if (*parts) hone_emit_part(out, plan, hone_text_runtime_values, parts);
}

// One word of a line, NAME=VALUE.
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan)
{
    print_readers(out, plan);
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
        hone_emit_part(out, plan, hone_text_runtime_values, "puts_texts ");
    if (asks_for(plan, HONE_FLOAT))
        hone_emit_part(out, plan, hone_text_runtime_values, "puts_reals ");
}
