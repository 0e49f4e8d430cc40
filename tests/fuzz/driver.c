// Runs a fuzz target where libFuzzer is not: the seeds as they are, then mutations of
// them, the same in every run. A crash, a broken promise or an input that takes too long
// leaves the input in the file ./NAME.found, and says so.
//
//     fuzz_NAME [-runs=N] [-max_len=N] [-seed=N] [-dict=FILE] FILE|FOLDER...
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz.h"
#include "hone/rng.h"

enum { SEEDS = 512, WORDS = 256, WORD = 64, SECONDS = 20 };

struct bytes {
    uint8_t *data;
    size_t size;
};

struct driver {
    struct bytes seeds[SEEDS];
    size_t seed_count;
    uint8_t words[WORDS][WORD];
    size_t word_sizes[WORDS], word_count;
    struct hone_rng rng;
    uint64_t runs;
    size_t max_len;
    uint8_t *input; // [max_len]
    size_t size;
};

/* --- what was found --- */

static struct bytes running; // the input that the target has now
static char found_path[256];

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

// Reports end in SIGABRT. Little is kept of freed memory: inputs are many and small. Of
// thread-local memory: hone_test.h.
const char *__asan_default_options(void)
{
    return "abort_on_error=1:quarantine_size_mb=16:allocator_may_return_null=0:"
           "intercept_tls_get_addr=0";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void keep_input(int number)
{
    static const char late[] = "an input takes too long\n", kept[] = "the input is in ";
    FILE *file = fopen(found_path, "wb");
    if (file) fwrite(running.data, 1, running.size, file);
    if (file) fclose(file);
    if (number == SIGALRM) hone_fd_write(2, late, sizeof late - 1);
    hone_fd_write(2, kept, sizeof kept - 1);
    hone_fd_write(2, found_path, strlen(found_path));
    hone_fd_write(2, "\n", 1);
    _exit(1);
}

static void run(const uint8_t *data, size_t size)
{
    running = (struct bytes){malloc(size ? size : 1), size}; // of its own size
    FUZZ_CHECK(running.data != NULL);
    if (size) memcpy(running.data, data, size);
    alarm(SECONDS);
    LLVMFuzzerTestOneInput(running.data, size);
    alarm(0);
    free(running.data);
    running = (struct bytes){NULL, 0};
}

/* --- seeds and words --- */

static void add_file(struct driver *d, const char *path)
{
    char *data = NULL;
    struct bytes seed;
    struct hone_error err = {0};
    fuzz_must(hone_file_read(&data, &seed.size, path, &err), &err);
    seed.data = (uint8_t *)data;
    FUZZ_CHECK(d->seed_count < SEEDS);
    d->seeds[d->seed_count++] = seed;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_seeds(struct driver *d, const char *path)
{
    struct stat about;
    struct dirent **entries = NULL;
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode)) {
        add_file(d, path);
        return;
    }
    const int count = scandir(path, &entries, NULL, by_name);
    if (count < 0) perror(path);
    FUZZ_CHECK(count >= 0);
    for (int i = 0; i < count; i++) {
        char *file = hone_path_join(path, entries[i]->d_name);
        FUZZ_CHECK(file != NULL);
        if (entries[i]->d_name[0] != '.') add_file(d, file);
        free(file);
        free(entries[i]);
    }
    free(entries);
}

// name="text", with \\, \" and \xAB, as libFuzzer has it.
static void add_word(struct driver *d, const char *line)
{
    const char *at = strchr(line, '"');
    size_t size = 0;
    if (*line == '#' || !at) return;
    FUZZ_CHECK(d->word_count < WORDS);
    for (at++; *at && *at != '"' && size < WORD; at++) {
        uint8_t byte = (uint8_t)*at;
        if (*at == '\\' && at[1] == 'x') {
            byte = (uint8_t)strtoul((char[]){at[2], at[3], '\0'}, NULL, 16);
            at += 3;
        } else if (*at == '\\') {
            byte = (uint8_t) * ++at;
        }
        d->words[d->word_count][size++] = byte;
    }
    d->word_sizes[d->word_count++] = size;
}

static void add_words(struct driver *d, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    FUZZ_CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        add_word(d, line);
    fclose(file);
}

/* --- mutations --- */

static size_t below(struct driver *d, size_t n)
{
    return (size_t)hone_rng_below(&d->rng, n);
}

// What does not fit is left out.
static void insert(struct driver *d, size_t at, const void *data, size_t size)
{
    if (size > d->max_len - d->size) return;
    memmove(d->input + at + size, d->input + at, d->size - at);
    memcpy(d->input + at, data, size);
    d->size += size;
}

static void insert_number(struct driver *d, size_t at)
{
    static const char *const numbers[] = {
        "0",     "-1",    "65535", "65536",  "2147483648", "-9223372036854775808",
        "1e999", "1e-30", "nan",   "0.5",    "4294967296", "18446744073709551616",
        "1e30",  "007",   "-0.0",  "0x7fff", "16777217",   "9007199254740993"};
    const char *number = numbers[below(d, sizeof numbers / sizeof *numbers)];
    insert(d, at, number, strlen(number));
}

static void insert_piece(struct driver *d, size_t at)
{
    uint8_t piece[64];
    const struct bytes *from = &d->seeds[below(d, d->seed_count)];
    const struct bytes own = {d->input, d->size};
    if (below(d, 2) || !from->size) from = &own;
    size_t begin = below(d, from->size), size = 1 + below(d, sizeof piece);
    if (size > from->size - begin) size = from->size - begin;
    memcpy(piece, from->data + begin, size);
    insert(d, at, piece, size);
}

static void set_number(struct driver *d, size_t at)
{
    static const uint64_t numbers[] = {0,          1,          0xff,     0x7fffffff,
                                       0x80000000, 0xffffffff, 1u << 16, UINT64_MAX};
    const uint64_t number = numbers[below(d, sizeof numbers / sizeof *numbers)];
    size_t size = (size_t)1 << below(d, 4);
    if (size > d->size - at) size = d->size - at;
    memcpy(d->input + at, &number, size);
}

static void remove_piece(struct driver *d, size_t at)
{
    size_t size = 1 + below(d, below(d, 4) ? 8 : d->size);
    if (size > d->size - at) size = d->size - at;
    memmove(d->input + at, d->input + at + size, d->size - at - size);
    d->size -= size;
}

static void mutate(struct driver *d)
{
    static const uint8_t marks[] = "\0\n \"\\'{}[](),:;=#%-+.*/0f\x80\xff";
    const size_t at = d->size ? below(d, d->size) : 0, word = below(d, WORDS);
    const size_t kind = d->size ? below(d, 10) : 6;
    if (kind == 0) d->input[at] ^= (uint8_t)(1u << below(d, 8));
    if (kind == 1) d->input[at] = (uint8_t)hone_rng_next(&d->rng);
    if (kind == 2) d->input[at] = marks[below(d, sizeof marks - 1)];
    if (kind == 3) set_number(d, at);
    if (kind == 4) remove_piece(d, at);
    if (kind == 5) insert(d, at, &marks[below(d, sizeof marks - 1)], 1);
    if (kind == 6) insert_number(d, at);
    if (kind == 7 && d->size) insert_piece(d, at);
    if (kind >= 8 && d->word_count)
        insert(d, at, d->words[word % d->word_count],
               d->word_sizes[word % d->word_count]);
}

static void run_mutations(struct driver *d)
{
    for (uint64_t i = 0; i < d->runs; i++) {
        const struct bytes *seed = &d->seeds[below(d, d->seed_count)];
        d->size = seed->size < d->max_len ? seed->size : d->max_len;
        memcpy(d->input, seed->data, d->size);
        for (size_t n = 1 + below(d, below(d, 4) ? 3 : 12); n > 0; n--)
            mutate(d);
        run(d->input, d->size);
    }
}

/* --- the program --- */

static bool option(const char *word, const char *name, uint64_t *value)
{
    const size_t len = strlen(name);
    if (strncmp(word, name, len) != 0) return false;
    *value = strtoull(word + len, NULL, 10);
    return true;
}

static void read_words(struct driver *d, int argc, char **argv)
{
    uint64_t seed = 1, max_len = 4096;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-dict=", 6) == 0)
            add_words(d, argv[i] + 6);
        else if (!option(argv[i], "-runs=", &d->runs) &&
                 !option(argv[i], "-seed=", &seed) &&
                 !option(argv[i], "-max_len=", &max_len))
            add_seeds(d, argv[i]);
    }
    hone_rng_seed(&d->rng, seed);
    d->max_len = (size_t)max_len;
    d->input = malloc(d->max_len);
    FUZZ_CHECK(d->input != NULL && d->seed_count);
}

int main(int argc, char **argv)
{
    static struct driver d = {.runs = 1000};
    snprintf(found_path, sizeof found_path, "%s.found", hone_path_base(argv[0]));
    signal(SIGABRT, keep_input);
    signal(SIGALRM, keep_input);
#ifndef __SANITIZE_ADDRESS__ // which reports these itself
    signal(SIGSEGV, keep_input);
    signal(SIGFPE, keep_input);
#endif
    read_words(&d, argc, argv);
    for (size_t i = 0; i < d.seed_count; i++)
        run(d.seeds[i].data, d.seeds[i].size);
    run_mutations(&d);
    printf("%zu seeds and %llu mutations\n", d.seed_count, (unsigned long long)d.runs);
    for (size_t i = 0; i < d.seed_count; i++)
        free(d.seeds[i].data);
    free(d.input);
    return 0;
}
