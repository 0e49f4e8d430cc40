// PTX of all origins: each entry of each file in tests/ptx/corpus, and in the folder that
// HONE_PTX_CORPUS names, must be taken, or refused with a reason.
#include "emu_kernel.h"

#include <ctype.h>
#include <dirent.h>

struct tally {
    size_t files, taken, unsupported, malformed;
};

// The name behind the next ".entry" of text, and where to go on; NULL when there is none.
static const char *next_entry(const char *text, char *name, size_t size)
{
    const char *at = strstr(text, ".entry");
    size_t n = 0;
    if (!at) return NULL;
    at += strlen(".entry");
    while (isspace((unsigned char)*at))
        at++;
    for (; at[n] && !isspace((unsigned char)at[n]) && !strchr("({;", at[n]); n++)
        if (n + 1 < size) name[n] = at[n];
    name[n + 1 < size ? n : size - 1] = '\0';
    return at + n;
}

static void load_entry(struct emu *emu, const char *file, const char *text,
                       const char *entry, struct tally *tally)
{
    const struct hone_build build = {.ptx = text, .ptx_size = strlen(text)};
    emu->err = (struct hone_error){0};
    emu->fault = (struct hone_fault){0};
    enum hone_status status = emu->dev->fns->load(emu->dev, &build, entry, &emu->module,
                                                  &emu->fault, &emu->err);
    const char *reason = status == HONE_OK ? emu->fault.reason : emu->err.text;
    bool taken = status == HONE_OK && emu->fault.outcome == HONE_VALID;
    assert_true(taken == (emu->module != NULL));
    assert_true(taken || reason[0]);
    tally->taken += taken;
    tally->unsupported += !taken && emu->fault.outcome == HONE_UNSUPPORTED;
    tally->malformed += !taken && emu->fault.outcome != HONE_UNSUPPORTED;
    // print_message would cut what follows a long name
    printf("%s, %s: %s\n", file, entry, taken ? "ok" : reason);
    emu->dev->fns->unload(emu->dev, emu->module);
    emu->module = NULL;
}

static void load_file(struct emu *emu, const char *path, struct tally *tally)
{
    char *text = NULL, entry[8192];
    struct hone_error err = {0};
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    for (const char *at = text; (at = next_entry(at, entry, sizeof entry));)
        load_entry(emu, path, text, entry, tally);
    tally->files++;
    free(text);
}

static struct tally load_folder(const char *folder)
{
    struct tally tally = {0};
    struct emu emu;
    char path[1024];
    DIR *listing = opendir(folder);
    if (!listing) fail_msg("no folder %s", folder);
    emu_open(&emu);
    for (const struct dirent *entry; (entry = readdir(listing));) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".ptx") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        load_file(&emu, path, &tally);
    }
    emu_close(&emu);
    closedir(listing);
    print_message("%zu files: %zu entries taken, %zu unsupported, %zu malformed\n",
                  tally.files, tally.taken, tally.unsupported, tally.malformed);
    return tally;
}

static void our_corpus_is_taken(void **state)
{
    (void)state;
    struct tally tally = load_folder(HONE_SOURCE_DIR "/tests/ptx/corpus");
    assert_true(tally.files >= 4 && tally.taken >= tally.files);
    assert_int_equal(tally.unsupported + tally.malformed, 1); // the one that calls itself
}

static void every_file_of_a_folder_has_an_outcome(void **state)
{
    const char *folder = getenv("HONE_PTX_CORPUS");
    (void)state;
    if (!folder) SKIP("HONE_PTX_CORPUS names no folder");
    assert_true(load_folder(folder).files > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(our_corpus_is_taken),
    cmocka_unit_test(every_file_of_a_folder_has_an_outcome),
};

HONE_TEST_MAIN(tests)
