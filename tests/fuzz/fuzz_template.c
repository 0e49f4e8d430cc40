// Any text as a template; what stands behind a line "@@@" is the file a.cuh beside it. It
// is read whole, twice the same.
#include <string.h>

#include "fuzz.h"
#include "render/template.h"

static const char *const names[] = {"BM", "N", "hone", "x"};
enum { NAMES = sizeof names / sizeof *names };

// Where the second file begins; the end where there is none.
static size_t find_second(const char *text, size_t size, size_t *end_of_first)
{
    static const char mark[] = "@@@\n";
    const char *found = strstr(text, mark);
    *end_of_first = found ? (size_t)(found - text) : size;
    return found ? *end_of_first + sizeof mark - 1 : size;
}

static void look_at(const struct hone_template *template)
{
    struct hone_template_use uses[NAMES];
    FUZZ_CHECK(strncmp(template->text, "#line", 5) == 0);
    FUZZ_CHECK(strlen(template->hash) == HONE_HASH_TEXT - 1);
    hone_template_uses(template, names, NAMES, uses);
    for (size_t i = 0; i < NAMES; i++)
        FUZZ_CHECK(!uses[i].used || strstr(template->text, names[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_template first, second;
    struct hone_error err = {0};
    size_t end = 0;
    char *text = fuzz_text(data, size);
    const size_t begin = find_second(text, size, &end);
    fuzz_file("a.cuh", data + begin, size - begin);
    const char *path = fuzz_file("k.cu", data, end);
    if (fuzz_taken(hone_template_read(&first, path, NULL, &err), &err)) {
        look_at(&first);
        fuzz_must(hone_template_read(&second, path, NULL, &err), &err);
        FUZZ_CHECK(strcmp(first.hash, second.hash) == 0);
        FUZZ_CHECK(strcmp(first.text, second.text) == 0);
        hone_template_fini(&first);
        hone_template_fini(&second);
    }
    free(text);
    return 0;
}
