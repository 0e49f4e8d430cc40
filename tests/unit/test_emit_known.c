/* What is known when a header is printed leaves no trace in it of what it rules out. */
#include "emit_fixture.h"

/* Emits a journal of X, M and T = f16; NULL: it is refused. */
static char *emit_as(enum hone_emit_shape shape, const char *derived, const char *grid,
                     const char *where)
{
    struct hone_strbuf journal = HONE_STRBUF_INIT, out = HONE_STRBUF_INIT;
    const struct hone_emit_options options = {.max_configs = 1, .shape = shape};
    struct hone_error err = {0};
    hone_strbuf_printf(
        &journal,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
        "\"values\":[1,2]}],\"problem\":{\"M\":1,\"T\":\"f16\"},\"derived\":[%s],"
        "\"device\":{\"name\":\"A\",\"limits\":{\"arch\":\"sm_80\",\"cc_major\":8,"
        "\"sm_count\":108,\"max_shared_bytes\":166912}},\"launch\":{\"grid\":[\"%s\"],"
        "\"block\":[\"64\"]},\"where\":[%s]}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n",
        derived, grid, where);
    struct hone_recording *recording = recording_of(journal.data);
    const struct hone_recording *const list[] = {recording};
    const enum hone_status status = hone_emit(&out, list, 1, &options, &err);
    hone_recording_free(recording);
    hone_strbuf_fini(&journal);
    if (status == HONE_OK) return hone_strbuf_steal(&out);
    if (!strstr(err.text, "no C form")) fail_msg("%s", err.text);
    hone_strbuf_fini(&out);
    return NULL;
}

static char *emit(const char *derived, const char *grid, const char *where)
{
    return emit_as(HONE_SHAPE_TABLE, derived, grid, where);
}

#define VALUE(name, text) "{\"name\":\"" name "\",\"text\":\"" text "\"}"

static const struct {
    const char *derived, *grid, *where;
    const char *has, *lacks; /* NULL: nothing */
} ruled_out[] = {
    // a value without a C form, near and behind another
    {VALUE("Z", "T == 'f16' and M + 1 or LOG_M") "," VALUE("LOG_M", "log2(M)"), "Z", "",
     "const long long Z = ", "LOG_M"},
    {VALUE("Z", "T == 'f16' and M + 1 or LOG_M + 1") "," VALUE(
         "LOG_M", "log2(TILES)") "," VALUE("TILES", "ceil_div(M, X)"),
     "Z", "", "const long long Z", "TILES"},
    // a limit of the device: of a launch, and of a constraint that always holds
    {"", "(T == 'f32' and device.sm_count or 3) * M", "", "grid", "device_sm_count"},
    {"", "M", "\"1 < 2 or M < device.l2_bytes\"", "0 is unknown. */",
     "read it: l2_bytes"},
    {"", "M", "\"M < device.l2_bytes\"", "read it: l2_bytes", NULL},
    // what the configurations of the table settle, X is 1, for any GPU and size
    {"", "M", "\"X < 2 or device.cc_major >= 9\"", "0 is unknown. */", "cc_major >= 9"},
    {"", "M", "\"X < 2 or M < 5 or T == 'x'\"", "0 is unknown. */", "M < 5"},
    {"", "M", "\"X > 1 or device.cc_major >= 9\"", "gpu->cc_major < 9", NULL},
    // or what another constraint asks already
    {"", "M", "\"device.cc_major >= 9\", \"X > 1 or device.cc_major >= 9\"",
     "    if (gpu->cc_major < 9) return 0;\n", "config->X"},
    {"", "M", "\"device.cc_major >= 9\", \"X > 1 or device.cc_major >= 10\"",
     "config->X <= 1 && gpu->cc_major < 10", NULL},
    {VALUE("Z", "M // (M - 5)"), "M", "\"X < 2 or Z < 5\"", "Z >= 5", NULL},
    // one without a C form reads nothing
    {"", "M", "\"log2(M) < device.l2_bytes\"", "0 is unknown. */", "read it: l2_bytes"},
    // a derived value of a constraint that always holds
    {VALUE("TILES", "ceil_div(M, X)"), "M", "\"T == 'f16' or TILES < 5\"", "defined(M)",
     "TILES"},
    {VALUE("TILES", "ceil_div(M, X)"), "M", "\"T == 'f32' or TILES < 5\"",
     "defined(TILES)", NULL},
    // texts and booleans are known through derived values
    {VALUE("B", "T == 'f16'"), "B and M or X", "", "grid[0] = (unsigned)M", "int B"},
    {VALUE("S", "T") "," VALUE("B", "S == 'f16'"), "B and M or X", "",
     "grid[0] = (unsigned)M", "int B"},
    {VALUE("B", "X == 1"), "B and M or X", "", "const int B = config->X == 1;", NULL},
    // what may have no value leaves the other without one
    {VALUE("Z", "T == 'f16' and M + 1 or W") "," VALUE("W", "M // (M - 5)"), "Z", "",
     "known_W", NULL},
    {VALUE("Z", "T == 'f16' and 7 or W") "," VALUE("W", "M // (M - 5)"), "Z", "",
     "known_W", NULL},
    // and no compiler says that it is not used
    {VALUE("Z", "T == 'f16' and 7 or W") "," VALUE("W", "M // (M - 5)"), "Z", "",
     "    (void)W;\n", "(void)Z"},
    {VALUE("W", "M // (M - 5)"), "T == 'f16' and M + 1 or W", "", "    (void)W;\n", NULL},
    {VALUE("W", "M // (M - 5)"), "T == 'f16' and W or M", "", "known_W", "(void)W"},
};

static void what_is_ruled_out_asks_for_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ruled_out / sizeof *ruled_out; i++) {
        char *text = emit(ruled_out[i].derived, ruled_out[i].grid, ruled_out[i].where);
        if (!text) fail_msg("case %zu is refused", i);
        if (!strstr(text, ruled_out[i].has))
            fail_msg("case %zu: no '%s' in %s", i, ruled_out[i].has, text);
        if (ruled_out[i].lacks && strstr(text, ruled_out[i].lacks))
            fail_msg("case %zu: '%s' in %s", i, ruled_out[i].lacks, text);
        free(text);
    }
}

/* Whether a logarithm of what may fail has a value, C cannot tell. */
static void what_may_fail_is_refused_without_a_c_form(void **state)
{
    (void)state;
    char *text =
        emit(VALUE("Z", "T == 'f16' and M + 1 or W") "," VALUE("W", "log2(M // (M - 5))"),
             "Z", "");
    assert_null(text);
    text =
        emit(VALUE("Z", "T == 'f32' and M + 1 or W") "," VALUE("W", "log2(M)"), "Z", "");
    assert_null(text);
}

/* Macros ask nothing, so that they name what the table asks, and nothing else. */
static void macros_name_what_must_hold(void **state)
{
    (void)state;
#define MUST " * What must hold, and nothing checks: "
    static const struct {
        const char *where, *has;
    } cases[] = {
        {"\"M % X == 0\", \"X < 2 or M < 9\"", MUST "M % X == 0.\n"},
        {"\"M % 4 == 0 or X == 2\", \"device.cc_major >= 8\"",
         MUST "M % 4 == 0 or X == 2; device.cc_major >= 8.\n"},
        {"\"log2(M) < 5\"", MUST "log2(M) < 5.\n"}, // has no C form
        {"[\"M\",\"X\"]", MUST "a Lua function of M, X.\n"},
        {"\"X < 2 or M < 9\"", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = emit_as(HONE_SHAPE_MACROS, "", "M", cases[i].where);
        if (!text) fail_msg("case %zu is refused", i);
        if (cases[i].has ? !strstr(text, cases[i].has) : !!strstr(text, "must hold"))
            fail_msg("case %zu: %s", i, text);
        assert_non_null(strstr(text, " Used on every GPU and size without checking."));
        free(text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_ruled_out_asks_for_nothing),
    cmocka_unit_test(what_may_fail_is_refused_without_a_c_form),
    cmocka_unit_test(macros_name_what_must_hold),
};

HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
