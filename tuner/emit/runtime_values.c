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
static const char real_text[] =
    "/* A number with a point in every locale: 1.25e3 is read as 125e1. */\n"
    "static inline double\n$n_real(char *text, char **end)\n"
    "{\n"
    "    char plain[400], *rest = text, *done;\n"
    "    size_t n = 0;\n"
    "    long power = 0, past = 0;\n"
    "    double value;\n"
    "    if (*rest == '-' || *rest == '+') plain[n++] = *rest++;\n"
    "    for (; (*rest >= '0' && *rest <= '9') || (*rest == '.' && !past); rest++) {\n"
    "        if (n > sizeof plain - 30) break;\n"
    "        if (*rest != '.') plain[n++] = *rest;\n"
    "        power -= past;\n"
    "        if (*rest == '.') past = 1;\n"
    "    }\n"
    "    if ((*rest == 'e' || *rest == 'E') && rest[1 + strspn(rest + 1, \"+-\")]) {\n"
    "        const long given = strtol(rest + 1, &rest, 10);\n"
    "        power += given < -100000 ? -100000 : given > 100000 ? 100000 : given;\n"
    "    }\n"
    "    sprintf(plain + n, \"e%ld\", power);\n"
    "    value = strtod(plain, &done);\n"
    "    *end = *done ? text : rest;\n"
    "    return value;\n"
    "}\n\n";

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

// One word of a line, NAME=VALUE.
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (reads_reals(plan)) hone_emit_put(out, plan, real_text);
    hone_emit_put(
        out, plan,
        "/* A word of an override: a parameter's value, or a size that it is for. */\n"
        "static inline int\n$n_set($n_forced *forced, const char *name, char *value)\n"
        "{\n"
        "    char *end = value;\n");
    for (size_t i = 0; i < plan->info->param_count; i++) {
        print_read(out, plan, &plan->params[i], plan->info->params[i].name, true);
        hone_strbuf_add(out, plan->params[i].type == HONE_STRING
                                 ? "        return 1;\n    }\n"
                                 : "        return end != value && !*end;\n    }\n");
    }
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        print_read(out, plan, &plan->problem[i], plan->info->problem[i].name, false);
        hone_strbuf_printf(out, "        forced->asks[%zu] = 1;\n", i);
        hone_strbuf_add(out, plan->problem[i].type == HONE_STRING
                                 ? "        return 1;\n    }\n"
                                 : "        return end != value && !*end;\n    }\n");
    }
    hone_strbuf_add(out, "    (void)forced;\n    (void)name;\n    (void)end;\n"
                         "    return 0;\n}\n\n");
}

static const char put_text[] =
    "/* A text of JSON: it stays in its line, whatever it holds. */\n"
    "static inline void\n$n_put_text(FILE *file, const char *text)\n"
    "{\n"
    "    fputc('\"', file);\n"
    "    for (; *text; text++) {\n"
    "        const unsigned char c = (unsigned char)*text;\n"
    "        if (c < 32 || c == 127)\n"
    "            fprintf(file, \"\\\\u%04x\", c);\n"
    "        else if (c == '\"' || c == '\\\\')\n"
    "            fprintf(file, \"\\\\%c\", c);\n"
    "        else\n"
    "            fputc(c, file);\n"
    "    }\n"
    "    fputc('\"', file);\n"
    "}\n\n";

static const char put_real[] =
    "/* A number of JSON, which has a point in every locale. */\n"
    "static inline void\n$n_put_real(FILE *file, double value)\n"
    "{\n"
    "    char text[64], *c;\n"
    "    int point = 0;\n"
    "    sprintf(text, \"%.17g\", value);\n"
    "    for (c = text; *c; c++) {\n"
    "        if (strchr(\"0123456789+-e\", *c))\n"
    "            fputc(*c, file);\n"
    "        else if (!point++)\n"
    "            fputc('.', file);\n"
    "    }\n"
    "}\n\n";

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
    if (asks_for(plan, HONE_STRING)) hone_emit_put(out, plan, put_text);
    if (asks_for(plan, HONE_FLOAT)) hone_emit_put(out, plan, put_real);
}
