/* Names are names: every key and value of real journals, one at a time, becomes a hostile
 * text. The journal is refused with its line, or the header made of it compiles, shows
 * all that it has, and has no identifier but those of headers of sound journals. */
#include "emit_fixture.h"

#include <ctype.h>

#include "base/identifier.h"
#include "base/sink.h"
#include "fast_folder.h"
#include "hone/exchange.h"
#include "hostile_journal.h"

// Thousands of journals, each of them synced.
static int setup(void **state)
{
    (void)state;
    const int length = snprintf(folder, sizeof folder, "%s/hone-XXXXXX", fast_folder());
    assert_in_range(length, 1, sizeof folder - 1);
    return mkdtemp(folder) ? 0 : -1;
}

static char big[1 << 20];

static const char *const hostile[] = {
    "x(void){return 0;} static int pwned",
    "M; int pwned = 1",
    "*/ int pwned; /*",
    "line\n#define pwned 1\n",
    "back\\\nslash ?\?/\npwned",
    "right \xe2\x80\xae to \xe2\x81\xa6left",
    "zero\xe2\x80\x8bwidth\xef\xbb\xbf",
    "\x1b]0;title\x07\x1b[2Jesc\xc2\x9b",
    "\"); int pwned; (\"",
    "'; touch pwned; '",
    "%n%s%n",
    "nul " NUL_HERE " nul",
    "register",
    "__attribute__",
    "/etc/../etc/passwd",
    "<script>alert(1)</script>",
    big,
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* --- the counts --- */

struct counts {
    size_t journals, refused, emitted, exported, compiled;
};

static char journal_path[80], header_path[80];

// The change that is tried, for messages.
static struct now {
    const char *journal, *text;
    size_t line;
    long place;
} now;

static void fail_now(const char *why)
{
    char text[64];
    snprintf(text, sizeof text, "%s", now.text);
    fail_msg("%s, line %zu, place %ld, text '%s': %.3000s", now.journal, now.line + 1,
             now.place, text, why);
}

/* --- what a header says --- */

struct words {
    char **items;
    size_t count;
};

static bool has_word(const struct words *words, const char *word, size_t length)
{
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->items[i], word, length) == 0 && !words->items[i][length])
            return true;
    return false;
}

// Past a comment or a literal that starts here; NULL where none does.
static const char *skip_text(const char *p)
{
    if (strncmp(p, "/*", 2) == 0) return strstr(p + 2, "*/") + 2;
    if (*p != '"' && *p != '\'') return NULL;
    const char quote = *p++;
    while (*p != quote)
        p += *p == '\\' ? 2 : 1;
    return p + 1;
}

// Each identifier of the header outside of comments and literals, less the prefix.
static void each_word(const char *text, void *context,
                      void visit(void *context, const char *word, size_t length))
{
    while (*text) {
        const char *end = skip_text(text);
        if (!end && (end = hone_identifier_end(text)))
            visit(context, text, (size_t)(end - text));
        else if (!end && isdigit((unsigned char)*text))
            for (end = text; isalnum((unsigned char)*end); end++) {
            }
        text = end ? end : text + 1;
    }
}

static void add_word(void *context, const char *word, size_t length)
{
    struct words *words = context;
    if (has_word(words, word, length)) return;
    words->items = realloc(words->items, (words->count + 1) * sizeof *words->items);
    words->items[words->count++] = strndup(word, length);
}

static struct words known;

static void check_word(void *context, const char *word, size_t length)
{
    // A name as such may be part of one: k_register_bytes of a workspace.
    const size_t size = strlen(now.text);
    const bool name = !hone_identifier_fault(now.text) && length > size;
    for (size_t i = 0; name && i + size <= length; i++)
        if (strncmp(word + i, now.text, size) == 0) return;
    if (!has_word(context, word, length)) fail_now(word);
}

static enum hone_status emit(struct hone_strbuf *out,
                             const struct hone_recording *recording,
                             struct hone_error *err)
{
    const struct hone_payload none = {0};
    const struct hone_emit_options options = {
        .name = "k", .accept_predicted = true, .payload = &none};
    return hone_emit(out, &recording, 1, &options, err);
}

static void assert_is_refusal(enum hone_status status, const struct hone_error *err)
{
    if (status != HONE_EINPUT || strcmp(err->source, journal_path) != 0 || err->line < 1)
        fail_now(err->text);
}

static void assert_shows_all(const struct hone_strbuf *text)
{
    const char *at = hone_find_hidden(text->data, true);
    if (at) fail_now(at);
    assert_null(strchr(text->data, '\r'));
}

static void check_exports(const struct hone_recording *recording, struct counts *counts)
{
    static const enum hone_format formats[] = {HONE_FORMAT_KERNEL_TUNER, HONE_FORMAT_T4};
    for (size_t i = 0; i < 2; i++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_error err = {0};
        if (hone_export(&out, recording, formats[i], &err) == HONE_OK) {
            assert_shows_all(&out);
            counts->exported++;
        } else {
            assert_int_equal(err.code, HONE_EINPUT);
        }
        hone_strbuf_fini(&out);
    }
}

static void compile(const char *header)
{
    char command[256];
    struct hone_error err = {0};
    assert_ok(hone_file_write(header_path, header, strlen(header), &err), err);
    snprintf(command, sizeof command,
             "gcc -std=c99 -fsyntax-only -Wall -Wextra -Werror -x c %s", header_path);
    if (system(command) != 0) fail_now(header);
    unlink(header_path);
}

static void check_header(const char *header, const char *sound, struct counts *counts)
{
    each_word(header, &known, check_word);
    if (strcmp(header, sound) == 0) return; // nothing of the change is in it
    // Nothing but comments and literals differ in most; one of 32 is enough of those.
    if (counts->compiled++ % 32 == 0) compile(header);
}

static void try_journal(const struct hone_strbuf *journal, const char *sound,
                        struct counts *counts)
{
    struct hone_recording *recording = NULL;
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    FILE *file = fopen(journal_path, "w");
    assert_int_equal(fwrite(journal->data, 1, journal->len, file), journal->len);
    fclose(file);
    counts->journals++;
    enum hone_status status = hone_recording_load(&recording, journal_path, &err);
    if (status == HONE_OK) {
        check_exports(recording, counts);
        status = emit(&out, recording, &err);
    }
    if (status == HONE_OK) {
        counts->emitted++;
        assert_shows_all(&out);
        check_header(out.data, sound, counts);
    } else {
        counts->refused++;
        assert_is_refusal(status, &err);
    }
    hone_recording_free(recording);
    hone_strbuf_fini(&out);
    unlink(journal_path);
}

static char *sound_header(const char *name)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct loaded loaded = load((const char *const[]){name, NULL});
    assert_ok(emit(&out, loaded.list[0], &err), err);
    unload(&loaded);
    return hone_strbuf_steal(&out);
}

// The test run takes one of ten, each place and each text among them.
static size_t one_of(void)
{
    return hone_test_one_of(10);
}

static void try_places(const char *name, struct counts *counts)
{
    char path[512], *journal = NULL, *sound = sound_header(name);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    snprintf(path, sizeof path, GOLDEN "%s.jsonl", name);
    assert_ok(hone_file_read(&journal, NULL, path, &err), err);
    for (size_t line = 0; line < 2; line++)
        for (size_t h = 0; h < HOSTILE; h++)
            for (long place = 0; make_journal(&text, journal, line, place, hostile[h]);
                 place++) {
                if (((size_t)place + h) % one_of() != 0) continue;
                now = (struct now){name, hostile[h], line, place};
                try_journal(&text, sound, counts);
            }
    hone_strbuf_fini(&text);
    free(journal);
    free(sound);
}

static void hostile_journals_are_refused_or_harmless(void **state)
{
    (void)state;
    static const char *const names[] = {"sgemm_emu", "sgemm_h200_small", "odd", "plain"};
    // A changed launch may ask for what a GPU lacks: these are in a header that asks.
    static const char of_checks[] = "block shared k_static_shared max_shared_bytes "
                                    "known_cc k_extent break case default switch";
    struct counts counts = {0};
    memset(big, 'x', sizeof big - 1);
    snprintf(journal_path, sizeof journal_path, "%s/j.jsonl", folder);
    snprintf(header_path, sizeof header_path, "%s/k.h", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *header = sound_header(names[i]);
        each_word(header, &known, add_word);
        free(header);
    }
    each_word(of_checks, &known, add_word);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        try_places(names[i], &counts);
    print_message("%zu journals: %zu refused with their line, %zu headers, %zu exports; "
                  "%zu headers differ, 1 of 32 compiled\n",
                  counts.journals, counts.refused, counts.emitted, counts.exported,
                  counts.compiled);
    assert_true(counts.refused * one_of() > 2000 && counts.emitted * one_of() > 1000 &&
                counts.compiled * one_of() > 500);
    for (size_t i = 0; i < known.count; i++)
        free(known.items[i]);
    free(known.items);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hostile_journals_are_refused_or_harmless),
};
HONE_TEST_MAIN_WITH(tests, setup, remove_folder)
