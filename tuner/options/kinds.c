#include "options/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/suggest.h"
#include "hone/strbuf.h"
#include "options/command.h"

enum { WORDS_MAX = 32 };

void hone_option_value_name(char *buf, size_t size, const struct hone_option *option)
{
    size_t len = 0;
    snprintf(buf, size, "%s", option->value ? option->value : "");
    for (const struct hone_choice *c = option->kind->choices; c && c->word; c++) {
        if (option->value || len >= size) return;
        len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "|" : "", c->word);
    }
}

bool hone_option_word(char *buf, size_t size, const struct hone_option_kind *kind,
                      size_t i)
{
    if (kind->word) return kind->word(buf, size, i);
    for (const struct hone_choice *c = kind->choices; c && c->word; c++)
        if (i-- == 0) return snprintf(buf, size, "%s", c->word) > 0;
    return false;
}

enum hone_status hone_option_refuse(const struct hone_option *option, const char *wanted,
                                    const char *text, struct hone_error *err)
{
    return hone_fail(err, HONE_EUSAGE, "--%s wants %s, got '%s'", option->name, wanted,
                     text);
}

static enum hone_status store_flag(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err)
{
    (void)option, (void)text, (void)err;
    *(bool *)field = true;
    return HONE_OK;
}

enum hone_status hone_store_text(const struct hone_option *option, void *field,
                                 const char *text, struct hone_error *err)
{
    (void)option, (void)err;
    *(const char **)field = text;
    return HONE_OK;
}

static enum hone_status store_item(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err)
{
    struct hone_texts *list = field;
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) return hone_no_memory(err, "for --%s", option->name);
    list->items = items;
    items[list->count++] = text;
    return HONE_OK;
}

static enum hone_status store_count(const struct hone_option *option, void *field,
                                    const char *text, struct hone_error *err)
{
    if (hone_parse_count(field, text)) return HONE_OK;
    return hone_option_refuse(option, "a whole number", text, err);
}

static enum hone_status store_some(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err)
{
    uint64_t count;
    if (!hone_parse_count(&count, text) || !count)
        return hone_option_refuse(option, "a whole number above 0", text, err);
    *(uint64_t *)field = count;
    return HONE_OK;
}

static enum hone_status store_share(const struct hone_option *option, void *field,
                                    const char *text, struct hone_error *err)
{
    if (hone_parse_share(field, text)) return HONE_OK;
    return hone_option_refuse(option, "a part like 3%", text, err);
}

static enum hone_status store_memory(const struct hone_option *option, void *field,
                                     const char *text, struct hone_error *err)
{
    if (hone_parse_bytes(field, text, 1024)) return HONE_OK;
    return hone_option_refuse(option, "a size in bytes (500M, 2G)", text, err);
}

static enum hone_status store_bytes(const struct hone_option *option, void *field,
                                    const char *text, struct hone_error *err)
{
    if (hone_parse_bytes(field, text, 1000)) return HONE_OK;
    return hone_option_refuse(option, "a size in bytes (500M, 2G, 1.5GiB)", text, err);
}

static enum hone_status store_time(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err)
{
    double seconds = 0;
    if (hone_parse_seconds(&seconds, text, 0) && seconds > 0) {
        *(double *)field = seconds;
        return HONE_OK;
    }
    return hone_option_refuse(option, "a time above 0 with its unit (30s, 5m, 2h)", text,
                              err);
}

static enum hone_status store_seconds(const struct hone_option *option, void *field,
                                      const char *text, struct hone_error *err)
{
    double seconds = 0;
    if (hone_parse_seconds(&seconds, text, 1) && seconds > 0) {
        *(double *)field = seconds;
        return HONE_OK;
    }
    return hone_option_refuse(option, "a time above 0 (30d, 12h, 90s, 90)", text, err);
}

// "yes, no or auto".
static void list_choices(struct hone_strbuf *out, const struct hone_choice *choices)
{
    for (const struct hone_choice *c = choices; c->word; c++)
        hone_strbuf_printf(out, "%s%s",
                           c == choices ? ""
                           : c[1].word  ? ", "
                                        : " or ",
                           c->word);
}

static const char *nearest_choice(const struct hone_choice *choices, const char *text)
{
    const char *words[WORDS_MAX];
    size_t count = 0;
    for (const struct hone_choice *c = choices; c->word && count < WORDS_MAX; c++)
        words[count++] = c->word;
    return hone_suggest(text, words, count);
}

enum hone_status hone_store_choice(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err)
{
    const struct hone_choice *choices = option->kind->choices;
    for (const struct hone_choice *c = choices; c->word; c++) {
        if (strcmp(c->word, text) != 0) continue;
        *(int *)field = c->value;
        return HONE_OK;
    }
    struct hone_strbuf words = HONE_STRBUF_INIT;
    list_choices(&words, choices);
    const char *near = nearest_choice(choices, text);
    enum hone_status status =
        hone_fail(err, HONE_EUSAGE, "--%s wants %s, got '%s'%s%s%s", option->name,
                  words.len ? words.data : "another word", text,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    hone_strbuf_fini(&words);
    return status;
}

const struct hone_option_kind hone_kind_flag = {.store = store_flag, .alone = true};
const struct hone_option_kind hone_kind_text = {.store = hone_store_text};
const struct hone_option_kind hone_kind_texts = {.store = store_item, .repeats = true};
const struct hone_option_kind hone_kind_count = {.store = store_count};
const struct hone_option_kind hone_kind_some = {.store = store_some};
const struct hone_option_kind hone_kind_share = {.store = store_share};
const struct hone_option_kind hone_kind_memory = {.store = store_memory};
const struct hone_option_kind hone_kind_bytes = {.store = store_bytes};
const struct hone_option_kind hone_kind_time = {.store = store_time};
const struct hone_option_kind hone_kind_seconds = {.store = store_seconds};
const struct hone_option_kind hone_kind_file = {.store = hone_store_text,
                                                .complete = HONE_COMPLETE_FILES};
const struct hone_option_kind hone_kind_output = {
    .store = hone_store_text, .complete = HONE_COMPLETE_FILES, .writes = true};
const struct hone_option_kind hone_kind_files = {.store = store_item,
                                                 .complete = HONE_COMPLETE_FILES,
                                                 .repeats = true,
                                                 .greedy = true};
const struct hone_option_kind hone_kind_folder = {.store = hone_store_text,
                                                  .complete = HONE_COMPLETE_FOLDERS};
const struct hone_option_kind hone_kind_folders = {
    .store = store_item, .complete = HONE_COMPLETE_FOLDERS, .repeats = true};
const struct hone_option_kind hone_kind_folder_or_none = {
    .store = hone_store_text, .complete = HONE_COMPLETE_FOLDERS, .blank = true};
