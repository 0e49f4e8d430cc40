// What a build reads. Each attack is a template that a compiler left to itself would
// follow to a file outside of the declared folders: to one that says "#error STOLEN", by
// its absolute path, by a path upwards, by a link, or beside the process. Hone refuses it
// with file and line, or what the compiler gets says nothing of the file; and nobody
// opens the file, as the kernel's own record of opened files shows.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "hone/build.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "include_cases.h"
#include "render/template.h"

#define KERNEL "\nextern \"C\" __global__ void k(int *p) { *p = 1; }\n"

static char root[400], secret[500];
static struct hone_builder *builder;
static int watch;

static void make_file(const char *name, const char *text, size_t size)
{
    char path[900];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *folder = hone_path_folder(path);
    assert_ok(hone_file_mkdirs(folder, &err), err);
    assert_ok(hone_file_write(path, text, size, &err), err);
    free(folder);
}

static void make_link(const char *target, const char *name)
{
    char path[900];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(symlink(target, path), 0);
}

// templates: where a kernel's files lie; headers: an include folder; outside, here:
// neither, and the latter is the process's own.
static void make_folders(void)
{
    char command[1000], path[900];
    static const char stolen[] = "#error STOLEN\n";
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", root, root);
    assert_int_equal(system(command), 0);
    make_file("outside/secret.cuh", stolen, sizeof stolen - 1);
    make_file("here/secret.cuh", stolen, sizeof stolen - 1);
    make_file("here/x.cuh", stolen, sizeof stolen - 1);
    make_file("here/hone.1/own.h", stolen, sizeof stolen - 1);
    make_file("templates/sub/empty.cuh", "", 0);
    make_file("headers/sub/plain.h", "#define PLAIN 7\n", 16);
    make_link("../outside/secret.cuh", "templates/link.cuh");
    make_link(secret, "templates/far.cuh");
    make_link("../outside", "templates/folder");
    make_link("../outside/secret.cuh", "headers/link.h");
    snprintf(path, sizeof path, "%s/templates/pipe.cuh", root);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/here", root);
    assert_int_equal(chdir(path), 0);
}

static void watch_secrets(void)
{
    static const char *const names[] = {"outside/secret.cuh", "here/secret.cuh",
                                        "here/x.cuh", "here/hone.1/own.h"};
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    assert_true(watch >= 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[900];
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_true(inotify_add_watch(watch, path, IN_OPEN | IN_ACCESS) >= 0);
    }
}

static bool was_opened(void)
{
    char events[4096];
    return read(watch, events, sizeof events) > 0;
}

static int set_up(void **state)
{
    (void)state;
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    snprintf(root, sizeof root, "%s/scratch/includes-%ld", HONE_BINARY_DIR,
             (long)getpid());
    snprintf(secret, sizeof secret, "%s/outside/secret.cuh", root);
    make_folders();
    watch_secrets();
    hone_builder_new(&builder, &options, NULL); // skipped where there is none
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hone_builder_free(builder);
    builder = NULL;
    char command[500];
    close(watch);
    snprintf(command, sizeof command, "cd / && rm -rf '%s'", root);
    return chdir("/") || system(command);
}

static enum hone_status read_main(struct hone_template *out, const char *name,
                                  struct hone_error *err)
{
    char path[900], templates[900], headers[900];
    snprintf(templates, sizeof templates, "%s/templates", root);
    snprintf(headers, sizeof headers, "%s/headers", root);
    snprintf(path, sizeof path, "%s/templates/%s", root, name);
    const char *const folders[] = {templates};
    const struct hone_include_folder includes[] = {
        {.name = "headers", .folder = headers}};
    const struct hone_template_places places = {.roots = {.folders = folders, .count = 1},
                                                .includes = includes,
                                                .include_count = 1};
    return hone_template_read(out, path, &places, err);
}

static const struct hone_build *build_template(const struct hone_template *template)
{
    struct hone_error err = {0};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    const struct hone_build_request request = {.source = template->text,
                                               .source_name = "k.cu",
                                               .entry = "k",
                                               .arch = "sm_90a",
                                               .headers = template->headers,
                                               .header_count = template->header_count};
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    return build;
}

// text with each @ replaced by the path of the secret.
static void make_main(const char *name, const char *text)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    for (const char *p = text; *p; p++)
        if (*p == '@')
            hone_strbuf_add(&out, secret);
        else
            hone_strbuf_add_bytes(&out, p, 1);
    hone_strbuf_add(&out, KERNEL);
    make_file(name, out.data, out.len);
    hone_strbuf_fini(&out);
}

// What says that the secret was read is its own text in the log, or the error that
// stands behind a question about it.
static bool is_harmless(const struct hone_template *template)
{
    const struct hone_build *build = build_template(template);
    const bool stolen = strstr(build->log, "STOLEN") != NULL;
    hone_build_release(build);
    return !stolen;
}

static void attack_is_refused_or_harmless(const struct attack *attack, const char *name,
                                          size_t *refused)
{
    struct hone_template template;
    struct hone_error err = {0};
    const enum hone_status status = read_main(&template, name, &err);
    if (status == HONE_OK) {
        if (!is_harmless(&template)) fail_msg("%s: the file was read", attack->name);
        hone_template_fini(&template);
    } else {
        if (status != HONE_EINPUT || !err.source[0] || err.line < 1)
            fail_msg("%s: %s:%d: %s", attack->name, err.source, err.line, err.text);
        ++*refused;
    }
    if (was_opened()) fail_msg("%s: the file was opened", attack->name);
}

static void need_builder(void)
{
    if (!builder) SKIP("no NVRTC");
}

static void no_template_reads_outside_of_its_folders(void **state)
{
    (void)state;
    size_t refused = 0;
    const size_t count = sizeof attacks / sizeof *attacks;
    need_builder();
    for (size_t i = 0; i < count; i++) {
        make_main("templates/k.cu", attacks[i].text);
        attack_is_refused_or_harmless(&attacks[i], "k.cu", &refused);
    }
    print_message("%zu templates: %zu refused, %zu harmless\n", count, refused,
                  count - refused);
}

// The same spellings in a file that is included, and in a header of an include folder.
static void no_included_file_reads_outside_either(void **state)
{
    (void)state;
    size_t refused = 0;
    need_builder();
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        make_main("templates/k.cu", "#include \"part.cuh\"");
        make_main("templates/part.cuh", attacks[i].text);
        attack_is_refused_or_harmless(&attacks[i], "k.cu", &refused);
        make_main("templates/k.cu", "#include <part.h>");
        make_main("headers/part.h", attacks[i].text);
        attack_is_refused_or_harmless(&attacks[i], "k.cu", &refused);
    }
}

// Puts a link to the secret in the place of a part, and the part back, until it is killed.
static pid_t start_swapping(void)
{
    char part[900], spare[900], text[900];
    snprintf(part, sizeof part, "%s/templates/part.cuh", root);
    snprintf(spare, sizeof spare, "%s/templates/spare", root);
    snprintf(text, sizeof text, "%s/templates/text", root);
    const pid_t child = fork();
    if (child == 0) alarm(120); // should the test fail before it ends this
    while (child == 0) {
        if (symlink(secret, spare) || rename(spare, part)) _exit(1);
        if (link(text, spare) || rename(spare, part)) _exit(1);
    }
    return child;
}

static void a_file_that_becomes_a_link_while_it_is_read_leads_nowhere(void **state)
{
    (void)state;
    int taken = 0, refused = 0, how;
    make_file("templates/k.cu", "#include \"part.cuh\"\n", 20);
    make_file("templates/text", "int part;\n", 10);
    make_file("templates/part.cuh", "int part;\n", 10);
    const pid_t child = start_swapping();
    assert_true(child > 0);
    for (int i = 0; i < 1000; i++) {
        struct hone_template template;
        struct hone_error err = {0};
        if (read_main(&template, "k.cu", &err) == HONE_OK) {
            taken++;
            assert_null(strstr(template.text, "STOLEN"));
            assert_non_null(strstr(template.text, "int part;"));
            hone_template_fini(&template);
        } else {
            refused++;
        }
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how)); // it went on to the end
    assert_false(was_opened());
    print_message("%d times read, %d refused\n", taken, refused);
}

// The watch itself works: a decoy that is opened is seen.
static void an_opened_file_is_seen(void **state)
{
    (void)state;
    char *text = NULL;
    assert_false(was_opened());
    assert_int_equal(hone_file_read(&text, NULL, secret, NULL), HONE_OK);
    free(text);
    assert_true(was_opened());
    assert_false(was_opened());
}

static void what_authors_write_works_as_with_a_compiler(void **state)
{
    (void)state;
    need_builder();
    const size_t count = sizeof uses / sizeof *uses;
    for (size_t i = 0; i < count; i++) {
        struct hone_template template;
        struct hone_error err = {0};
        make_folders();
        for (const struct part *part = uses[i].parts; part->name; part++) {
            if (part == uses[i].parts)
                make_main(part->name, part->text);
            else
                make_file(part->name, part->text, strlen(part->text));
        }
        if (read_main(&template, "k.cu", &err) != HONE_OK)
            fail_msg("%s: %s:%d: %s", uses[i].name, err.source, err.line, err.text);
        const struct hone_build *build = build_template(&template);
        if (build->outcome != HONE_VALID)
            fail_msg("%s: %s\n%s", uses[i].name, build->log, template.text);
        hone_build_release(build);
        hone_template_fini(&template);
    }
    print_message("%zu uses\n", count);
}

// A word that the compiler or an option defines stands for no one knows what.
static void a_word_of_a_path_that_no_file_defines_is_an_error(void **state)
{
    (void)state;
    struct hone_template template;
    struct hone_error err = {0};
    need_builder();
    make_folders();
    make_file("headers/sub/__CUDACC_RTC__.h", "", 0);
    make_main("templates/k.cu", "#define H(x) <sub/x.h>\n#include H(__CUDACC_RTC__)");
    assert_ok(read_main(&template, "k.cu", &err), err);
    const struct hone_build *build = build_template(&template);
    assert_int_not_equal(build->outcome, HONE_VALID);
    assert_non_null(strstr(build->log, "k.cu(2)"));
    assert_non_null(strstr(build->log, "is a macro that no file defines"));
    hone_build_release(build);
    hone_template_fini(&template);
}

// Every file that is read is in the hash, with every byte.
static void a_changed_byte_changes_the_hash(void **state)
{
    (void)state;
    static const char *const names[] = {"templates/k.cu",      "templates/a.cuh",
                                        "templates/sub/b.cuh", "headers/c.h",
                                        "headers/d.h",         "headers/e.h"};
    static const char *const texts[] = {
        "#include \"a.cuh\"\n#include <c.h>\n#if __has_include(<f.h>)\n#endif\n",
        "// @\n#include \"sub/b.cuh\"\n",
        "// @\n",
        "// @\n#include \"d.h\"\n",
        "// @\n#ifdef NEVER\n#include <e.h>\n#endif\n",
        "// @\n"};
    char hashes[8][HONE_HASH_TEXT];
    for (size_t changed = 0; changed < 8; changed++) {
        struct hone_template template;
        struct hone_error err = {0};
        for (size_t i = 0; i < 6; i++) {
            char text[200];
            snprintf(text, sizeof text, "%s%s", texts[i], i == changed ? " " : "");
            make_file(names[i], text, strlen(text));
        }
        if (changed == 7) make_file("headers/f.h", "", 0);
        assert_ok(read_main(&template, "k.cu", &err), err);
        strcpy(hashes[changed], template.hash);
        hone_template_fini(&template);
        for (size_t i = 0; i < changed; i++)
            assert_string_not_equal(hashes[i], hashes[changed]);
    }
}

static void names_that_are_more_than_names_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "x;id>PWNED;#.cu", "a b.cu",           "a\nb.cu", "a\"b.cu", "a\\b.cu",
        "$(id).cu",        "`id`.cu",          "a'b.cu",  "-I.cu",   ".hidden.cu",
        "a\x1b[31m.cu",    "a\xe2\x80\xae.cu", "a|b.cu",  "a&b.cu",  "a*b.cu",
        "a?.cu",           "a#b.cu",           "a%sb.cu", "a<b>.cu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hone_template template;
        struct hone_error err = {0};
        char path[200];
        snprintf(path, sizeof path, "templates/%s", names[i]);
        make_file(path, "int a;\n", 7);
        assert_int_equal(read_main(&template, names[i], &err), HONE_EINPUT);
        assert_non_null(strstr(err.text, "other than letters"));
        snprintf(path, sizeof path, "#include <%s>\n", names[i]);
        make_file("templates/k.cu", path, strlen(path));
        err = (struct hone_error){0};
        if (strpbrk(names[i], "-.") != names[i])
            assert_int_equal(read_main(&template, "k.cu", &err), HONE_EINPUT);
    }
}

static void files_of_more_than_fits_are_refused_by_name(void **state)
{
    (void)state;
    static const char text[] = "#include \"a.cuh\"\n#if 1\n#include \"b.cuh\"\n#endif\n";
    struct hone_template template;
    struct hone_error err = {0};
    const size_t half = 16 << 20;
    char *blanks = malloc(half);
    assert_non_null(blanks);
    memset(blanks, '\n', half);
    make_file("templates/k.cu", text, sizeof text - 1);
    make_file("templates/a.cuh", blanks, half);
    make_file("templates/b.cuh", blanks, half);
    free(blanks);
    assert_ok(read_main(&template, "k.cu", &err), err);
    assert_non_null(strstr(
        template.text, "#error included file 'b.cuh': with it the files of a template "
                       "have more than 30 MiB\n"));
    hone_template_fini(&template);
}

// What an included file leaves open would reach into the file that includes it.
static void a_file_that_does_not_end_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#endif\n", "#endif without an #if"},
        {"#if 1\n", "ends within an #if"},
        {"/* a\n", "does not end"},
        {"int a; \\\n", "is to be continued"},
        {"int a; \\", "is to be continued"},
        {"const char *s = R\"(\n", "does not end"},
        {"#include \"part.cuh\"\n", "includes itself"},
        {"#include \"k.cu\"\n", "includes itself"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_template template;
        struct hone_error err = {0};
        make_file("templates/k.cu", "#include \"part.cuh\"\n", 20);
        make_file("templates/part.cuh", cases[i].text, strlen(cases[i].text));
        assert_int_equal(read_main(&template, "k.cu", &err), HONE_EINPUT);
        if (!strstr(err.text, cases[i].words)) fail_msg("%s", err.text);
    }
    make_file("templates/k.cu", "int a;\0int b;\n", 14);
    struct hone_template template;
    struct hone_error err = {0};
    assert_int_equal(read_main(&template, "k.cu", &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "NUL"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(no_template_reads_outside_of_its_folders, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(no_included_file_reads_outside_either, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(
        a_file_that_becomes_a_link_while_it_is_read_leads_nowhere, set_up, tear_down),
    cmocka_unit_test_setup_teardown(an_opened_file_is_seen, set_up, tear_down),
    cmocka_unit_test_setup_teardown(a_word_of_a_path_that_no_file_defines_is_an_error,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(what_authors_write_works_as_with_a_compiler, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(a_changed_byte_changes_the_hash, set_up, tear_down),
    cmocka_unit_test_setup_teardown(names_that_are_more_than_names_are_refused, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(files_of_more_than_fits_are_refused_by_name, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(a_file_that_does_not_end_is_refused, set_up,
                                    tear_down),
};

HONE_TEST_MAIN(tests)
