// A name of the script that stands in its template with other letters, and words that are
// near and mean something else; and the axes of the grid that a template reads.
#include <string.h>

#include "hone_test.h"
#include "render/template.h"

// The names of the script besides the one that is looked for.
static const char *const others[] = {"BLOCK_M", "WARPS", "N"};

struct row {
    const char *text, *name;
    bool only_macros;
    const char *nearest; // "" none
};

static void try_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char nearest[HONE_WORD_MAX + 1], text[256];
        struct hone_template template = {.text = text};
        snprintf(text, sizeof text, "#line 1 \"k.cu\"\n%s", rows[i].text);
        const bool found =
            hone_template_nearest(nearest, &template, rows[i].name, others,
                                  sizeof others / sizeof *others, rows[i].only_macros);
        if (strcmp(nearest, rows[i].nearest) != 0 || found != (nearest[0] != '\0'))
            fail_msg("%s in %s: '%s', not '%s'", rows[i].name, rows[i].text, nearest,
                     rows[i].nearest);
    }
}

#define GUARDED(name) "#ifndef " name "\n#define " name " 256\n#endif\n"

static void a_macro_of_nearly_the_name_is_found(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {GUARDED("BLOCK_SIZ"), "BLOCK_SIZE", true, "BLOCK_SIZ"},
        {GUARDED("BLOKC"), "BLOCK", true, "BLOKC"},
        {GUARDED("Block"), "BLOCK", true, "Block"},
        {"#define ITEM 4\n", "ITEMS", true, "ITEM"},
        {"#define STAGS\t4\n", "STAGES", true, "STAGS"},
        {GUARDED("TILESIZE") GUARDED("TILE_SZ"), "TILE_SIZE", true, "TILESIZE"},
    };
    try_rows(rows, sizeof rows / sizeof *rows);
}

static void other_words_count_where_macros_are_not_near(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"constexpr int UNROL = 4;", "UNROLL", false, "UNROL"},
        {"constexpr int UNROL = 4;", "UNROLL", true, ""},
        {"int UNRLLL;" GUARDED("UNROL"), "UNROLL", false, "UNROL"},
        {"// UNROL\nconst char *s = \"UNROL\"; /* UNROL */", "UNROLL", false, ""},
    };
    try_rows(rows, sizeof rows / sizeof *rows);
}

static void names_that_mean_something_else_are_none(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {GUARDED("BLOCK_M"), "BLOCK_NM", false, ""}, // another name of the script
        {GUARDED("TILE_N"), "TILE_K", false, ""},    // of one family
        {GUARDED("STAGES1"), "STAGES2", false, ""},
        {"#ifndef BLOCK_SIZE_H\n#define BLOCK_SIZE_H\n", "BLOCK_SIZE", true, ""},
        {"#define BLOCK_SIZE_H // a guard\n", "BLOCK_SIZE", true, ""},
        {GUARDED("BK"), "BX", false, ""}, // too short to tell
        {GUARDED("VECTOR"), "VEC", false, ""},
        {"", "BLOCK", false, ""},
    };
    try_rows(rows, sizeof rows / sizeof *rows);
}

static void words_longer_than_any_name_are_passed_over(void **state)
{
    (void)state;
    char text[256] = "#define ", nearest[HONE_WORD_MAX + 1];
    struct hone_template template = {.text = text};
    memset(text + 8, 'A', 100);
    memcpy(text + 108, " 1\n", 4);
    char name[HONE_WORD_MAX + 1];
    memset(name, 'A', HONE_WORD_MAX);
    name[HONE_WORD_MAX] = '\0';
    assert_false(hone_template_nearest(nearest, &template, name, NULL, 0, false));
}

static void axes_of_the_grid_are_read_or_could_be(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool reads[3], could;
    } rows[] = {
        {"int i = blockIdx.x + blockIdx.z;", {true, false, true}, false},
        {"// blockIdx.x\nconst char *s = \"blockIdx.y\";", {false}, false},
        {"uint3 b = blockIdx; int y = b.y;", {false}, true},
        {"int i = blockIdx.x; asm(\"mov.u32 %0, %ctaid.y;\");", {true}, true},
        {"#include <cooperative_groups.h>\n", {false}, true},
        {"int y = blockDim.y, blockIdxy = 1;", {false}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            char text[256];
            bool could = !rows[i].could;
            struct hone_template template = {.text = text};
            snprintf(text, sizeof text, "%s", rows[i].text);
            assert_int_equal(hone_template_reads_block(&template, axis, &could),
                             rows[i].reads[axis]);
            assert_int_equal(could, rows[i].could);
        }
}

static void blocks_that_are_numbered_otherwise_read_no_axis(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool could[3];
    } rows[] = {
        {"if (t == 0) slot = atomicAdd(&ticket[0], 1u);", {true, true, true}},
        {"int n = f((int)atomicInc(p, 9));", {true, true, true}},
        {"while (atomicCAS(p, 0, 1)) {}", {true, true, true}},
        {"return\natomicSub(p, 1);", {true, true, true}},
        {"n = r.fetch_add(1);", {true, true, true}},
        {"atomicAdd(p, 1);", {false}},
        {"{ atomicAdd(p, 1); } (void)atomicOr(p, 2);", {false}},
        {"if (f(t) < (n)) atomicAdd(p, 1); else atomicMax(p, 1);", {false}},
        {"for (;;) atomicAdd(p, 1);", {false}},
        {"// n = atomicAdd(p, 1);", {false}},
        {"int n = gridDim.y;", {false, true, false}},
        {"dim3 g = gridDim;", {true, true, true}},
        {"return_atomicAdd(p); notif(x) + y; atomic(p);", {false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            char text[256];
            bool could = !rows[i].could[axis];
            struct hone_template template = {.text = text};
            snprintf(text, sizeof text, "%s", rows[i].text);
            assert_false(hone_template_reads_block(&template, axis, &could));
            if (could != rows[i].could[axis]) fail_msg("%zu: %s", axis, text);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_that_are_numbered_otherwise_read_no_axis),
    cmocka_unit_test(a_macro_of_nearly_the_name_is_found),
    cmocka_unit_test(other_words_count_where_macros_are_not_near),
    cmocka_unit_test(names_that_mean_something_else_are_none),
    cmocka_unit_test(axes_of_the_grid_are_read_or_could_be),
    cmocka_unit_test(words_longer_than_any_name_are_passed_over),
};
HONE_TEST_MAIN(tests)
