// Any file as a list of problems.
#include <string.h>

#include "fuzz.h"
#include "record/problem_list.h"

static const struct hone_constant names[] = {
    {.name = "M", .value = {.type = HONE_INT, .i = 64}},
    {.name = "alpha", .value = {.type = HONE_FLOAT, .f = 0.5}},
    {.name = "TYPE", .value = {.type = HONE_STRING, .s = "f32"}},
    {.name = "flag", .value = {.type = HONE_BOOL, .b = true}}};
enum { NAMES = sizeof names / sizeof *names };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_problem_list list = {0};
    struct hone_error err = {0};
    const char *path = fuzz_file("problems", data, size);
    if (fuzz_taken(hone_problem_list_read(&list, path, names, NAMES, &err), &err)) {
        FUZZ_CHECK(list.count > 0);
        for (size_t i = 0; i < list.count; i++)
            for (size_t n = 0; n < NAMES; n++)
                FUZZ_CHECK(list.items[i].weight > 0 &&
                           list.items[i].values[n].type == names[n].value.type);
    }
    hone_problem_list_fini(&list);
    return 0;
}
