/* The preprocessing directives of a source text, found as NVRTC's front end finds them:
 * lines are joined at backslashes, comments and literals are told from code. */
#ifndef HONE_RENDER_SCAN_H
#define HONE_RENDER_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "hone/status.h"

enum hone_directive_kind {
    HONE_DIRECTIVE_INCLUDE, /* #include */
    HONE_DIRECTIVE_FOREIGN, /* #include_next, #import, #embed: they read files as well */
    HONE_DIRECTIVE_DEFINE,  /* #define */
    HONE_DIRECTIVE_UNDEF,   /* #undef */
    HONE_DIRECTIVE_IF,      /* #if */
    HONE_DIRECTIVE_IFDEF,   /* #ifdef */
    HONE_DIRECTIVE_IFNDEF,  /* #ifndef */
    HONE_DIRECTIVE_ELIF,    /* #elif */
    HONE_DIRECTIVE_ELSE,    /* #else, #elifdef, #elifndef */
    HONE_DIRECTIVE_ENDIF,   /* #endif */
    HONE_DIRECTIVE_ONCE,    /* #pragma once */
    HONE_DIRECTIVE_OTHER
};

struct hone_directive {
    struct hone_directive *next;
    enum hone_directive_kind kind;
    const char *name; /* "include" */
    const char *body; /* what follows on one line: a comment is a blank, blanks at both
                         ends are cut; what names a file stands as it is written */
    size_t start;     /* in the text: of its line, where only blanks stand before it */
    size_t end;       /* behind its newline */
    int line, lines;  /* the first, from 1, and how many it takes */
    bool code_before; /* more than blanks and comments since the directive before it */
};

struct hone_scan {
    struct hone_directive *directives; /* in order */
    bool code_after; /* more than blanks and comments behind the last directive */
};

/* Is told of each token outside of directives, as it reads once lines are joined. */
struct hone_code_reader {
    void (*take)(void *context, const char *token, size_t length, int line);
    void *context;
};

/* Fills out, whose memory is the arena's; name is that of the file in messages. Where a
 * line inside a comment begins with '#' or '%', text gets a blank there: no reading of
 * it, however wrong about where the comment ends, makes that line a directive. EINPUT
 * with file and line for a text that leaves such room: one with a NUL, a comment or raw
 * literal that does not end, a raw literal with '#' in its later lines, or __has_include
 * outside of directives, where a compiler looks for the file as well. reader: NULL for
 * none. */
enum hone_status hone_scan(struct hone_scan *out, struct hone_arena *arena, char *text,
                           size_t size, const char *name,
                           const struct hone_code_reader *reader, struct hone_error *err);

#endif
