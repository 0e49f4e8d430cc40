#include "tuning/strategy_list.h"

#include <stdlib.h>
#include <string.h>

// The length of the first name in a text; a command has the rest of it.
static size_t name_length(const char *text)
{
    if (strncmp(text, HONE_STRATEGY_EXEC, strlen(HONE_STRATEGY_EXEC)) == 0)
        return strlen(text);
    return strcspn(text, ",");
}

// At most.
static size_t count_names(const char *const *texts, size_t count)
{
    size_t names = count;
    for (size_t i = 0; i < count; i++)
        for (const char *c = texts[i]; *c; c++)
            names += *c == ',';
    return names;
}

static enum hone_status add_strategy(struct hone_strategy_list *list, const char *text,
                                     size_t len, double timeout_s, struct hone_error *err)
{
    char *name = strndup(text, len);
    if (!name) return hone_no_memory(err, "for the name of a strategy");
    struct hone_named_strategy *named = &list->named[list->count];
    enum hone_status status = hone_named_strategy_find(named, name, timeout_s, err);
    free(name);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i]->name, named->fns->name) == 0)
            return hone_fail(err, HONE_EUSAGE, "strategy '%s' is named twice",
                             named->fns->name);
    list->items[list->count++] = named->fns;
    return HONE_OK;
}

static enum hone_status add_text(struct hone_strategy_list *list, const char *text,
                                 double timeout_s, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    while (text && status == HONE_OK) {
        const size_t len = name_length(text);
        status = add_strategy(list, text, len, timeout_s, err);
        text = text[len] ? text + len + 1 : NULL;
    }
    return status;
}

static size_t registry_count(void)
{
    size_t count = 0;
    while (hone_strategies[count])
        count++;
    return count;
}

enum hone_status hone_strategy_list_make(struct hone_strategy_list *out,
                                         const char *const *texts, size_t count,
                                         double timeout_s, struct hone_error *err)
{
    const size_t most = count ? count_names(texts, count) : registry_count();
    *out = (struct hone_strategy_list){.items = calloc(most, sizeof *out->items),
                                       .named = calloc(most, sizeof *out->named),
                                       .named_count = most};
    if (!out->items || !out->named) return hone_no_memory(err, "for strategies");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = add_text(out, texts[i], timeout_s, err);
    for (size_t i = 0; !count && i < most; i++)
        out->items[out->count++] = hone_strategies[i];
    return status;
}

void hone_strategy_list_describe(const struct hone_strategy_list *list,
                                 const struct hone_record_info *info)
{
    for (size_t i = 0; i < list->named_count; i++)
        hone_named_strategy_describe(&list->named[i], info);
}

void hone_strategy_list_fini(struct hone_strategy_list *list)
{
    for (size_t i = 0; list->named && i < list->named_count; i++)
        hone_named_strategy_fini(&list->named[i]);
    free(list->named);
    free(list->items);
    *list = (struct hone_strategy_list){0};
}
