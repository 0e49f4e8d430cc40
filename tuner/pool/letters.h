/* Messages that wait for a worker's main thread, in the order in which they came. */
#ifndef HONE_POOL_LETTERS_H
#define HONE_POOL_LETTERS_H

#include "pool_message.h"

struct hone_letter {
    struct hone_message message;
    struct hone_letter *next;
};

struct hone_letters {
    struct hone_letter *first, **end; /* end: of an empty list, first's own address */
};

static inline void hone_letters_push(struct hone_letters *letters,
                                     struct hone_letter *letter)
{
    *letters->end = letter;
    letters->end = &letter->next;
}

/* NULL when there is none. */
static inline struct hone_letter *hone_letters_pop(struct hone_letters *letters)
{
    struct hone_letter *letter = letters->first;
    if (!letter) return NULL;
    letters->first = letter->next;
    if (!letters->first) letters->end = &letters->first;
    letter->next = NULL;
    return letter;
}

#endif
