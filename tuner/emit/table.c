// The table of rows, the default configuration, and the same rows as macros.
#include <inttypes.h>
#include <string.h>

#include "internal.h"

static void print_time(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_row *row)
{
    const struct emit_field field = {.type = HONE_FLOAT};
    emit_literal(
        out, &field,
        (struct hone_value){.type = HONE_FLOAT, .f = emit_time(plan, row->best)});
}

static struct hone_value chosen(const struct emit_row *row, const uint16_t *choices,
                                size_t i)
{
    return row->info->params[i].values[choices[i]];
}

// "{128, 8, 1}"; choices are value numbers of row's journal.
static void print_config(struct hone_strbuf *out, const struct emit_plan *plan,
                         const struct emit_row *row, const uint16_t *choices)
{
    for (size_t i = 0; i < plan->info->param_count; i++) {
        hone_strbuf_add(out, i ? ", " : "{");
        emit_literal(out, &plan->params[i], chosen(row, choices, i));
    }
    for (size_t i = 0; i < plan->device_field_count; i++) {
        int64_t value = 0;
        hone_limits_get(row->info->limits, plan->device_fields[i], &value);
        hone_strbuf_printf(out, ", %" PRId64 "LL", value);
    }
    hone_strbuf_add(out, "}");
}

// -D options as the kernel was compiled with: booleans are 0 and 1, texts stand as they
// are. What a shell would split or read is quoted.
static void add_defines(struct hone_strbuf *out, const struct emit_plan *plan,
                        const struct emit_row *row)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_+-.:,";
    for (size_t i = 0; i < plan->info->param_count; i++) {
        struct hone_value value = chosen(row, row->choices, i);
        char text[64];
        if (value.type == HONE_BOOL)
            value = (struct hone_value){.type = HONE_INT, .i = value.b};
        hone_value_print(text, sizeof text, value);
        const char *shown = value.type == HONE_STRING ? value.s : text;
        const char *quote = shown[strspn(shown, safe)] ? "'" : "";
        hone_strbuf_printf(out, "%s%s-D%s=%s%s", i ? " " : "", quote,
                           plan->params[i].name, shown, quote);
    }
}

typedef void add_text(struct hone_strbuf *out, const struct emit_plan *plan,
                      const struct emit_row *row);

static void print_text(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_row *row, add_text *add)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    add(&text, plan, row);
    emit_string(out, text.data);
    out->failed = out->failed || text.failed;
    hone_strbuf_fini(&text);
}

static void print_row(struct hone_strbuf *out, const struct emit_plan *plan,
                      const struct emit_row *row)
{
    static const struct hone_limits unknown;
    const struct hone_record_info *info = row->info;
    const struct hone_limits *limits = info->limits ? info->limits : &unknown;
    hone_strbuf_add(out, "    {");
    emit_string(out, info->device_name);
    hone_strbuf_printf(out, ", %" PRId64 ", %" PRId64 ", %" PRId64 ", ", limits->cc_major,
                       limits->cc_minor, limits->sm_count);
    for (size_t i = 0; i < info->problem_count; i++) {
        hone_strbuf_add(out, i ? ", " : "{");
        emit_literal(out, &plan->problem[i], info->problem[i].value);
    }
    hone_strbuf_add(out, info->problem_count ? "}, " : "");
    print_time(out, plan, row);
    hone_strbuf_add(out, ",\n     ");
    print_config(out, plan, row, row->choices);
    hone_strbuf_add(out, ",\n     ");
    print_text(out, plan, row, add_defines);
    hone_strbuf_add(out, ",\n     ");
    print_text(out, plan, row, emit_provenance);
    hone_strbuf_add(out, "},\n");
}

// The author's own configuration where it was found valid: the most modest one that is
// known to work. Else the first row's.
static void print_default(struct hone_strbuf *out, const struct emit_plan *plan)
{
    size_t i = 0;
    while (i < plan->row_count && !plan->rows[i].baseline)
        i++;
    bool authors = i < plan->row_count;
    const struct emit_row *row = &plan->rows[authors ? i : 0];
    emit_put(out, plan,
             authors ? "/* For devices not in the table: the author's default. */\n"
                     : "/* For devices not in the table: the first row's. */\n");
    emit_put(out, plan, "static const $n_config $n_default_config =\n    ");
    print_config(out, plan, row, authors ? row->info->defaults : row->choices);
    hone_strbuf_add(out, ";\n\n");
}

void emit_table(struct hone_strbuf *out, const struct emit_plan *plan)
{
    emit_put(out, plan, "enum { $N_ROWS");
    hone_strbuf_printf(out, " = %zu };\n\n", plan->row_count);
    emit_put(out, plan, "static const $n_row $n_rows[$N_ROWS] = {\n");
    for (size_t i = 0; i < plan->row_count; i++)
        print_row(out, plan, &plan->rows[i]);
    hone_strbuf_add(out, "};\n\n");
    print_default(out, plan);
}

static void print_row_macros(struct hone_strbuf *out, const struct emit_plan *plan,
                             const struct emit_row *row)
{
    for (size_t i = 0; i < plan->info->param_count; i++) {
        hone_strbuf_printf(out, "#define %s ", plan->param_macros[i]);
        emit_literal(out, &plan->params[i], chosen(row, row->choices, i));
        hone_strbuf_add(out, "\n");
    }
    emit_put(out, plan, "#define $N_DEFINES ");
    print_text(out, plan, row, add_defines);
    emit_put(out, plan,
             plan->predicted ? "\n#define $N_PREDICTED_US " : "\n#define $N_TIME_US ");
    print_time(out, plan, row);
    hone_strbuf_add(out, "\n");
}

void emit_macros(struct hone_strbuf *out, const struct emit_plan *plan)
{
    emit_put(
        out, plan,
        "/* A row for compile time: define $N_ROW before the header is included. */\n"
        "#ifndef $N_ROW\n"
        "#define $N_ROW 0\n"
        "#endif\n");
    for (size_t i = 0; i < plan->row_count; i++) {
        emit_put(out, plan, i ? "#elif $N_ROW" : "#if $N_ROW");
        hone_strbuf_printf(out, " == %zu\n", i);
        print_row_macros(out, plan, &plan->rows[i]);
    }
    emit_put(out, plan, "#else\n#error \"$N_ROW is the number of no row\"\n#endif\n\n");
}
