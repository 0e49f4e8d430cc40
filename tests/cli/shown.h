/* Hostile journals in the folder of a test, and whether what commands printed of them
 * shows all that it has. */
#ifndef HONE_TEST_SHOWN_H
#define HONE_TEST_SHOWN_H

#include "hostile_journal.h"

#include "base/file.h"
#include "base/sink.h"
#include "program.h"

// Escape sequences, a bell, C1 controls, overriding directions, what is not seen.
#define HOSTILE                                                                          \
    "\x1b]0;t\x07\x1b[2J\xc2\x9b\x33\x31m \xe2\x80\xae"                                  \
    "a\xe2\x80\x8b \"'%n*/\x7f<b>"

static inline void assert_shows_all(const char *name, const char *text)
{
    const char *at = hone_find_hidden(text, true);
    if (at) fail_msg("%s: hidden at %zu: %.80s", name, (size_t)(at - text), at);
    if (strchr(text, '\r')) fail_msg("%s has a carriage return", name);
}

static inline void assert_file_shows_all(const char *name, size_t least)
{
    char *text = program_file(name);
    assert_non_null(text);
    assert_shows_all(name, text);
    if (strlen(text) < least) fail_msg("%s: %s", name, text);
    free(text);
}

// One of so many of the places, as NAME-0.jsonl and on.
static inline size_t write_journals_of(const char *from, const char *name, size_t one_of)
{
    char path[512], *journal;
    struct hone_error err = {0};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    size_t count = 0;
    assert_int_equal(hone_file_read(&journal, NULL, from, &err), HONE_OK);
    for (size_t line = 0; line < 2; line++)
        for (long place = 0; make_journal(&text, journal, line, place, HOSTILE);
             place++) {
            if ((size_t)place % one_of != 0) continue;
            snprintf(path, sizeof path, "%s/%s-%zu.jsonl", program.folder, name, count++);
            assert_int_equal(hone_file_write(path, text.data, text.len, &err), HONE_OK);
        }
    hone_strbuf_fini(&text);
    free(journal);
    return count;
}

struct ends {
    size_t done, failed, refused;
};

// The exit codes in a file, one a line: a command does its work, finds failures, or
// refuses what it reads.
static inline struct ends read_codes(const char *name)
{
    struct ends ends = {0};
    char *codes = program_file(name);
    assert_non_null(codes);
    for (const char *p = codes; *p; p += 2) {
        if ((*p != '0' && *p != '1' && *p != '2') || p[1] != '\n')
            fail_msg("a command ended with %.4s", p);
        ends.done += *p == '0';
        ends.failed += *p == '1';
        ends.refused += *p == '2';
    }
    free(codes);
    return ends;
}

#endif
