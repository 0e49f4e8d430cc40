// Any line of a program that runs a strategy: a question about the space, or a list of
// configurations.
#include <string.h>

#include "fuzz.h"
#include "hone/search.h"
#include "hone/strbuf.h"
#include "partner_message.h"
#include "query.h"
#include "record/json_in.h"
#include "record/json_out.h"
#include "space_def.h"

enum { PARAMS = 3, RANDOM_MANY = 1000 };

static struct hone_space *make_space(void)
{
    static struct space_def d;
    d = (struct space_def){0};
    struct hone_error err = {0};
    struct hone_space *space = NULL;
    const struct hone_value texts[] = {{.type = HONE_STRING, .s = "row"},
                                       {.type = HONE_STRING, .s = "col"}};
    space_def_ints(&d, "x", "0 1 2 3 4 5 6 7 8");
    space_def_ints(&d, "y", "1 2 4 8 16");
    space_def_values(&d, "order", texts, 2);
    space_def_where(&d, "x + y < 16");
    fuzz_must(hone_space_new(&space, space_def_get(&d), &err), &err);
    return space;
}

static void put_query(struct hone_search *search, const struct json_t *message)
{
    struct json_t *answer = NULL;
    uint16_t choices[PARAMS];
    struct hone_error err = {0};
    struct hone_strbuf line = HONE_STRBUF_INIT;
    if (fuzz_taken(hone_query_answer(&answer, search, message, choices, &err), &err)) {
        FUZZ_CHECK(answer != NULL);
        hone_json_line(&line, answer);
        FUZZ_CHECK(line.len > 2);
    }
    hone_strbuf_fini(&line);
}

static void propose(const struct hone_space *space, const struct json_t *list)
{
    size_t count = 0;
    if (!hone_json_is_list(list, &count)) return;
    for (size_t i = 0; i < count; i++) {
        uint16_t choices[PARAMS];
        uint64_t index = 0;
        struct hone_error err = {0};
        if (fuzz_taken(hone_message_read_config(space, hone_json_at(list, i), choices,
                                                &index, &err),
                       &err))
            FUZZ_CHECK(index < hone_space_count(space));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hone_search_options options = {.seed = 1, .budget = 10};
    struct hone_error err = {0};
    struct hone_search *search = NULL;
    struct hone_space *space = make_space();
    char why[160] = "", brief[80];
    fuzz_must(
        hone_search_new(&search, hone_strategy_find("random"), space, &options, &err),
        &err);
    struct json_t *message = hone_json_parse((const char *)data, size, why, sizeof why);
    FUZZ_CHECK(message || why[0]);
    if (message) {
        hone_json_brief(brief, sizeof brief, message);
        put_query(search, message);
        propose(space, hone_json_get(message, "propose"));
        hone_json_free(message);
    }
    hone_search_free(search);
    hone_space_free(space);
    return 0;
}
