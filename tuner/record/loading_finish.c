// Once a journal is read: repeated configurations are settled, and the space of what
// stands there is made.
#include "loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"

static void close_gap(struct loading *load, size_t first)
{
    struct hone_recording *recording = load->recording;
    const size_t row_bytes = load->table.param_count * sizeof *load->choices;
    recording->count -= first;
    memmove(load->choices, (char *)load->choices + first * row_bytes,
            recording->count * row_bytes);
    memmove(recording->trials, recording->trials + first,
            recording->count * sizeof *recording->trials);
    memmove(recording->firsts, recording->firsts + first,
            recording->count * sizeof *recording->firsts);
}

static void note_repeated(struct hone_recording *recording, size_t count)
{
    const size_t len = strlen(recording->notice);
    snprintf(recording->notice + len, sizeof recording->notice - len,
             "%s%zu repeated configuration%s: the last line counts", len ? "; " : "",
             count, count == 1 ? "" : "s");
}

// The number of the row that was seen already; NULL: it is new.
static const uint32_t *find_row(const struct hone_hash_table *seen, const char *rows,
                                size_t row_bytes, const char *row, uint64_t hash)
{
    struct hone_probe probe = hone_hash_table_probe(seen, hash);
    for (uint32_t *i; (i = hone_hash_table_next(seen, &probe)) != NULL;)
        if (memcmp(rows + *i * row_bytes, row, row_bytes) == 0) return i;
    return NULL;
}

// A run writes a configuration again when it knows more of it: after finals, a drift or a
// comparison, and with counters. Such a line repeats nothing.
static bool supersedes(const struct hone_trial *later)
{
    return later->final.rank > 0 || later->drift > 0 || later->compared[0] != '\0' ||
           later->counters->name;
}

// The last of the lines with the same configuration counts. Works backwards over the
// rows, then closes the gaps.
static enum hone_status drop_repeated(struct loading *load)
{
    struct hone_recording *recording = load->recording;
    const size_t count = recording->count;
    const size_t row_bytes = load->table.param_count * sizeof *load->choices;
    struct hone_hash_table seen = {0};
    size_t first = count, superseded = 0; // rows from first on are kept
    recording->firsts = calloc(count + 1, sizeof *recording->firsts);
    if (!recording->firsts) return hone_loading_no_memory(load);
    for (size_t i = count; i-- > 0;) {
        const char *rows = (const char *)load->choices, *row = rows + i * row_bytes;
        const uint64_t hash = hone_hash64(row, row_bytes);
        const uint32_t *same = find_row(&seen, rows, row_bytes, row, hash);
        const struct hone_first_line here = {recording->trials[i].line,
                                             hone_trial_cost(&recording->trials[i])};
        if (same) {
            recording->firsts[*same] = here;
            superseded += supersedes(&recording->trials[*same]);
            continue;
        }
        first--;
        if (!hone_hash_table_add(&seen, hash, (uint32_t)first)) {
            hone_hash_table_fini(&seen);
            return hone_loading_no_memory(load);
        }
        recording->firsts[first] = here;
        if (first == i) continue;
        memcpy((char *)load->choices + first * row_bytes, row, row_bytes);
        recording->trials[first] = recording->trials[i];
    }
    hone_hash_table_fini(&seen);
    if (first) close_gap(load, first);
    if (first > superseded) note_repeated(recording, first - superseded);
    return HONE_OK;
}

static enum hone_status make_space(struct loading *load)
{
    struct hone_recording *recording = load->recording;
    const struct hone_record_info *info = &recording->info;
    struct hone_error inner = {0};
    enum hone_status status =
        hone_space_from_list(&recording->space, info->params, info->param_count,
                             load->choices, recording->count, &inner);
    if (status != HONE_OK)
        return hone_fail_at(load->err, status, recording->path, 1, "%s", inner.text);
    recording->by_index = malloc((recording->count + 1) * sizeof *recording->by_index);
    if (!recording->by_index) return hone_loading_no_memory(load);
    for (size_t i = 0; i < recording->count && status == HONE_OK; i++) {
        uint64_t index = 0;
        status = hone_space_index(recording->space, load->choices + i * info->param_count,
                                  &index);
        recording->trials[i].index = index;
        if (status == HONE_OK) recording->by_index[index] = (uint32_t)i;
    }
    return status;
}

enum hone_status hone_loading_finish(struct loading *load)
{
    enum hone_status status = drop_repeated(load);
    return status != HONE_OK ? status : make_space(load);
}
