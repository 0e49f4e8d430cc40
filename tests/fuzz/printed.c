// Expressions against printed C: inputs of fuzz_expr become one C program, which prints
// the value of each that has a C form, and a file with the values that evaluation gives.
//
//     fuzz_printed PROGRAM.c EXPECTED FILE|FOLDER...
#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"
#include "expr_input.h"
#include "hone/strbuf.h"

struct printed {
    struct hone_strbuf c, calls, expected;
    size_t count;
};

static const char head[] =
    "#include <stdio.h>\n"
    "struct row { long long i, j, k; double f, g; int p; const char *s; };\n"
    "static void show_int(long long v) { printf(\"%lld\\n\", v); }\n"
    "static void show_bool(int v) { printf(\"%d\\n\", v); }\n"
    "static void show_string(const char *v) { for (; *v; v++)\n"
    "    printf(\"%02x\", (unsigned char)*v); puts(\"\"); }\n"
    "static void show_float(double v) { if (v != v) puts(\"nan\");\n"
    "    else printf(\"%a\\n\", v); }\n";

static void expect(struct hone_strbuf *out, struct hone_value value)
{
    if (value.type == HONE_INT) hone_strbuf_printf(out, "%lld\n", (long long)value.i);
    if (value.type == HONE_BOOL) hone_strbuf_printf(out, "%d\n", value.b);
    if (value.type == HONE_FLOAT)
        hone_strbuf_printf(out, isnan(value.f) ? "nan\n" : "%a\n", value.f);
    if (value.type != HONE_STRING) return;
    for (const char *s = value.s; *s; s++)
        hone_strbuf_printf(out, "%02x", (unsigned char)*s);
    hone_strbuf_add(out, "\n");
}

static void add_float(struct hone_strbuf *out, double f)
{
    if (isnan(f))
        hone_strbuf_add(out, "hone2_inf() - hone2_inf()");
    else if (isinf(f))
        hone_strbuf_add(out, f > 0 ? "hone2_inf()" : "-hone2_inf()");
    else
        hone_strbuf_printf(out, "%.17g", f);
}

static void add_row(struct hone_strbuf *c, const struct hone_value *slots)
{
    for (int v = 0; v < 3; v++)
        hone_strbuf_printf(c, "    row->%s = (long long)%lluULL;\n", input_names[v],
                           (unsigned long long)slots[v].i);
    for (int v = 3; v < 5; v++) {
        hone_strbuf_printf(c, "    row->%s = ", input_names[v]);
        add_float(c, slots[v].f);
        hone_strbuf_add(c, ";\n");
    }
    hone_strbuf_printf(c, "    row->p = %d;\n    row->s = \"%s\";\n", slots[5].b,
                       slots[6].s);
}

// Where evaluation fails C yields any value, but must not stop: it is not shown.
static void add(struct printed *printed, const struct expr_input *input,
                const struct hone_expr *expr)
{
    static const char *const shows[] = {"int", "float", "bool", "string"};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_type type;
    struct hone_value value;
    if (hone_expr_print_c(expr, input_c, &text, &type, NULL) == HONE_OK) {
        const bool fails =
            hone_expr_eval(expr, input->slots, &value, NULL, NULL) != HONE_OK;
        FUZZ_CHECK(fails || value.type == type);
        hone_strbuf_printf(&printed->c,
                           "static void expr_%zu(void)\n{\n    struct row values, *row = "
                           "&values;\n",
                           printed->count);
        add_row(&printed->c, input->slots);
        hone_strbuf_printf(&printed->c, "    (void)row;\n    %s%s(%s);\n}\n",
                           fails ? "(void)" : "show_", fails ? "" : shows[type],
                           text.data);
        hone_strbuf_printf(&printed->calls, "    expr_%zu();\n", printed->count++);
        if (!fails) expect(&printed->expected, value);
    }
    hone_strbuf_fini(&text);
}

static void add_file(struct printed *printed, const char *path)
{
    char *data = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    struct expr_input input;
    fuzz_must(hone_file_read(&data, &size, path, &err), &err);
    expr_input_read(&input, (const uint8_t *)data, size);
    struct hone_expr *expr = expr_input_parse(&input);
    if (expr) add(printed, &input, expr);
    hone_expr_free(expr);
    free(input.text);
    free(data);
}

static void add_path(struct printed *printed, const char *path)
{
    struct stat about;
    struct dirent **entries = NULL;
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode)) {
        add_file(printed, path);
        return;
    }
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *file = hone_path_join(path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') add_file(printed, file);
        free(file);
        free(entries[i]);
    }
    free(entries);
}

static void write_out(const char *path, struct hone_strbuf *text)
{
    struct hone_error err = {0};
    FUZZ_CHECK(!text->failed);
    fuzz_must(hone_file_write(path, text->data, text->len, &err), &err);
    hone_strbuf_fini(text);
}

int main(int argc, char **argv)
{
    struct printed printed = {HONE_STRBUF_INIT, HONE_STRBUF_INIT, HONE_STRBUF_INIT, 0};
    struct hone_error err = {0};
    FUZZ_CHECK(argc > 3);
    hone_strbuf_add(&printed.c, head);
    fuzz_must(hone_expr_print_c_helpers(&printed.c, &err), &err);
    for (int i = 3; i < argc; i++)
        add_path(&printed, argv[i]);
    FUZZ_CHECK(printed.count > 0);
    hone_strbuf_printf(&printed.c, "int main(void)\n{\n%s    return 0;\n}\n",
                       printed.calls.data);
    hone_strbuf_fini(&printed.calls);
    write_out(argv[1], &printed.c);
    write_out(argv[2], &printed.expected);
    printf("%zu expressions with a C form\n", printed.count);
    return 0;
}
