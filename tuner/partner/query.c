// Questions that a program may put while it has the turn: constraints may be functions,
// or a list, so that only the engine knows what is valid.
#include "query.h"

#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"
#include "partner_message.h"
#include "record/json_in.h"
#include "record/json_out.h"

enum { RANDOM_MAX = 100000 }; // configurations in one answer

struct asked {
    struct hone_search *search;
    const struct hone_space *space;
    uint16_t *choices;
};

static struct json_t *configs_json(const struct asked *asked, const uint64_t *indices,
                                   size_t count)
{
    struct json_t *answer = hone_json_object(), *configs = hone_json_array(),
                  *numbers = hone_json_array();
    for (size_t i = 0; i < count; i++) {
        struct hone_value number = {.type = HONE_INT, .i = (int64_t)indices[i]};
        hone_json_append_value(numbers, number);
        hone_json_append(configs,
                         hone_message_config(asked->space, indices[i], asked->choices));
    }
    hone_json_child(answer, "configs", configs);
    hone_json_child(answer, "indices", numbers);
    return answer;
}

static enum hone_status answer_valid(const struct asked *asked,
                                     const struct json_t *query, struct json_t **answer,
                                     struct hone_error *err)
{
    size_t count;
    const struct json_t *configs = hone_json_get(query, "configs");
    if (!hone_json_is_list(configs, &count))
        return hone_fail(err, HONE_EINPUT, "the query \"valid\" lacks \"configs\"");
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < count; i++) {
        uint64_t index;
        const bool valid =
            hone_message_read_config(asked->space, hone_json_at(configs, i),
                                     asked->choices, &index, NULL) == HONE_OK;
        hone_json_append_value(list, (struct hone_value){.type = HONE_BOOL, .b = valid});
    }
    *answer = hone_json_object();
    hone_json_child(*answer, "valid", list);
    return HONE_OK;
}

// Keeps the first n that were not proposed yet, of count that are drawn.
static size_t sample_unseen(const struct asked *asked, uint64_t *indices, size_t count,
                            size_t n)
{
    size_t kept = 0;
    count =
        hone_space_sample(asked->space, hone_search_rng(asked->search), indices, count);
    for (size_t i = 0; i < count && kept < n; i++)
        if (!hone_search_seen(asked->search, indices[i])) indices[kept++] = indices[i];
    return kept;
}

// Where most were proposed, more are drawn, in the end all.
static enum hone_status draw_unseen(const struct asked *asked, uint64_t **indices,
                                    size_t *kept, size_t n, struct hone_error *err)
{
    enum { MORE = 4 };
    const uint64_t all = hone_space_count(asked->space);
    for (uint64_t count = n;; count *= MORE) {
        if (count > all) count = all;
        uint64_t *room = realloc(*indices, (size_t)count * sizeof *room);
        if (!room) return hone_no_memory(err, "for an answer");
        *indices = room;
        *kept = sample_unseen(asked, room, (size_t)count, n);
        if (*kept == n || count == all) return HONE_OK;
    }
}

static enum hone_status answer_random(const struct asked *asked,
                                      const struct json_t *query, struct json_t **answer,
                                      struct hone_error *err)
{
    struct hone_value n = {.type = HONE_INT, .i = 1};
    const struct json_t *wanted = hone_json_get(query, "n");
    if (wanted && (!hone_json_peek_value(&n, wanted) || n.type != HONE_INT || n.i < 1 ||
                   n.i > RANDOM_MAX))
        return hone_fail(err, HONE_EINPUT, "the query \"random\" wants \"n\" of 1 to %d",
                         RANDOM_MAX);
    uint64_t *indices = NULL;
    size_t kept = 0;
    enum hone_status status = draw_unseen(asked, &indices, &kept, (size_t)n.i, err);
    if (status == HONE_OK) *answer = configs_json(asked, indices, kept);
    free(indices);
    return status;
}

static enum hone_status answer_neighbours(const struct asked *asked,
                                          const struct json_t *query,
                                          struct json_t **answer, struct hone_error *err)
{
    uint64_t index;
    struct hone_value kind = {.type = HONE_STRING, .s = "hamming"};
    const struct json_t *config = hone_json_get(query, "config"),
                        *wanted = hone_json_get(query, "kind");
    enum hone_status status =
        hone_message_read_config(asked->space, config, asked->choices, &index, err);
    if (status != HONE_OK) return status;
    if (wanted) hone_json_peek_value(&kind, wanted);
    const bool adjacent = kind.type == HONE_STRING && strcmp(kind.s, "adjacent") == 0;
    if (!adjacent && (kind.type != HONE_STRING || strcmp(kind.s, "hamming") != 0))
        return hone_fail(err, HONE_EINPUT, "\"kind\" wants \"hamming\" or \"adjacent\"");
    const enum hone_neighbourhood around = adjacent ? HONE_ADJACENT : HONE_HAMMING;
    const size_t count = hone_space_neighbours(asked->space, index, around, NULL, 0);
    uint64_t *indices = calloc(count + 1, sizeof *indices);
    if (!indices) return hone_no_memory(err, "for an answer");
    hone_space_neighbours(asked->space, index, around, indices, count);
    *answer = configs_json(asked, indices, count);
    free(indices);
    return HONE_OK;
}

enum hone_status hone_query_answer(struct json_t **answer, struct hone_search *search,
                                   const struct json_t *query, uint16_t *choices,
                                   struct hone_error *err)
{
    static const struct {
        const char *name;
        enum hone_status (*run)(const struct asked *asked, const struct json_t *query,
                                struct json_t **answer, struct hone_error *err);
    } queries[] = {{"valid", answer_valid},
                   {"random", answer_random},
                   {"neighbours", answer_neighbours}};
    const struct asked asked = {search, hone_search_space(search), choices};
    char brief[80];
    struct hone_value name;
    const struct json_t *what = hone_json_get(query, "query");
    const bool is_text = hone_json_peek_value(&name, what) && name.type == HONE_STRING;
    for (size_t i = 0; is_text && i < sizeof queries / sizeof *queries; i++)
        if (strcmp(name.s, queries[i].name) == 0)
            return queries[i].run(&asked, query, answer, err);
    return hone_fail(err, HONE_EINPUT,
                     "unknown query %s: it may be \"valid\", \"random\", \"neighbours\"",
                     hone_json_brief(brief, sizeof brief, what));
}
