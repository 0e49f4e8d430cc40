// The seeds of fuzz_launch have each form of the asynchronous units in straight lines, so
// each row of the table for these runs: in every order, checked, without a finding. A new
// row fails here until a seed runs it.
#include "emu_kernel.h"

#include "decode/emu_code.h"
#include "ptx/ptx.h"

enum { THREADS = 128, WORDS = 256, FORMS = 1024 };

static const char *const seeds[] = {"mbarrier", "bulk", "product", "tensor"};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static const struct way {
    bool reversed, scattered;
    enum hone_emu_copy_time copies;
} ways[] = {
    {.copies = HONE_EMU_COPY_EAGER},
    {.copies = HONE_EMU_COPY_LAZY},
    {.copies = HONE_EMU_COPY_RANDOM},
    {.reversed = true, .copies = HONE_EMU_COPY_LAZY},
    {.scattered = true, .copies = HONE_EMU_COPY_EAGER},
};

static char *read_seed(const char *name)
{
    char path[512], *text = NULL;
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/launch/%s", HONE_SOURCE_DIR, name);
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    return text;
}

static void run(const char *name, const char *text, const struct way *way)
{
    static const uint32_t zeros[WORDS];
    const uint32_t n = 7;
    struct emu emu;
    emu_open(&emu);
    hone_emu_set_copy_time(emu.dev, way->copies);
    hone_emu_set_reversed(emu.dev, way->reversed);
    hone_emu_set_scattered(emu.dev, way->scattered);
    if (!emu_load_as(&emu, text, "k", 32)) fail_msg("%s: %s", name, emu.fault.reason);
    const hone_devptr p = emu_buffer(&emu, zeros, sizeof zeros);
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 2, THREADS);
    launch.check = true;
    if (!emu_run(&emu, &launch))
        fail_msg("%s, way %td: %s", name, way - ways, emu.fault.reason);
    emu_close(&emu);
}

static void every_seed_is_right_in_every_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < SEEDS; k++) {
        char *text = read_seed(seeds[k]);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            run(seeds[k], text, &ways[w]);
        free(text);
    }
}

// The forms of a seed's statements, of which a line may have several; a guard and a label
// come before an opcode.
static void note_forms(char *text, bool *seen)
{
    for (char *at = strtok(text, ";\n"); at; at = strtok(NULL, ";\n")) {
        char opcode[128];
        const char *label = strstr(at, ": ");
        struct hone_emu_insn insn = {0};
        if (label) at += label + 1 - at;
        at += strspn(at, " ");
        if (*at == '@') at += strcspn(at, " "), at += strspn(at, " ");
        snprintf(opcode, sizeof opcode, "%.*s", (int)strcspn(at, " "), at);
        const struct ptx_statement statement = {.opcode = opcode};
        if (hone_emu_find_form(&statement, &insn)) seen[insn.form] = true;
    }
}

static bool is_of_units(const char *name)
{
    static const char *const beginnings[] = {
        "mbarrier.",       "cp.async",   "cp.reduce",   "wgmma.",          "st.async",
        "red.async",       "tensormap.", "setmaxnreg.", "barrier.cluster", "fence",
        "griddepcontrol.", "elect.",     "mapa",        "getctarank",
    };
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (strncmp(name, beginnings[k], strlen(beginnings[k])) == 0) return true;
    return false;
}

static void every_row_of_the_asynchronous_units_runs(void **state)
{
    static bool seen[FORMS];
    int missing = 0;
    (void)state;
    assert_true(hone_emu_form_count <= FORMS);
    for (size_t k = 0; k < SEEDS; k++) {
        char *text = read_seed(seeds[k]);
        note_forms(text, seen);
        free(text);
    }
    for (size_t k = 0; k < hone_emu_form_count; k++) {
        if (seen[k] || !is_of_units(hone_emu_forms[k].name)) continue;
        printf("no seed runs row %zu, %s\n", k, hone_emu_forms[k].name);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_seed_is_right_in_every_order),
    cmocka_unit_test(every_row_of_the_asynchronous_units_runs),
};

HONE_TEST_MAIN(tests)
