/* Expressions of Python, as tuning files have them, in this program's language: a safe
 * subset is parsed and rewritten, nothing of Python is run. Where Python would raise, the
 * result may hold or fail. docs/import.md lists what is understood. */
#ifndef HONE_RECORD_PYTHON_H
#define HONE_RECORD_PYTHON_H

#include "base/arena.h"
#include "expr/value_text.h"

/* What a Python expression yields; it decides what counts as true: not False, 0, ''. */
enum hone_python_kind { HONE_PYTHON_NUMBER, HONE_PYTHON_BOOL, HONE_PYTHON_STRING };

/* A name that expressions may use. */
struct hone_python_name {
    const char *name;
    enum hone_python_kind kind;
    const char *text; /* written in its place; NULL: the name itself */
};

struct hone_python_names {
    const struct hone_python_name *items;
    size_t count;
};

/* The truth of text as an expression of this program, in the arena. EINPUT with the
 * column for a syntax error or an unknown name, EUNSUPPORTED for what has no counterpart.
 */
enum hone_status hone_python_condition(const char **out, const char *text,
                                       struct hone_python_names names,
                                       struct hone_arena *arena, struct hone_error *err);

/* The values of a list: "[1, 2] + [32 * i for i in range(1, 5)]", "range(8)",
 * "list(range(1, 9, 2))", "(16, 'x', True)". EINPUT, EUNSUPPORTED; ELIMIT beyond 65535
 * values. */
enum hone_status hone_python_values(struct hone_value **out, size_t *count,
                                    const char *text, struct hone_arena *arena,
                                    struct hone_error *err);

/* A value as Python prints it, but for the digits of floats, which are its own: as
 * hone_value_in_full, and True, False. */
const char *hone_python_text(char number[HONE_NUMBER_TEXT], struct hone_value value);

#endif
