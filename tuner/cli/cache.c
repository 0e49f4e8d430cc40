// hone cache: what the build cache holds, and less of it by age and size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "build/cache.h"
#include "cli.h"
#include "record/json_out.h"
#include "report/listings.h"

struct cache_args {
    struct hone_words words;
    const char *folder;
    double age;    // in seconds; 0: not given
    uint64_t size; // in bytes; UINT64_MAX: not given
    bool clear, json;
};

static void print_cache_text(const char *folder, const struct hone_cache_facts *facts)
{
    const struct hone_plain oldest = hone_date_text(facts->oldest);
    const struct hone_plain newest = hone_date_text(facts->newest);
    printf("cache    %s\n", folder);
    printf("entries  %llu\n", (unsigned long long)facts->entries);
    printf("size     %s\n", hone_byte_text(facts->bytes).text);
    if (*oldest.text) printf("oldest   %s\n", oldest.text);
    if (*newest.text) printf("newest   %s\n", newest.text);
    if (facts->removed_entries)
        printf("removed  %llu, %s\n", (unsigned long long)facts->removed_entries,
               hone_byte_text(facts->removed_bytes).text);
}

static enum hone_status run_cache(void *args, struct hone_error *err)
{
    const struct cache_args *a = args;
    struct hone_cache_facts facts;
    const struct hone_cache_cut cut = {.age = a->age,
                                       .most_bytes = a->clear ? 0 : a->size};
    char *folder = a->folder ? strdup(a->folder) : hone_cache_folder();
    if (!folder)
        return hone_fail(err, HONE_EUSAGE,
                         "there is no build cache: set HONE_CACHE to its folder");
    enum hone_status status = hone_cache_clean(&facts, folder, &cut, err);
    if (a->json && status == HONE_OK)
        status = hone_json_print(hone_cache_json(folder, &facts), stdout, err);
    if (!a->json) print_cache_text(folder, &facts);
    free(folder);
    return status;
}

static const struct hone_option option_table[] = {
    {"cache", 0, "FOLDER", "which one [HONE_CACHE, else ~/.cache/hone]",
     &hone_kind_folder, offsetof(struct cache_args, folder)},
    {"evict-older-than", 0, "AGE", "remove what was built before: 30d, 12h, 90s",
     HONE_SECONDS(struct cache_args, age)},
    {"max-size", 'M', "SIZE", "remove the oldest until so much is left: 500M, 2G, 1GiB",
     &hone_kind_bytes, offsetof(struct cache_args, size)},
    {"clear", 'C', NULL, "remove all entries", HONE_FLAG(struct cache_args, clear)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct cache_args, json)},
    {0},
};

const struct hone_command cli_cache = {
    .name = "cache",
    .summary = "Show the build cache, and clean it by age and size",
    .usage = "[--evict-older-than AGE] [--max-size SIZE] [--clear] [--json]",
    .details =
        "Entries are removed when this command is told to, never by a run. Runs may "
        "go on meanwhile:\nwhat they miss is built again.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct cache_args),
    .defaults = &(const struct cache_args){.size = UINT64_MAX},
    .run = run_cache,
};
