// What is found in a kernel, from outside: in text, JSON and SARIF; and waivers, which let
// it pass with a reason that every result carries.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "hone/finding.h"
#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define ON " --device emu:a100 --quiet --all "

// Runs "hone ARGS" beside notes.lua, whose last line is preceded by a line of Lua.
static void run_notes(const char *lua, const char *args, int code)
{
    char line[1024];
    snprintf(line, sizeof line,
             "mkdir -p sub && cp $SOURCE/tests/cli/scripts/notes*.cu sub && "
             "sed 's|^}$|%s\\n}|' $SOURCE/tests/cli/scripts/notes.lua > sub/notes.lua; ",
             lua);
    program_run_with(line, args);
    if (program.code != code)
        fail_msg("hone %s\n  ended with %d, not %d\n%s%s", args, program.code, code,
                 program.out, program.err);
}

#define RACE_WAIVED                                                                      \
    "waive = { { finding = \"race\", buffer = \"y\", reason = \"never\" }, "             \
    "{ finding = \"race\", at = \"notes.cu:16\", reason = \"any *\\/ thread\" } }"

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (!root) fail_msg("%s in: %.2000s", error.text, text);
    return root;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) fail_msg("no text '%s'", key);
    return text;
}

static json_int_t number_at(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    if (!json_is_integer(number)) fail_msg("no number '%s'", key);
    return json_integer_value(number);
}

// ---- findings ----

static void json_names_finding_place_and_buffer(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes("", "check sub/notes.lua --json" ON, 1);
    json_t *root = parse(program.out), *failures = json_object_get(root, "not_valid");
    assert_int_equal(json_array_size(failures), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *failure = json_array_get(failures, i);
        assert_string_equal(text_at(failure, "finding"), "race");
        assert_string_equal(text_at(failure, "file"), "notes.cu");
        assert_int_equal(number_at(failure, "line"), 16);
        assert_string_equal(text_at(failure, "buffer"), "notes");
        assert_non_null(strstr(text_at(failure, "reason"), "data race on global memory"));
    }
    assert_null(json_object_get(root, "waive"));
    json_decref(root);
}

// The text of out with every run of spaces and ends of lines as one space.
static const char *unwrapped(void)
{
    static char text[8192];
    size_t length = 0;
    for (const char *p = program.out; *p && length + 1 < sizeof text; p++) {
        const bool space = *p == ' ' || *p == '\n';
        if (!space || !length || text[length - 1] != ' ')
            text[length++] = space ? ' ' : *p;
    }
    text[length] = '\0';
    return text;
}

// Two configurations fail alike: the first of them has its place with all its numbers.
static void alike_failures_keep_the_places_of_the_first(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes("", "check sub/notes.lua --json" ON, 1);
    json_t *root = parse(program.out);
    const json_t *cause = json_array_get(json_object_get(root, "causes"), 0);
    const char *reason = text_at(cause, "reason");
    assert_int_equal(number_at(cause, "count"), 2);
    assert_non_null(strchr(text_at(cause, "cause"), '#'));
    assert_null(strchr(reason, '#'));
    assert_non_null(strstr(reason, "(notes.cu:16, PTX line "));
    assert_non_null(json_object_get(cause, "example"));
    run_notes("", "check sub/notes.lua" ON, 1);
    const char *first = strchr(program.out, '#'); // a section, no masked number
    assert_true(first && strncmp(first, "#race\n", 6) == 0 && !strchr(first + 1, '#'));
    assert_non_null(strstr(unwrapped(), reason));
    assert_non_null(strstr(program.out, "\n      first: BLOCK="));
    for (const char *line = program.out; line; line = strchr(line + 1, '\n'))
        assert_true(strcspn(line + 1, "\n") <= 100);
    json_decref(root);
}

// ---- waivers ----

static void a_waived_race_is_in_every_result(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes(RACE_WAIVED, "check sub/notes.lua" ON, 0);
    assert_non_null(strstr(program.out, "4 valid"));
    assert_non_null(strstr(program.out,
                           "waived: race at notes.cu:16 in 2 configurations: "
                           "any */ thread\n"));
    assert_non_null(strstr(program.out, "waiver 1 (race in buffer y) was not needed\n"));
    run_notes(RACE_WAIVED, "check sub/notes.lua --json" ON, 0);
    json_t *root = parse(program.out);
    const json_t *list = json_object_get(root, "waive"), *used = json_array_get(list, 1);
    assert_int_equal(number_at(json_array_get(list, 0), "configurations"), 0);
    assert_string_equal(text_at(json_array_get(list, 0), "buffer"), "y");
    assert_int_equal(number_at(used, "configurations"), 2);
    assert_string_equal(text_at(used, "finding"), "race");
    assert_string_equal(text_at(used, "file"), "notes.cu");
    assert_int_equal(number_at(used, "line"), 16);
    assert_string_equal(text_at(used, "reason"), "any */ thread");
    json_decref(root);
}

static void a_waived_race_is_in_journal_and_header(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes(RACE_WAIVED,
              "tune sub/notes.lua --device emu:a100 --set NOTES=1 --journal raced.jsonl "
              "-o raced.h --accept-predicted --quiet",
              0);
    assert_non_null(strstr(program.out,
                           "waived: race at notes.cu:16 in 2 configurations: "
                           "any */ thread\n"));
    assert_null(strstr(program.out, "not needed")); // a search is no check of all
    char *journal = program_file("raced.jsonl"), *header = program_file("raced.h");
    assert_non_null(strstr(journal, "{\"finding\":\"race\",\"at\":\"notes.cu:16\","
                                    "\"reason\":\"any */ thread\"}"));
    assert_non_null(strstr(journal, "\"waived\":[{\"waiver\":2,\"count\":"));
    assert_non_null(strstr(header, " *   waived: race at notes.cu:16: any "));
    assert_null(strstr(header, "any */ thread")); // it would end the comment
    assert_null(strstr(header, "never"));
    free(journal);
    free(header);
    program_run("emit raced.jsonl --accept-predicted");
    assert_non_null(strstr(program.out, "waived: race at notes.cu:16: any "));
}

static void a_row_whose_configuration_needs_no_waiver_tells_of_none(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes(RACE_WAIVED,
              "tune sub/notes.lua --device emu:a100 --set NOTES=0 --journal calm.jsonl "
              "-o calm.h --accept-predicted --quiet",
              0);
    char *journal = program_file("calm.jsonl"), *header = program_file("calm.h");
    assert_null(strstr(program.out, "waived"));
    assert_null(strstr(header, "waived"));
    assert_null(strstr(journal, "\"waived\""));
    assert_non_null(strstr(journal, "\"waive\":["));
    free(journal);
    free(header);
}

// Other waivers make other configurations valid: their trials do not mix.
static void a_journal_is_not_resumed_with_other_waivers(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes("", "tune sub/notes.lua --device emu:a100 --journal mixed.jsonl --quiet",
              0);
    run_notes(
        RACE_WAIVED,
        "tune sub/notes.lua --device emu:a100 --journal mixed.jsonl --resume --quiet", 2);
    assert_non_null(strstr(program.err, "space_hash"));
}

// Without a reference the kernel's own launches are looked at, and waived alike.
static void a_kernel_without_a_reference_has_waivers_too(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes(RACE_WAIVED ", reference = nil", "check sub/notes.lua" ON, 0);
    assert_non_null(strstr(program.out, "values were not judged"));
    assert_non_null(
        strstr(program.out, "waived: race at notes.cu:16 in 2 configurations"));
}

static void a_waiver_of_another_place_does_not_help(void **state)
{
    static const char *const others[] = {
        "waive = { { finding = \"race\", at = \"notes.cu:15\", reason = \"r\" } }",
        "waive = { { finding = \"race\", buffer = \"y\", reason = \"r\" } }",
        "waive = { { finding = \"unwritten\", at = \"notes.cu:16\", reason = \"r\" } }"};
    (void)state;
    need_nvrtc();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        run_notes(others[i], "check sub/notes.lua" ON, 1);
        assert_non_null(strstr(program.out, "2 wrong_result"));
        assert_non_null(strstr(program.out, "waiver 1 ("));
        assert_non_null(strstr(
            program.out, i < 2 ? ") fits none of 2 configurations with that finding, "
                                 "found at notes.cu:16 in buffer notes\n"
                               : ") was not needed\n"));
    }
}

static void what_cannot_be_waived_is_refused_with_its_line(void **state)
{
    (void)state;
    run_notes("waive = { { finding = \"deadlock\", at = \"k.cu:1\", reason = \"r\" } }",
              "check sub/notes.lua" ON, 2);
    assert_non_null(
        strstr(program.err, "sub/notes.lua:17: finding 'deadlock' of kernel"));
    run_notes("waive = { { finding = \"race\", at = \"k.cu:1\" } }",
              "check sub/notes.lua" ON, 2);
    assert_non_null(
        strstr(program.err, "sub/notes.lua:17: waiver 1 of hone.kernel needs"));
}

// ---- SARIF ----

// The run of a log, which has what SARIF 2.1.0 requires of logs, tools and rules.
static json_t *check_log(const json_t *root)
{
    assert_string_equal(text_at(root, "version"), "2.1.0");
    assert_non_null(strstr(text_at(root, "$schema"), "sarif-2.1.0"));
    json_t *runs = json_object_get(root, "runs");
    assert_int_equal(json_array_size(runs), 1);
    json_t *run = json_array_get(runs, 0);
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    assert_string_equal(text_at(driver, "name"), "hone");
    const json_t *rules = json_object_get(driver, "rules");
    assert_true(json_array_size(rules) >= HONE_FINDING_COUNT - 1);
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i);
        assert_non_null(text_at(json_object_get(rule, "shortDescription"), "text"));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(text_at(rule, "id"),
                                    text_at(json_array_get(rules, k), "id"));
    }
    return run;
}

// Result i, whose rule is at the index that it gives.
static json_t *check_result(const json_t *run, size_t i, const char *level,
                            const char *rule, const char *uri, json_int_t line)
{
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    json_t *result = json_array_get(json_object_get(run, "results"), i);
    assert_string_equal(text_at(result, "ruleId"), rule);
    const json_t *named = json_array_get(json_object_get(driver, "rules"),
                                         (size_t)number_at(result, "ruleIndex"));
    assert_string_equal(text_at(named, "id"), rule);
    assert_string_equal(text_at(result, "level"), level);
    assert_non_null(text_at(json_object_get(result, "message"), "text"));
    const json_t *place = json_object_get(
        json_array_get(json_object_get(result, "locations"), 0), "physicalLocation");
    assert_string_equal(text_at(json_object_get(place, "artifactLocation"), "uri"), uri);
    assert_int_equal(number_at(json_object_get(place, "region"), "startLine"), line);
    assert_int_equal(
        strlen(text_at(json_object_get(result, "partialFingerprints"), "honeFinding/v1")),
        32);
    return result;
}

static void sarif_has_a_result_for_each_place(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes("", "check sub/notes.lua --sarif found.sarif" ON, 1);
    assert_non_null(strstr(program.out, "2 wrong_result"));
    char *text = program_file("found.sarif");
    json_t *root = parse(text), *run = check_log(root);
    assert_int_equal(json_array_size(json_object_get(run, "results")), 1);
    json_t *result = check_result(run, 0, "error", "race", "sub/notes.cu", 16);
    assert_int_equal(number_at(result, "occurrenceCount"), 2);
    assert_null(json_object_get(result, "suppressions"));
    assert_null(json_object_get(result, "relatedLocations")); // both are at that line
    json_decref(root);
    free(text);
}

static void sarif_has_the_other_access_of_a_race(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("mkdir -p sub && cp $SOURCE/tests/cli/scripts/notes*.cu sub && "
                     "cp $SOURCE/tests/cli/scripts/notes.lua sub && "
                     "sed -i '16s/.*/if (NOTES \\&\\& i == 1) notes[0] = i;\\n"
                     "if (NOTES \\&\\& i == 0) y[0] = notes[0];/' sub/notes.cu; ",
                     "check sub/notes.lua --sarif found.sarif" ON);
    char *text = program_file("found.sarif");
    json_t *root = parse(text), *run = check_log(root);
    json_t *result = json_array_get(json_object_get(run, "results"), 0);
    const json_t *own = json_array_get(json_object_get(result, "locations"), 0);
    const json_t *other = json_array_get(json_object_get(result, "relatedLocations"), 0);
    const json_t *places[] = {json_object_get(own, "physicalLocation"),
                              json_object_get(other, "physicalLocation")};
    json_int_t sum = 0;
    for (size_t i = 0; i < 2; i++) {
        const json_t *file = json_object_get(places[i], "artifactLocation");
        assert_string_equal(text_at(file, "uri"), "sub/notes.cu");
        sum += number_at(json_object_get(places[i], "region"), "startLine");
    }
    assert_int_equal(sum, 16 + 17);
    assert_non_null(text_at(json_object_get(other, "message"), "text"));
    json_decref(root);
    free(text);
}

// A header of a folder that is included is none of the template's files.
static void sarif_places_what_a_header_does_where_it_is_called(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with(
        "mkdir -p sub/inc && cp $SOURCE/tests/cli/scripts/notes*.cu sub && "
        "sed 's|^}$|include = { \"inc\" },\\n}|' $SOURCE/tests/cli/scripts/notes.lua "
        "> sub/notes.lua; "
        "sed -i '16s/.*/    if (NOTES) put(notes, i);/; 1i #include <put.h>' "
        "sub/notes.cu; "
        "echo 'static __device__ void put(unsigned *to, int i) { *to = i; }' "
        "> sub/inc/put.h; ",
        "check sub/notes.lua --sarif found.sarif" ON);
    char *text = program_file("found.sarif");
    json_t *root = parse(text), *run = check_log(root);
    json_t *result = check_result(run, 0, "error", "race", "sub/notes.cu", 17);
    assert_non_null(
        strstr(text_at(json_object_get(result, "message"), "text"), "put.h:1"));
    json_decref(root);
    free(text);
}

static void sarif_tells_two_calls_of_one_line_of_a_header_apart(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with(
        "mkdir -p sub/inc && cp $SOURCE/tests/cli/scripts/notes*.cu sub && "
        "sed 's|^}$|include = { \"inc\" },\\n}|' $SOURCE/tests/cli/scripts/notes.lua "
        "> sub/notes.lua; "
        "sed -i '14a if (NOTES && i == 0) put(notes, i);\n"
        "16s/.*/if (NOTES \\&\\& i == 33) put(notes, i);/\n1i #include <put.h>' "
        "sub/notes.cu; "
        "echo 'static __device__ void put(unsigned *to, int i) { *to = i; }' "
        "> sub/inc/put.h; ",
        "check sub/notes.lua --sarif found.sarif" ON);
    char *text = program_file("found.sarif");
    json_t *root = parse(text), *run = check_log(root);
    json_t *result = check_result(run, 0, "error", "race", "sub/notes.cu", 18);
    const json_t *other =
        json_object_get(json_array_get(json_object_get(result, "relatedLocations"), 0),
                        "physicalLocation");
    assert_int_equal(number_at(json_object_get(other, "region"), "startLine"), 16);
    json_decref(root);
    free(text);
}

static void sarif_says_what_was_waived_and_why(void **state)
{
    (void)state;
    need_nvrtc();
    run_notes(RACE_WAIVED, "check sub/notes.lua --sarif -" ON, 0);
    assert_non_null(strstr(program.err, "4 valid")); // the summary makes room
    json_t *root = parse(program.out), *run = check_log(root);
    assert_int_equal(json_array_size(json_object_get(run, "results")), 1);
    json_t *result = check_result(run, 0, "note", "race", "sub/notes.cu", 16);
    const json_t *one = json_array_get(json_object_get(result, "suppressions"), 0);
    assert_string_equal(text_at(one, "kind"), "inSource");
    assert_string_equal(text_at(one, "justification"), "any */ thread");
    json_decref(root);
}

// What was compared has no line; a build that fails has no finding.
static void sarif_places_what_has_no_line_at_the_kernel(void **state)
{
    (void)state;
    need_nvrtc();
    program_run("check $SOURCE/tests/cli/scripts/scale.lua --sarif all.sarif" ON);
    assert_int_equal(program.code, 1);
    char *text = program_file("all.sarif");
    json_t *root = parse(text), *run = check_log(root);
    const json_t *results = json_object_get(run, "results");
    size_t builds = 0, mismatches = 0, outside = 0;
    for (size_t i = 0; i < json_array_size(results); i++) {
        const char *rule = text_at(json_array_get(results, i), "ruleId");
        builds += strcmp(rule, "build_failed") == 0;
        mismatches += strcmp(rule, "mismatch") == 0;
        outside += strcmp(rule, "out_of_bounds") == 0;
    }
    assert_int_equal(json_array_size(results), 3);
    assert_true(builds == 1 && mismatches == 1 && outside == 1);
    assert_non_null(
        strstr(text, "tests/cli/scripts/scale.cu\"},\"region\":{\"startLine\":11}"));
    // the compiler's words have a line
    assert_non_null(strstr(text, "scale.cu\"},\"region\":{\"startLine\":8}"));
    json_decref(root);
    free(text);
}

static void sarif_keeps_to_one_output(void **state)
{
    (void)state;
    program_run("check k.lua --json --sarif -");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "--json and --sarif - both write"));
    program_run("check k.lua --lint --sarif x.sarif");
    assert_int_equal(program.code, 2);
}

// Each once, in all documents of a script, as on stderr.
static void warnings_are_a_list_of_the_documents(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "check k.lua --device emu:a100 --sample 1 --json --quiet",
        "tune k.lua --device emu:a100 --budget 2 --json --quiet --journal k.jsonl",
        "emit k.jsonl --accept-predicted --json --payload source --script k.lua -o k.h",
        "header k.lua --json -o d.h --quiet", "space k.lua --device emu:a100 --json"};
    static const char warning[] = "template 'k.cu' never uses parameter 'FOO'";
    need_nvrtc();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        program_run_with(
            i ? ""
              : "\"$HONE\" new k > /dev/null; sed -i 's/{ 1, 2, 4, 8, 16 }/&, "
                "FOO = { 1, 2 }/;s/default  = {/& FOO = 1,/' k.lua; ",
            lines[i]);
        json_t *root = parse(program.out);
        const json_t *list = json_object_get(root, "warnings");
        const bool makes_kernel = strncmp(lines[i], "space", 5) != 0;
        assert_true(json_is_array(list));
        size_t found = 0;
        for (size_t k = 0; k < json_array_size(list); k++)
            found += strstr(json_string_value(json_array_get(list, k)), warning) != NULL;
        const char *first = strstr(program.err, warning);
        if (found != makes_kernel || !first == makes_kernel ||
            (first && strstr(first + 1, warning)))
            fail_msg("%s: %zu in the list, and %s", lines[i], found, program.err);
        json_decref(root);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(json_names_finding_place_and_buffer),
    cmocka_unit_test(alike_failures_keep_the_places_of_the_first),
    cmocka_unit_test(warnings_are_a_list_of_the_documents),
    cmocka_unit_test(a_waived_race_is_in_every_result),
    cmocka_unit_test(a_waived_race_is_in_journal_and_header),
    cmocka_unit_test(a_row_whose_configuration_needs_no_waiver_tells_of_none),
    cmocka_unit_test(a_journal_is_not_resumed_with_other_waivers),
    cmocka_unit_test(a_kernel_without_a_reference_has_waivers_too),
    cmocka_unit_test(a_waiver_of_another_place_does_not_help),
    cmocka_unit_test(what_cannot_be_waived_is_refused_with_its_line),
    cmocka_unit_test(sarif_has_a_result_for_each_place),
    cmocka_unit_test(sarif_has_the_other_access_of_a_race),
    cmocka_unit_test(sarif_places_what_a_header_does_where_it_is_called),
    cmocka_unit_test(sarif_tells_two_calls_of_one_line_of_a_header_apart),
    cmocka_unit_test(sarif_says_what_was_waived_and_why),
    cmocka_unit_test(sarif_places_what_has_no_line_at_the_kernel),
    cmocka_unit_test(sarif_keeps_to_one_output),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
