/* A size may have any name: each word that headers and their second files have becomes a
 * size of a kernel, and the headers of that kernel compile, without a name that hides
 * another. So may a parameter, whose macros are no others. */
#include "emit_fixture.h"

#include <ctype.h>

#include "base/identifier.h"

/* One problem or several, of sizes alone or with a text among them, and a payload; with
 * a kind of launch, also clusters, tensor maps and constants. */
static const struct form {
    size_t problems;
    bool text;
    enum hone_payload_kind payload;
    uint32_t launch;
} forms[] = {{1, false, HONE_PAYLOAD_NONE, 0},
             {1, true, HONE_PAYLOAD_CUBIN, 0},
             {3, true, HONE_PAYLOAD_SOURCE, 0},
             {40, false, HONE_PAYLOAD_PTX, 0},
             {1, false, HONE_PAYLOAD_CUBIN, HONE_LAUNCH_COOPERATIVE},
             {3, false, HONE_PAYLOAD_SOURCE, HONE_LAUNCH_DEPENDENT}};
enum { FORMS = sizeof forms / sizeof *forms, ARGS = 4, OWN = 3, SIZES = 40 };

static enum hone_status build(void *context, const char *source, const char *arch,
                              struct hone_strbuf *image, struct hone_error *err)
{
    (void)context;
    (void)source;
    (void)err;
    hone_strbuf_printf(image, "an image for %s", arch);
    return HONE_OK;
}

/* --- the kernel --- */

static const struct hone_value x_values[] = {{.type = HONE_INT, .i = 1},
                                             {.type = HONE_INT, .i = 2}};
static const struct hone_param params[] = {{"X", x_values, 2}};
static const struct hone_record_constraint where[] = {{.text = "zz1 >= X"}};
// The first has the name that a size called grid would give way to.
static const struct hone_derived derived[] = {{"grid_of_problem", "zz1", 0},
                                              {"DD", "grid_of_problem * X", 0}};
static const struct hone_limits gpu = {.name = "A",
                                       .cc_major = 8,
                                       .sm_count = 108,
                                       .max_shared_bytes = 166912,
                                       .l2_bytes = 40 << 20,
                                       .memory_bytes = 40LL << 30};
static const struct hone_record_arg args[ARGS] = {
    {"input", "in", "f32", "zz1", NULL, NULL, NULL},
    {"workspace", "w", "f16", "DD", NULL, NULL, NULL},
    {"scalar", "zz1", "i32", "zz1", NULL, NULL, NULL},
    {"scalar", "real", "f32", "zz1 / 2", NULL, NULL, NULL}};
static const struct hone_map_def map = {
    .rank = 2, .axes = {{"zz1", "X", NULL}, {"8", "2", "4 * zz1"}}};
static const struct hone_record_arg more_args[ARGS] = {
    {"input", "in", "f32", "8 * zz1", NULL, &map, NULL},
    {"input", "list", "f32", "4", "X", NULL, NULL},
    {"constant", "c", "f32", "4", NULL, NULL, NULL},
    {"scalar", "zz1", "i32", "zz1", NULL, NULL, NULL}};

static const char *const own_sizes[OWN] = {"zz1", "zz2", "zz3"};

static struct hone_value value_of(const struct form *form, size_t size, size_t problem)
{
    if (size == 1 && form->text)
        return (struct hone_value){.type = HONE_STRING, .s = problem % 2 ? "a" : "b"};
    if (size == 2) return (struct hone_value){.type = HONE_FLOAT, .f = 0.5};
    return (struct hone_value){.type = HONE_INT, .i = 2 + (int64_t)(problem * problem)};
}

static void append_all(struct hone_journal *journal, size_t problems)
{
    struct hone_error err = {0};
    for (size_t p = 0; p < problems; p++) {
        hone_journal_set_problem(journal, p);
        for (uint16_t i = 0; i < 2; i++) {
            struct hone_trial trial = hone_trial_make(0, HONE_VALID);
            trial.time_us = 1 + (double)((p / 3 + i) % 2);
            assert_ok(hone_journal_append(journal, &trial, &i, &err), err);
        }
    }
}

/* The kernel with sizes of its own and with these. */
static struct hone_recording *record(const struct form *form, char *const *sizes,
                                     size_t count)
{
    char path[64];
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_value values[SIZES][OWN + SIZES];
    struct hone_record_problem problems[SIZES];
    struct hone_constant first[OWN + SIZES];
    for (size_t s = 0; s < OWN + count; s++) {
        for (size_t p = 0; p < form->problems; p++)
            values[p][s] = value_of(form, s, p);
        first[s] =
            (struct hone_constant){s < OWN ? own_sizes[s] : sizes[s - OWN], values[0][s]};
    }
    for (size_t p = 0; p < form->problems; p++)
        problems[p] = (struct hone_record_problem){values[p], 1};
    const struct hone_record_info info = {.kernel = "k",
                                          .params = params,
                                          .param_count = 1,
                                          .problem = first,
                                          .problem_count = OWN + count,
                                          .problems = problems,
                                          .problems_count = form->problems,
                                          .device_name = gpu.name,
                                          .limits = &gpu,
                                          .clock = "cupti",
                                          .objective = "time_us",
                                          .where = where,
                                          .where_count = 1,
                                          .derived = derived,
                                          .derived_count = 2,
                                          .template_hash = "k.cu",
                                          .entry = "k",
                                          .args = form->launch ? more_args : args,
                                          .arg_count = ARGS,
                                          .grid = {"DD"},
                                          .block = {"X"},
                                          .cluster = {form->launch ? "X" : NULL},
                                          .launch_flags = form->launch,
                                          .shared = "DD"};
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    append_all(journal, form->problems);
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

static void emit(struct hone_strbuf *out, const struct form *form,
                 const struct hone_recording *recording, bool second)
{
    static const char *const archs[] = {"sm_80"};
    const struct hone_payload payload = {.kind = form->payload,
                                         .template_text = "a kernel\n",
                                         .template_hash = "k.cu",
                                         .archs = archs,
                                         .arch_count = 1,
                                         .build = build};
    const struct hone_emit_options with = {
        .name = "k", .payload = &payload, .shape = HONE_SHAPE_RUNTIME, .second = second};
    struct hone_error err = {0};
    hone_strbuf_clear(out);
    assert_ok(hone_emit(out, &recording, 1, &with, &err), err);
}

/* --- the words of its headers --- */

static char *words[1024];
static size_t word_count;

// Neither a keyword nor a name with the header's prefix, which are no sizes.
static bool is_size(const char *word)
{
    const bool prefixed = strncmp(word, "k_", 2) == 0 || strncmp(word, "K_", 2) == 0;
    return !prefixed && !hone_identifier_is_keyword(word) &&
           !hone_identifier_fault(word) && strncmp(word, "zz", 2) != 0 &&
           strcmp(word, "X") != 0 && strcmp(word, "DD") != 0 &&
           strcmp(word, "grid_of_problem") != 0;
}

static void add_word(const char *from, const char *to)
{
    char *word = strndup(from, (size_t)(to - from));
    bool is_new = is_size(word);
    for (size_t i = 0; i < word_count && is_new; i++)
        is_new = strcmp(words[i], word) != 0;
    assert_true(word_count < sizeof words / sizeof *words);
    if (is_new)
        words[word_count++] = word;
    else
        free(word);
}

// Past a comment, the line of a directive or a literal that starts here; NULL: none does.
static const char *skip_text(const char *p)
{
    if (strncmp(p, "/*", 2) == 0) return strstr(p + 2, "*/") + 2;
    if (*p == '#') return p + strcspn(p, "\n");
    if (*p != '"' && *p != '\'') return NULL;
    const char quote = *p++;
    while (*p != quote)
        p += *p == '\\' ? 2 : 1;
    return p + 1;
}

static void add_words(const char *p)
{
    while (*p) {
        const char *end = skip_text(p);
        const char *name = end ? NULL : hone_identifier_end(p);
        if (name) add_word(p, name);
        if (!end && !name && isdigit((unsigned char)*p))
            for (end = p; isalnum((unsigned char)*end); end++) {
            }
        p = end ? end : name ? name : p + 1;
    }
}

static void collect(void)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    for (size_t f = 0; f < FORMS; f++) {
        struct hone_recording *recording = record(&forms[f], NULL, 0);
        for (int second = 0; second < 2; second++) {
            emit(&out, &forms[f], recording, second);
            add_words(out.data);
        }
        hone_recording_free(recording);
    }
    hone_strbuf_fini(&out);
}

/* --- and headers of a kernel with such sizes --- */

static void compile(const struct form *form, char *const *sizes, size_t count)
{
    char command[256];
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_recording *recording = record(form, sizes, count);
    emit(&out, form, recording, false);
    write_file("k.h", out.data);
    emit(&out, form, recording, true);
    write_file("k_runtime.h", out.data);
    hone_strbuf_clear(&out);
    hone_strbuf_add(&out, "#include \"k.h\"\n#include \"k_runtime.h\"\n");
    write_file("k.c", out.data);
    snprintf(command, sizeof command,
             "cd %s && gcc -std=c99 -fsyntax-only -Wall -Wextra -Wshadow -Werror k.c",
             folder);
    if (system(command) != 0)
        fail_msg("form %td, sizes %s to %s", form - forms, sizes[0], sizes[count - 1]);
    hone_recording_free(recording);
    hone_strbuf_fini(&out);
}

static void a_size_has_the_name_of_any_word_of_a_header(void **state)
{
    (void)state;
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    collect();
    print_message("%zu words become sizes\n", word_count);
    assert_true(word_count > 150);
    for (size_t f = 0; f < FORMS; f++)
        for (size_t at = 0; at < word_count; at += SIZES)
            compile(&forms[f], words + at,
                    word_count - at < SIZES ? word_count - at : SIZES);
}

/* --- parameters of such names --- */

// With a parameter of each name that the header before gave its own macros and constants.
static void name_params(struct hone_strbuf *journal, const char *header,
                        const char *objective)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_strbuf_printf(journal,
                       "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                       "\"objective\":\"%s\",\"params\":[{\"name\":\"X\","
                       "\"values\":[1,2]}",
                       objective);
    for (const char *p = header; (p = strstr(p, "K_")) != NULL; p++) {
        char word[64], quoted[80];
        const size_t length = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (length < 3 || length >= sizeof word || isalnum((unsigned char)p[-1]))
            continue;
        snprintf(word, sizeof word, "%.*s", (int)length - 2, p + 2);
        snprintf(quoted, sizeof quoted, "{\"name\":\"%s\",", word);
        if (strcmp(word, "X") == 0 || strstr(journal->data, quoted)) continue;
        hone_strbuf_printf(journal, ",%s\"values\":[2,3]}", quoted);
        hone_strbuf_add(&config, ",2");
    }
    hone_strbuf_printf(journal, "]}\n{\"config\":[1%s],\"outcome\":\"valid\",%s:3}\n",
                       config.len ? config.data : "",
                       strcmp(objective, "none") == 0 ? "\"predicted_us\""
                                                      : "\"time_us\"");
    hone_strbuf_fini(&config);
}

static void print(struct hone_strbuf *out, const struct hone_strbuf *journal,
                  enum hone_emit_shape shape)
{
    char path[64];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    const struct hone_emit_options options = {.shape = shape, .accept_predicted = true};
    write_file("j.jsonl", journal->data);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    const struct hone_recording *const list[] = {recording};
    assert_ok(hone_emit(out, list, 1, &options, &err), err);
    hone_recording_free(recording);
}

// Both headers of a journal in one file; what they name is also what the second round's
// parameters are called.
static void a_parameter_has_the_name_of_any_macro(void **state)
{
    (void)state;
    static const char *const objectives[] = {"time_us", "none"};
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    for (size_t i = 0; i < 2; i++) {
        struct hone_strbuf both = HONE_STRBUF_INIT;
        for (int round = 0; round < 2; round++) {
            struct hone_strbuf journal = HONE_STRBUF_INIT;
            char command[128];
            name_params(&journal, round ? both.data : "", objectives[i]);
            assert_true(!round || strstr(journal.data, i ? "NOT_TUNED" : "SAME_DEVICE"));
            hone_strbuf_clear(&both);
            print(&both, &journal, HONE_SHAPE_TABLE);
            print(&both, &journal, HONE_SHAPE_MACROS);
            write_file("k.c", both.data);
            snprintf(command, sizeof command,
                     "cd %s && gcc -std=c99 -fsyntax-only -Wall -Wextra -Werror k.c",
                     folder);
            if (system(command) != 0) fail_msg("%s, round %d", objectives[i], round);
            hone_strbuf_fini(&journal);
        }
        hone_strbuf_fini(&both);
    }
}

static int teardown(void **state)
{
    (void)state;
    char command[64];
    for (size_t i = 0; i < word_count; i++)
        free(words[i]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_size_has_the_name_of_any_word_of_a_header),
    cmocka_unit_test(a_parameter_has_the_name_of_any_macro),
};
HONE_TEST_MAIN_WITH(tests, make_folder, teardown)
