// hone cache: what the build cache holds, and less of it by age and size.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "build/cache.h"
#include "build/cache_clean.h"
#include "commands.h"
#include "record/json_out.h"

struct cache_args {
    struct cli_words words;
    const char *folder, *age, *size;
    bool clear, json;
};

// "30d", "12h", "90s"; a number alone is of seconds.
static enum hone_status parse_age(double *seconds, const char *text,
                                  struct hone_error *err)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    char *end = NULL;
    const double number = strtod(text, &end);
    double unit = *end ? 0 : 1;
    for (size_t i = 0; *end && i < sizeof units / sizeof *units; i++)
        if (*end == units[i].letter && !end[1]) unit = units[i].seconds;
    *seconds = number * unit;
    if (end != text && unit > 0 && number >= 0 && *seconds < 1e12) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "--evict-older-than wants a time like 30d, 12h or 90s, got '%s'",
                     text);
}

// As ccache has it: k, M, G, T of 1000, Ki, Mi, Gi, Ti of 1024; a B may follow.
static enum hone_status parse_size(uint64_t *bytes, const char *text,
                                   struct hone_error *err)
{
    static const char letters[] = "kMGT";
    char *end = NULL;
    double number = strtod(text, &end);
    const char *letter = *end ? strchr(letters, *end == 'K' ? 'k' : *end) : NULL;
    const bool valid = end != text && number >= 0;
    if (letter) {
        const bool binary = end[1] == 'i';
        number *= pow(binary ? 1024 : 1000, (double)(letter - letters + 1));
        end += binary ? 2 : 1;
    }
    if (*end == 'B') end++;
    *bytes = number < 0x1p63 ? (uint64_t)number : 0;
    if (valid && !*end && number < 0x1p63) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "--max-size wants a size like 500M, 2G or 1.5GiB, got '%s'", text);
}

static enum hone_status make_cut(struct hone_cache_cut *cut, const struct cache_args *a,
                                 struct hone_error *err)
{
    double age;
    time_t now;
    enum hone_status status = HONE_OK;
    *cut = (struct hone_cache_cut){.most_bytes = a->clear ? 0 : UINT64_MAX};
    if (a->age) status = parse_age(&age, a->age, err);
    // Times of files are of the clock of the wall.
    if (status == HONE_OK && a->age && time(&now) != (time_t)-1)
        cut->before = now - (time_t)age;
    if (status == HONE_OK && a->size && !a->clear)
        status = parse_size(&cut->most_bytes, a->size, err);
    return status;
}

static void date_text(char *buf, size_t size, time_t when)
{
    struct tm utc;
    buf[0] = '\0';
    if (when && gmtime_r(&when, &utc)) strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void size_text(char *buf, size_t size, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes;
    size_t unit = 0;
    for (; number >= 1024 && unit < 4; unit++)
        number /= 1024;
    snprintf(buf, size, unit ? "%.1f %s" : "%.0f %s", number, units[unit]);
}

static void print_text(const char *folder, const struct hone_cache_facts *facts)
{
    char text[64];
    printf("cache    %s\n", folder);
    printf("entries  %llu\n", (unsigned long long)facts->entries);
    size_text(text, sizeof text, facts->bytes);
    printf("size     %s\n", text);
    date_text(text, sizeof text, facts->oldest);
    if (*text) printf("oldest   %s\n", text);
    date_text(text, sizeof text, facts->newest);
    if (*text) printf("newest   %s\n", text);
    size_text(text, sizeof text, facts->removed_bytes);
    if (facts->removed_entries)
        printf("removed  %llu, %s\n", (unsigned long long)facts->removed_entries, text);
}

static enum hone_status print_json(const char *folder,
                                   const struct hone_cache_facts *facts,
                                   struct hone_error *err)
{
    char oldest[32], newest[32];
    struct json_t *root = hone_json_object();
    date_text(oldest, sizeof oldest, facts->oldest);
    date_text(newest, sizeof newest, facts->newest);
    hone_json_text(root, "cache", folder);
    hone_json_integer(root, "entries", (int64_t)facts->entries);
    hone_json_integer(root, "bytes", (int64_t)facts->bytes);
    hone_json_text(root, "oldest", *oldest ? oldest : NULL);
    hone_json_text(root, "newest", *newest ? newest : NULL);
    hone_json_integer(root, "removed_entries", (int64_t)facts->removed_entries);
    hone_json_integer(root, "removed_bytes", (int64_t)facts->removed_bytes);
    return hone_json_print(root, stdout, err);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct cache_args *a = args;
    struct hone_cache_facts facts;
    struct hone_cache_cut cut;
    enum hone_status status = cli_expect_words(&a->words, 0, 0, "nothing", err);
    if (status == HONE_OK) status = make_cut(&cut, a, err);
    if (status != HONE_OK) return status;
    char *folder = a->folder ? strdup(a->folder) : hone_cache_folder();
    if (!folder)
        return hone_fail(err, HONE_EUSAGE,
                         "there is no build cache: set HONE_CACHE to its folder");
    status = hone_cache_clean(&facts, folder, &cut, err);
    if (a->json && status == HONE_OK) status = print_json(folder, &facts, err);
    if (!a->json) print_text(folder, &facts);
    free(folder);
    return status;
}

static const struct cli_option option_table[] = {
    {"cache", 0, "FOLDER", "which one [HONE_CACHE, else ~/.cache/hone]", &cli_folder,
     offsetof(struct cache_args, folder)},
    {"evict-older-than", 0, "AGE", "remove what was built before: 30d, 12h, 90s",
     &cli_text, offsetof(struct cache_args, age)},
    {"max-size", 'M', "SIZE", "remove the oldest until so much is left: 500M, 2G, 1GiB",
     &cli_text, offsetof(struct cache_args, size)},
    {"clear", 'C', NULL, "remove all entries", &cli_flag,
     offsetof(struct cache_args, clear)},
    {"json", 0, NULL, "print JSON", &cli_flag, offsetof(struct cache_args, json)},
    {0},
};

const struct cli_command cli_cache = {
    .name = "cache",
    .summary = "Show the build cache, and clean it by age and size",
    .usage = "[--evict-older-than AGE] [--max-size SIZE] [--clear] [--json]",
    .details =
        "Entries are removed when this command is told to, never by a run. Runs may "
        "go on meanwhile:\nwhat they miss is built again.",
    .options = (const struct cli_option *const[]){option_table, NULL},
    .args_size = sizeof(struct cache_args),
    .run = run,
};
