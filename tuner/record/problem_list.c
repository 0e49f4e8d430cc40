#include "record/problem_list.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/suggest.h"
#include "expr/value_text.h"
#include "json.h"

enum { LIST_BYTES = 64 << 20 };

struct reader {
    struct hone_problem_list *list;
    const char *path;
    const struct hone_constant *names;
    size_t n;
    struct hone_value *values; // of the line
    double weight;
    int line;
    struct hone_error *err;
};

static bool same_values(const struct hone_value *a, const struct hone_value *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!hone_value_same(a[i], b[i])) return false;
    return true;
}

// Values that are the same have one hash: -0.0 is 0.0.
static uint64_t hash_value(struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        return hone_hash64(&value.i, sizeof value.i);
    case HONE_FLOAT:
        value.f += 0.0;
        return hone_hash64(&value.f, sizeof value.f);
    case HONE_BOOL:
        return value.b;
    case HONE_STRING:
        return hone_hash64(value.s, strlen(value.s));
    }
    return 0;
}

static uint64_t hash_values(const struct hone_value *values, size_t n)
{
    uint64_t hash = n;
    for (size_t i = 0; i < n; i++) {
        const uint64_t both[2] = {hash, hash_value(values[i])};
        hash = hone_hash64(both, sizeof both);
    }
    return hash;
}

static enum hone_status copy_values(struct hone_problem_list *list,
                                    struct hone_record_problem *item,
                                    const struct hone_value *values, size_t n,
                                    struct hone_error *err)
{
    struct hone_value *copy = hone_arena_dup(&list->arena, values, n * sizeof *copy);
    for (size_t i = 0; copy && i < n; i++) {
        if (copy[i].type != HONE_STRING) continue;
        copy[i].s = hone_arena_strdup(&list->arena, copy[i].s);
        if (!copy[i].s) copy = NULL;
    }
    item->values = copy;
    return copy ? HONE_OK : hone_no_memory(err, "for problems");
}

enum hone_status hone_problem_list_add(struct hone_problem_list *list, size_t n,
                                       const struct hone_value *values, double weight,
                                       struct hone_error *err)
{
    const uint64_t hash = hash_values(values, n);
    struct hone_probe probe = hone_hash_table_probe(&list->table, hash);
    for (uint32_t *i; (i = hone_hash_table_next(&list->table, &probe)) != NULL;) {
        if (!same_values(list->items[*i].values, values, n)) continue;
        list->items[*i].weight += weight;
        return HONE_OK;
    }
    if (!HONE_GROW(&list->items, &list->cap, list->count + 1, 8))
        return hone_no_memory(err, "for problems");
    struct hone_record_problem *item = &list->items[list->count];
    item->weight = weight;
    enum hone_status status = copy_values(list, item, values, n, err);
    if (status == HONE_OK &&
        !hone_hash_table_add(&list->table, hash, (uint32_t)list->count))
        status = hone_no_memory(err, "for problems");
    if (status == HONE_OK) list->count++;
    return status;
}

static enum hone_status bad(const struct reader *r, const char *what, const char *name)
{
    return hone_fail_at(r->err, HONE_EINPUT, r->path, r->line, "%s '%s'", what, name);
}

static size_t find_name(const struct reader *r, const char *name)
{
    size_t i = 0;
    while (i < r->n && strcmp(r->names[i].name, name) != 0)
        i++;
    return i;
}

static enum hone_status set_weight(struct reader *r, struct hone_value value)
{
    if (!hone_value_to_double(value, &r->weight) || !(r->weight > 0))
        return bad(r, "a number above 0 is wanted for", "weight");
    return HONE_OK;
}

static enum hone_status no_size(const struct reader *r, const char *name)
{
    enum { NAMES_MOST = 64 };
    const char *names[NAMES_MOST];
    size_t count = 0;
    for (; count < r->n && count < NAMES_MOST; count++)
        names[count] = r->names[count].name;
    const char *near = hone_suggest(name, names, count);
    return hone_fail_at(r->err, HONE_EINPUT, r->path, r->line,
                        "the kernel has no problem size '%s'%s%s%s", name,
                        near ? "; did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
}

static enum hone_status wrong_type(const struct reader *r,
                                   const struct hone_constant *size,
                                   struct hone_value value)
{
    static const char *const texts[] = {[HONE_INT] = "an integer",
                                        [HONE_FLOAT] = "a number",
                                        [HONE_BOOL] = "true or false",
                                        [HONE_STRING] = "a text"};
    char number[HONE_NUMBER_TEXT];
    return hone_fail_at(r->err, HONE_EINPUT, r->path, r->line,
                        "problem size '%s' is %s, got '%s'", size->name,
                        texts[size->value.type], hone_value_in_full(number, value));
}

static enum hone_status set(struct reader *r, const char *name, struct hone_value value)
{
    const size_t i = find_name(r, name);
    if (i == r->n && strcmp(name, "weight") == 0) return set_weight(r, value);
    if (i == r->n) return no_size(r, name);
    if (!hone_value_fit(&value, r->names[i].value.type))
        return wrong_type(r, &r->names[i], value);
    r->values[i] = value;
    return HONE_OK;
}

static enum hone_status read_object(struct reader *r, const char *text)
{
    json_error_t why;
    json_t *root = hone_json_read(text, strlen(text), 0, &why);
    enum hone_status status = HONE_OK;
    if (!json_is_object(root))
        status = hone_fail_at(r->err, HONE_EINPUT, r->path, r->line, "%s",
                              root ? "not an object" : why.text);
    for (void *iter = json_object_iter(root); iter && status == HONE_OK;
         iter = json_object_iter_next(root, iter)) {
        struct hone_value value = {0};
        const char *key = json_object_iter_key(iter);
        const json_t *json = json_object_iter_value(iter);
        status = hone_json_to_value(&value, json, &r->list->arena)
                     ? set(r, key, value)
                     : bad(r, "no number, text or boolean for", key);
    }
    json_decref(root);
    return status;
}

// A word's value, or its text, which no number or boolean is.
static struct hone_value parse_word(const struct reader *r, size_t i, const char *text)
{
    const enum hone_type type = i < r->n ? r->names[i].value.type : HONE_FLOAT;
    struct hone_value value = {.type = HONE_STRING, .s = text};
    hone_value_parse(&value, type, text);
    return value;
}

static enum hone_status read_words(struct reader *r, char *text)
{
    enum hone_status status = HONE_OK;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t\r", &rest); word && status == HONE_OK;
         word = strtok_r(NULL, " \t\r", &rest)) {
        char *equals = strchr(word, '=');
        if (!equals || equals == word) return bad(r, "NAME=VALUE is wanted, got", word);
        *equals = '\0';
        status = set(r, word, parse_word(r, find_name(r, word), equals + 1));
    }
    return status;
}

static enum hone_status read_line(struct reader *r, char *text)
{
    text += strspn(text, " \t\r");
    const bool object = *text == '{';
    if (!object) text[strcspn(text, "#")] = '\0';
    if (!text[strspn(text, " \t\r")]) return HONE_OK;
    r->weight = 1;
    for (size_t i = 0; i < r->n; i++)
        r->values[i] = r->names[i].value;
    enum hone_status status = object ? read_object(r, text) : read_words(r, text);
    if (status != HONE_OK) return status;
    return hone_problem_list_add(r->list, r->n, r->values, r->weight, r->err);
}

enum hone_status hone_problem_list_read(struct hone_problem_list *list, const char *path,
                                        const struct hone_constant *names, size_t n,
                                        struct hone_error *err)
{
    struct reader r = {.list = list, .path = path, .names = names, .n = n, .err = err};
    char *data = NULL, *rest = NULL;
    const struct hone_file_want want = {.most = LIST_BYTES, .stream = true};
    enum hone_status status = hone_file_read_as(&data, NULL, path, &want, err);
    if (status != HONE_OK) return status;
    r.values = hone_arena_array(&list->arena, n, sizeof *r.values);
    if (!r.values) status = hone_no_memory(err, "for problems");
    for (char *line = data; line && status == HONE_OK; line = rest) {
        rest = strchr(line, '\n');
        if (rest) *rest++ = '\0';
        r.line++;
        status = read_line(&r, line);
    }
    free(data);
    if (status == HONE_OK && !list->count)
        status = hone_fail_at(err, HONE_EINPUT, path, 0, "no problem in this file");
    return status;
}

enum hone_status hone_problem_list_line(struct hone_problem_list *list, const char *text,
                                        const struct hone_problem_names *names,
                                        const char *path, int line,
                                        struct hone_error *err)
{
    struct reader r = {.list = list,
                       .path = path,
                       .names = names->items,
                       .n = names->count,
                       .line = line,
                       .err = err};
    char *copy = strdup(text);
    r.values = hone_arena_array(&list->arena, r.n, sizeof *r.values);
    enum hone_status status =
        copy && r.values ? read_line(&r, copy) : hone_no_memory(err, "for problems");
    free(copy);
    return status;
}

void hone_problem_list_fini(struct hone_problem_list *list)
{
    free(list->items);
    hone_hash_table_fini(&list->table);
    hone_arena_fini(&list->arena);
    *list = (struct hone_problem_list){0};
}
