#include "coverage.h"

#include "record/json_out.h"

static void print_gap(FILE *file, const struct hone_coverage *coverage,
                      const struct hone_coverage_gap *gap)
{
    fprintf(file, "    %s", gap->what);
    if (*gap->problem) fprintf(file, " (%s)", gap->problem);
    if (gap->device_count == coverage->device_count) {
        fprintf(file, ": on no GPU\n");
        return;
    }
    for (size_t i = 0; i < gap->device_count; i++)
        fprintf(file, "%s%s", i ? ", " : ": not on ", gap->devices[i]);
    fprintf(file, "\n");
}

void cli_print_coverage(FILE *file, const struct hone_coverage *coverage)
{
    size_t missed = 0;
    for (size_t i = 0; i < coverage->gap_count; i++)
        missed += coverage->gaps[i].problems;
    fprintf(file, "  coverage: %zu of %zu sizes run on all of %zu GPUs asked%s\n",
            coverage->asked - missed, coverage->asked, coverage->device_count,
            missed ? "; nothing runs for" : "");
    for (size_t i = 0; i < coverage->gap_count; i++)
        print_gap(file, coverage, &coverage->gaps[i]);
}

static struct json_t *texts_json(const char *const *texts, size_t count)
{
    struct json_t *array = hone_json_array();
    for (size_t i = 0; i < count; i++)
        hone_json_append_value(array,
                               (struct hone_value){.type = HONE_STRING, .s = texts[i]});
    return array;
}

struct json_t *cli_coverage_json(const struct hone_coverage *coverage)
{
    struct json_t *root = hone_json_object(), *gaps = hone_json_array();
    hone_json_integer(root, "asked", (int64_t)coverage->asked);
    hone_json_child(root, "devices",
                    texts_json(coverage->devices, coverage->device_count));
    for (size_t i = 0; i < coverage->gap_count; i++) {
        const struct hone_coverage_gap *gap = &coverage->gaps[i];
        struct json_t *object = hone_json_object();
        hone_json_text(object, "what", gap->what);
        hone_json_text(object, "problem", gap->problem);
        hone_json_integer(object, "problems", (int64_t)gap->problems);
        hone_json_child(object, "devices", texts_json(gap->devices, gap->device_count));
        hone_json_append(gaps, object);
    }
    hone_json_child(root, "gaps", gaps);
    return root;
}
