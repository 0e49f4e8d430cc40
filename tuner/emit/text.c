// Pieces of C text: literals and lists that any journal, however odd its texts, cannot
// break.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "emit_text.h"
#include "wrap.h"

void hone_emit_put(struct hone_strbuf *out, const struct emit_plan *plan,
                   const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p != '$') {
            hone_strbuf_add_bytes(out, p, 1);
            continue;
        }
        hone_strbuf_add(out, *++p == 'n' ? plan->name : plan->upper);
    }
}

static bool is_int(int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

const char *hone_emit_type_text(const struct emit_field *field)
{
    switch (field->type) {
    case HONE_INT:
        return field->wide ? "long long " : "int ";
    case HONE_FLOAT:
        return "double ";
    case HONE_BOOL:
        return "int ";
    case HONE_STRING:
        return "const char *";
    }
    return "";
}

void hone_emit_literal(struct hone_strbuf *out, const struct emit_field *field,
                       struct hone_value value)
{
    char text[64];
    double number;
    if (value.type == HONE_BOOL) {
        hone_strbuf_add(out, value.b ? "1" : "0");
        return;
    }
    if (value.type == HONE_STRING) {
        hone_sink_c_string(out, value.s);
        return;
    }
    if (field->type == HONE_FLOAT && hone_value_to_double(value, &number))
        value = (struct hone_value){.type = HONE_FLOAT, .f = number};
    hone_value_print(text, sizeof text, value);
    if (value.type == HONE_INT && value.i == INT64_MIN)
        hone_strbuf_add(out, "(-9223372036854775807LL - 1)");
    else
        hone_strbuf_printf(
            out, "%s%s", text,
            value.type == HONE_INT && field->wide && !is_int(value.i) ? "LL" : "");
}

void hone_emit_integer(struct hone_strbuf *out, int64_t value)
{
    static const struct emit_field wide = {.type = HONE_INT, .wide = true};
    hone_emit_literal(out, &wide, (struct hone_value){.type = HONE_INT, .i = value});
}

bool hone_emit_is_asked(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed) return true;
    return false;
}

static bool is_asked(const struct emit_plan *plan, size_t i, enum emit_which which)
{
    if (plan->problem[i].fixed) return false;
    return which == EMIT_ALL || hone_emit_is_choice(plan, i) == (which == EMIT_CHOICES);
}

static void add_list(struct hone_strbuf *out, const struct emit_plan *plan,
                     enum emit_which which, const char *before, bool typed)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (!is_asked(plan, i, which)) continue;
        hone_strbuf_printf(out, "%s%s%s", before,
                           typed ? hone_emit_type_text(&plan->problem[i]) : "",
                           plan->problem[i].name);
        before = ", ";
    }
}

void hone_emit_which_params(struct hone_strbuf *out, const struct emit_plan *plan,
                            enum emit_which which, const char *before)
{
    add_list(out, plan, which, before, true);
}

void hone_emit_which_args(struct hone_strbuf *out, const struct emit_plan *plan,
                          enum emit_which which, const char *before)
{
    add_list(out, plan, which, before, false);
}

void hone_emit_problem_params(struct hone_strbuf *out, const struct emit_plan *plan,
                              const char *before)
{
    add_list(out, plan, EMIT_ALL, before, true);
}

void hone_emit_problem_args(struct hone_strbuf *out, const struct emit_plan *plan,
                            const char *before)
{
    add_list(out, plan, EMIT_ALL, before, false);
}

// What becomes two literals stands in brackets: clang takes one such element among others
// for a comma that is missing.
void hone_emit_element(struct hone_strbuf *out, const char *text)
{
    struct hone_strbuf literal = HONE_STRBUF_INIT;
    hone_sink_c_string(&literal, text);
    const bool breaks = strlen("    ,") + literal.len > EMIT_COLUMNS;
    hone_strbuf_printf(out, breaks ? "    (%s),\n" : "    %s,\n", literal.data);
    out->failed |= literal.failed;
    hone_strbuf_fini(&literal);
}

void hone_emit_fields(struct hone_strbuf *out, const struct emit_field *fields,
                      size_t count)
{
    const char *last = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *type = hone_emit_type_text(&fields[i]);
        if (fields[i].fixed) continue;
        if (last && strcmp(last, type) == 0)
            hone_strbuf_printf(out, ", %s%s", strchr(type, '*') ? "*" : "",
                               fields[i].name);
        else
            hone_strbuf_printf(out, "%s    %s%s", last ? ";\n" : "", type,
                               fields[i].name);
        last = type;
    }
    hone_strbuf_add(out, last ? ";\n" : "");
}
