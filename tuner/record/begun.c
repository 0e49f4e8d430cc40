// What is over stays in the table until the same row is begun anew.
#include "begun.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"

static uint64_t hash_of(const struct hone_begun_list *list, uint32_t problem,
                        const uint16_t *row)
{
    return hone_hash64(row, list->row_bytes) + problem * UINT64_C(0x9e3779b97f4a7c15);
}

// Where the table has the number of the last item of this row; NULL: nowhere.
static uint32_t *begun_number(const struct hone_begun_list *list, uint32_t problem,
                              const uint16_t *row)
{
    struct hone_probe probe =
        hone_hash_table_probe(&list->table, hash_of(list, problem, row));
    for (uint32_t *i; (i = hone_hash_table_next(&list->table, &probe)) != NULL;) {
        const struct hone_begun *item = &list->items[*i];
        if (item->problem == problem && memcmp(item->choices, row, list->row_bytes) == 0)
            return i;
    }
    return NULL;
}

struct hone_begun *hone_begun_find(const struct hone_begun_list *list, uint32_t problem,
                                   const uint16_t *row)
{
    const uint32_t *number = begun_number(list, problem, row);
    return number && list->items[*number].times ? &list->items[*number] : NULL;
}

bool hone_begun_add(struct hone_begun_list *list, uint32_t problem, const uint16_t *row)
{
    uint32_t *number = begun_number(list, problem, row);
    if (number && list->items[*number].times) {
        list->items[*number].times++;
        return true;
    }
    const uint16_t *copy = hone_arena_dup(list->arena, row, list->row_bytes);
    if (!copy || !HONE_GROW(&list->items, &list->cap, list->count + 1, 8)) return false;
    if (number)
        *number = (uint32_t)list->count;
    else if (!hone_hash_table_add(&list->table, hash_of(list, problem, row),
                                  (uint32_t)list->count))
        return false;
    list->items[list->count++] = (struct hone_begun){copy, 1, problem};
    return true;
}

void hone_begun_settle(struct hone_begun_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].times) list->items[kept++] = list->items[i];
    list->count = kept;
    hone_hash_table_fini(&list->table);
}
