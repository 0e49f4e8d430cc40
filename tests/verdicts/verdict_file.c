// Reads the comments of a file of kernels, line by line.
#include "verdict_file.h"

#include "base/file.h"
#include "hone_test.h"

#include <string.h>

struct reader {
    struct verdict_file *file;
    uint32_t line;
    bool inside;    // of a kernel
    bool continued; // the line before was a launch that goes on
    char class[80];
    char launch[1024];          // the launch that is being read
    struct verdict_kernel next; // what comments said of the kernel to come
};

static void complain(const struct reader *reader, const char *what, const char *text)
{
    fail_msg("%s:%u: %s: '%s'", reader->file->name, reader->line, what, text);
}

static void copy_text(const struct reader *reader, char *out, size_t size,
                      const char *text)
{
    if (strlen(text) >= size) complain(reader, "too long", text);
    snprintf(out, size, "%s", text);
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        text[--len] = 0;
    return text;
}

// "2x3" to three texts.
static void read_extent(const struct reader *reader, char out[3][12], const char *text)
{
    char copy[40], *rest = NULL;
    copy_text(reader, copy, sizeof copy, text);
    int i = 0;
    for (char *one = strtok_r(copy, "x", &rest); one && i < 3;
         one = strtok_r(NULL, "x", &rest))
        copy_text(reader, out[i++], 12, one);
}

// "cooperative", "dependent"
static bool read_flag(struct verdict_geometry *out, const char *word)
{
    const uint32_t before = out->flags;
    if (strcmp(word, "cooperative") == 0) out->flags |= HONE_LAUNCH_COOPERATIVE;
    if (strcmp(word, "dependent") == 0) out->flags |= HONE_LAUNCH_DEPENDENT;
    return out->flags != before;
}

// "grid 2": false when it is no part of a geometry.
static bool read_geometry(const struct reader *reader, struct verdict_geometry *out,
                          const char *text)
{
    char word[16], value[40];
    const int words = sscanf(text, "%15s %39s", word, value);
    if (words == 1) return read_flag(out, word);
    if (words != 2) return false;
    if (strcmp(word, "grid") == 0)
        read_extent(reader, out->grid, value);
    else if (strcmp(word, "block") == 0)
        read_extent(reader, out->block, value);
    else if (strcmp(word, "cluster") == 0)
        read_extent(reader, out->cluster, value);
    else if (strcmp(word, "shared") == 0)
        copy_text(reader, out->shared, sizeof out->shared, value);
    else
        return false;
    return true;
}

static void read_fill(const struct reader *reader, struct verdict_arg *arg,
                      const char *text)
{
    static const char *const names[] = {
#define FILL_NAME(name, text) [HONE_FILL_##name] = (text),
        HONE_FILL_LIST(FILL_NAME)
#undef FILL_NAME
    };
    char word[16] = "";
    if (sscanf(text, "%15s %lf %lf", word, &arg->low, &arg->high) < 1) return;
    for (int i = 0; i < HONE_FILL_COUNT; i++)
        if (strcmp(names[i], word) == 0) {
            arg->fill = (enum hone_fill)i;
            return;
        }
    complain(reader, "no fill", text);
}

// "in x f32[64] uniform"; false when it is no buffer.
static bool read_buffer(const struct reader *reader, struct verdict_arg *arg,
                        const char *text)
{
    static const struct {
        const char *word;
        enum hone_arg_kind kind;
    } kinds[] = {{"in", HONE_ARG_INPUT},
                 {"out", HONE_ARG_OUTPUT},
                 {"inout", HONE_ARG_INOUT},
                 {"work", HONE_ARG_WORKSPACE}};
    char word[16], type[8];
    int used = 0;
    if (sscanf(text, "%15s %31s %7[a-z0-9][%23[0-9]]%n", word, arg->name, type, arg->size,
               &used) != 4 ||
        !used)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].word, word) != 0) continue;
        arg->kind = kinds[i].kind;
        if (hone_dtype_parse(&arg->dtype, type) != HONE_OK)
            complain(reader, "no type", type);
        const char *map = strstr(text + used, " map ");
        if (map) copy_text(reader, arg->map, sizeof arg->map, map + strlen(" map "));
        arg->early = strncmp(text + used, " early", strlen(" early")) == 0;
        if (arg->early) used += (int)strlen(" early");
        if (map != text + used) read_fill(reader, arg, text + used);
        return true;
    }
    return false;
}

// "i32 n 64"
static bool read_scalar(struct verdict_arg *arg, const char *text)
{
    char type[8];
    arg->kind = HONE_ARG_SCALAR;
    return sscanf(text, "%7s %31s %23s", type, arg->name, arg->size) == 3 &&
           hone_dtype_parse(&arg->dtype, type) == HONE_OK;
}

static void read_launch_part(const struct reader *reader, struct verdict_launch *launch,
                             const char *text)
{
    if (sscanf(text, "tolerance %23s", launch->tolerance) == 1) return;
    if (sscanf(text, "deadline %lf", &launch->deadline_s) == 1) return;
    if (launch->arg_count == VERDICT_ARGS) complain(reader, "too many arguments", text);
    struct verdict_arg *arg = &launch->args[launch->arg_count++];
    if (!read_buffer(reader, arg, text) && !read_scalar(arg, text))
        complain(reader, "no argument", text);
}

static void read_launch(struct reader *reader, char *text)
{
    struct verdict_kernel *kernel = &reader->next;
    if (kernel->launch_count == VERDICT_LAUNCHES) complain(reader, "launches", text);
    struct verdict_launch *launch = &kernel->launches[kernel->launch_count++];
    char *parts = NULL, *words = NULL;
    char *head = strtok_r(text, ";", &parts);
    for (char *one = strtok_r(head, ",", &words); one; one = strtok_r(NULL, ",", &words))
        if (!read_geometry(reader, &launch->geometry, one))
            complain(reader, "no geometry", one);
    for (char *one = strtok_r(NULL, ";", &parts); one; one = strtok_r(NULL, ";", &parts))
        read_launch_part(reader, launch, trim(one));
}

// Comments of one launch may be several lines: all but the last end in ';'.
static void gather_launch(struct reader *reader, char *text)
{
    const size_t used = strlen(reader->launch);
    copy_text(reader, reader->launch + used, sizeof reader->launch - used, text);
    const size_t len = strlen(reader->launch);
    reader->continued = len > 0 && reader->launch[len - 1] == ';';
    if (reader->continued) return;
    read_launch(reader, reader->launch);
    reader->launch[0] = 0;
}

static void read_reference(struct reader *reader, char *text)
{
    char *rest = NULL;
    struct verdict_kernel *kernel = &reader->next;
    copy_text(reader, kernel->reference, sizeof kernel->reference,
              trim(strtok_r(text, ",", &rest)));
    for (char *one = strtok_r(NULL, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (!read_geometry(reader, &kernel->reference_geometry, one))
            complain(reader, "no geometry", one);
}

static void read_comment(struct reader *reader, char *text)
{
    const bool begins =
        strncmp(text, "launch:", 7) == 0 || strncmp(text, "reference:", 10) == 0;
    if (begins && !reader->next.first_line) reader->next.first_line = reader->line;
    if (reader->continued)
        gather_launch(reader, text);
    else if (strncmp(text, "launch:", 7) == 0)
        gather_launch(reader, trim(text + 7));
    else if (strncmp(text, "reference:", 10) == 0)
        read_reference(reader, trim(text + 10));
    else if (strncmp(text, "class:", 6) == 0)
        copy_text(reader, reader->class, sizeof reader->class, trim(text + 6));
    else if (strncmp(text, "needs:", 6) == 0)
        copy_text(reader, reader->file->needs, sizeof reader->file->needs,
                  trim(text + 6));
    else if (strncmp(text, "on:", 3) == 0)
        copy_text(reader, reader->file->on, sizeof reader->file->on, trim(text + 3));
    else if (strncmp(text, "with:", 5) == 0)
        copy_text(reader, reader->file->with, sizeof reader->file->with, trim(text + 5));
}

// Behind __launch_bounds__(n) or the like, which stands before void or behind it.
static const char *skip_attribute(const char *text)
{
    const char *end = strstr(text, ") ");
    return strncmp(text, "__", 2) == 0 && end ? end + 2 : text;
}

static void begin_kernel(struct reader *reader, const char *text)
{
    struct verdict_file *file = reader->file;
    if (file->count == VERDICT_KERNELS) complain(reader, "too many kernels", text);
    struct verdict_kernel *kernel = &file->kernels[file->count++];
    *kernel = reader->next;
    reader->next = (struct verdict_kernel){0};
    const char *name = text + strlen("extern \"C\" __global__ ");
    name = skip_attribute(name);
    if (strncmp(name, "void ", 5) == 0) name = skip_attribute(name + 5);
    snprintf(kernel->name, sizeof kernel->name, "%.*s", (int)strcspn(name, "("), name);
    if (!kernel->name[0]) complain(reader, "no name", text);
    copy_text(reader, kernel->class, sizeof kernel->class, reader->class);
    if (!kernel->reference[0])
        snprintf(kernel->reference, sizeof kernel->reference, "%.*s_reference",
                 (int)strcspn(name, "("), name);
    if (!kernel->first_line) kernel->first_line = reader->line;
    reader->inside = true;
}

// "race or unwritten"
static void read_findings(const struct reader *reader, struct verdict_expect *out,
                          char *text)
{
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        enum hone_finding finding = HONE_FINDING_NONE;
        if (strcmp(word, "or") == 0) continue;
        if (hone_finding_parse(&finding, word) != HONE_OK)
            complain(reader, "no finding", word);
        out->findings |= (uint64_t)1 << finding;
    }
}

static void read_code(struct reader *reader, char *text)
{
    struct verdict_kernel *kernel = &reader->file->kernels[reader->file->count - 1];
    kernel->last_line = reader->line;
    if (text[0] == '}') reader->inside = false;
    char *expect = strstr(text, "// expect:");
    if (!expect) return;
    if (kernel->expect_count == VERDICT_EXPECTS) complain(reader, "expects", text);
    struct verdict_expect *out = &kernel->expects[kernel->expect_count++];
    out->line = reader->line;
    read_findings(reader, out, expect + strlen("// expect:"));
}

static void read_line(struct reader *reader, char *text)
{
    if (!reader->inside && strncmp(text, "extern \"C\" __global__", 21) == 0)
        begin_kernel(reader, text);
    if (reader->inside)
        read_code(reader, text);
    else if (strncmp(text, "//", 2) == 0)
        read_comment(reader, trim(text + 2));
}

struct verdict_file *verdict_file_read(const char *name)
{
    struct verdict_file *file = calloc(1, sizeof *file);
    struct hone_error err = {0};
    assert_non_null(file);
    snprintf(file->path, sizeof file->path, "%s/tests/verdicts/%s", HONE_SOURCE_DIR,
             name);
    file->name = hone_path_base(file->path);
    snprintf(file->on, sizeof file->on, "emu:a100");
    assert_ok(hone_file_read(&file->text, NULL, file->path, &err), err);
    char *copy = strdup(file->text), *rest = copy;
    struct reader *reader = calloc(1, sizeof *reader);
    assert_non_null(copy);
    assert_non_null(reader);
    reader->file = file;
    while (rest) {
        char *line = rest, *end = strchr(line, '\n');
        rest = end ? end + 1 : NULL;
        if (end) *end = 0;
        reader->line++;
        read_line(reader, line);
    }
    if (reader->next.launch_count || reader->inside)
        complain(reader, "a kernel is expected", name);
    free(reader);
    free(copy);
    return file;
}

void verdict_file_free(struct verdict_file *file)
{
    free(file->text);
    free(file);
}

const struct verdict_kernel *verdict_file_find(const struct verdict_file *file,
                                               const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->kernels[i].name, name) == 0) return &file->kernels[i];
    fail_msg("%s has no kernel '%s'", file->name, name);
    return NULL;
}

static bool is_elsewhere(const struct verdict_file *file,
                         const struct verdict_kernel *kernel, uint32_t line)
{
    for (size_t i = 0; i < file->count; i++)
        if (&file->kernels[i] != kernel && line >= file->kernels[i].first_line &&
            line <= file->kernels[i].last_line)
            return true;
    return false;
}

char *verdict_file_slice(const struct verdict_file *file,
                         const struct verdict_kernel *kernel)
{
    char *slice = malloc(strlen(file->text) + 1), *to = slice;
    uint32_t line = 1;
    assert_non_null(slice);
    for (const char *from = file->text; *from; from++) {
        if (*from == '\n' || !is_elsewhere(file, kernel, line)) *to++ = *from;
        line += *from == '\n';
    }
    *to = 0;
    return slice;
}
