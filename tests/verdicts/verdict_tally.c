#include "verdict_tally.h"

#include <string.h>

#include "hone_test.h"

const char *verdict_exception_find(const struct verdict_exception *list,
                                   const char *kernel)
{
    for (; list->kernel; list++)
        if (strcmp(list->kernel, kernel) == 0) return list->reason;
    return NULL;
}

size_t verdict_exception_count(const struct verdict_exception *list)
{
    size_t count = 0;
    while (list[count].kernel)
        count++;
    return count;
}

static void count_planted(struct verdict_tally *tally,
                          const struct verdict_kernel *kernel,
                          const struct verdict_exceptions *exceptions)
{
    size_t i = 0;
    while (i < tally->class_count && strcmp(tally->classes[i].name, kernel->class) != 0)
        i++;
    assert_true(i < VERDICT_CLASSES);
    if (i == tally->class_count) {
        memcpy(tally->classes[i].name, kernel->class, sizeof kernel->class);
        tally->class_count++;
    }
    struct verdict_count *const counts[] = {&tally->all, &tally->classes[i].count};
    for (int k = 0; k < 2; k++) {
        counts[k]->planted++;
        counts[k]->not_yet +=
            verdict_exception_find(exceptions->not_yet, kernel->name) != NULL;
        counts[k]->missed +=
            verdict_exception_find(exceptions->known_misses, kernel->name) != NULL;
    }
}

void verdict_tally_add(struct verdict_tally *tally, const char *name,
                       const struct verdict_exceptions *exceptions)
{
    struct verdict_file *file = verdict_file_read(name);
    const bool planted = strncmp(name, "planted/", 8) == 0;
    const bool hopper = strncmp(file->on, "emu:h", 5) == 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct verdict_kernel *kernel = &file->kernels[i];
        if (!kernel->launch_count) continue;
        *(planted ? &tally->hopper_planted : &tally->hopper_correct) += hopper;
        if (strcmp(kernel->reference, "none") != 0)
            verdict_file_find(file, kernel->reference);
        if (planted != (kernel->expect_count > 0) || planted != (kernel->class[0] != 0))
            fail_msg("%s: %s is neither correct nor planted", name, kernel->name);
        if (planted) {
            count_planted(tally, kernel, exceptions);
        } else {
            tally->correct++;
            tally->correct_not_yet +=
                verdict_exception_find(exceptions->not_yet, kernel->name) != NULL;
        }
    }
    verdict_file_free(file);
}

static void print_count(const char *name, const struct verdict_count *count)
{
    printf("%-70s %8zu %6zu\n", name, count->planted,
           count->planted - count->not_yet - count->missed);
}

void verdict_tally_print(const struct verdict_tally *tally)
{
    printf("%-70s %8s %6s\n", "class", "planted", "found");
    for (size_t i = 0; i < tally->class_count; i++)
        print_count(tally->classes[i].name, &tally->classes[i].count);
    print_count("all", &tally->all);
    printf("correct kernels: %zu, %zu without a finding\n", tally->correct,
           tally->correct - tally->correct_not_yet);
}

static size_t missing_row(const char *page, const char *name,
                          const struct verdict_count *count)
{
    char row[160];
    snprintf(row, sizeof row, "\n| %s | %zu | %zu |\n", name, count->planted,
             count->planted - count->not_yet - count->missed);
    if (strstr(page, row)) return 0;
    fprintf(stderr, "docs/verification.md lacks the row%s", row);
    return 1;
}

size_t verdict_tally_missing_rows(const struct verdict_tally *tally, const char *page)
{
    size_t missing = missing_row(page, "all", &tally->all);
    for (size_t i = 0; i < tally->class_count; i++)
        missing += missing_row(page, tally->classes[i].name, &tally->classes[i].count);
    return missing;
}
