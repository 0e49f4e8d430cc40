/* What a journal says was begun, while it is read: found in constant time, kept in the
 * order in which it was begun. */
#ifndef HONE_RECORD_BEGUN_H
#define HONE_RECORD_BEGUN_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "hone/record.h"

struct hone_begun_list {
    struct hone_arena *arena; /* of the rows */
    size_t row_bytes;
    struct hone_begun *items; /* times 0: it is over */
    size_t count, cap;
    struct hone_hash_table table; /* of a row's last item */
};

/* One that is not over, of this problem and row; NULL when there is none. Valid until the
 * next one is added. */
struct hone_begun *hone_begun_find(const struct hone_begun_list *list, uint32_t problem,
                                   const uint16_t *row);

/* Another time of this problem and row, which is copied; false: out of memory. */
bool hone_begun_add(struct hone_begun_list *list, uint32_t problem, const uint16_t *row);

/* Leave those that are not over, and items and count alone, which are the caller's. */
void hone_begun_settle(struct hone_begun_list *list);

#endif
