// Files that must lie in a folder, wherever links lead.
#include <string.h>
#include <unistd.h>

#include "base/root.h"
#include "hone_test.h"

static char folder[400];

static int set_up(void **state)
{
    (void)state;
    char command[3000];
    snprintf(folder, sizeof folder, "%s/scratch/root-%ld", HONE_BINARY_DIR,
             (long)getpid());
    snprintf(
        command, sizeof command,
        "rm -rf '%s' && mkdir -p '%s/in/sub' '%s/inner' && cd '%s' && "
        "printf text > in/file && printf far > out && printf x > inner/near && "
        "ln -s file in/link && ln -s '%s/in/file' in/sub/absolute && "
        "ln -s ../../out in/sub/leaves && ln -s /etc in/etc && "
        "ln -s ../inner in/sibling && ln -s loop in/loop && ln -s nothing in/gone && "
        "mkfifo in/pipe && ln -s /dev/zero in/zero && truncate -s 100 in/large",
        folder, folder, folder, folder, folder);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[500];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void a_root_that_becomes_a_link_is_no_way_out(void **state)
{
    (void)state;
    char command[2000], path[900];
    struct hone_error err = {0};
    struct hone_root_file file;
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p kept far && echo kept > kept/f && echo far > far/f",
             folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/kept", folder);
    char *place = hone_root_place(path, &err);
    assert_non_null(place);
    const char *const folders[] = {place};
    const struct hone_roots roots = {.folders = folders, .count = 1, .fixed = true};
    assert_true(hone_root_holds(&roots, place));
    strcat(path, "/f");
    assert_ok(hone_root_read(&file, &roots, path, 50, &err), err);
    assert_string_equal(file.text, "kept\n");
    free(file.text);
    snprintf(command, sizeof command, "cd '%s' && mv kept old && ln -s far kept", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(hone_root_read(&file, &roots, path, 50, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "leads out of"));
    free(place);
}

static enum hone_status read_in(struct hone_root_file *file, const char *name,
                                struct hone_error *err)
{
    char root[450], path[900];
    const char *const folders[] = {root};
    const struct hone_roots roots = {.folders = folders, .count = 1};
    snprintf(root, sizeof root, "%s/in", folder);
    snprintf(path, sizeof path, "%s/%s", root, name);
    return hone_root_read(file, &roots, path, 50, err);
}

static void a_file_is_read_by_any_name_of_the_folder(void **state)
{
    (void)state;
    static const char *const names[] = {
        "file", "link", "sub/absolute", "sub/../file", "./sub/.././link", "../in/file"};
    uint64_t inode = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hone_root_file file;
        struct hone_error err = {0};
        assert_ok(read_in(&file, names[i], &err), err);
        assert_string_equal(file.text, "text");
        assert_int_equal(file.size, 4);
        assert_true(!inode || file.inode == inode);
        inode = file.inode;
        free(file.text);
    }
}

static void what_leads_out_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum hone_status status;
        const char *words;
    } cases[] = {
        {"../out", HONE_EINPUT, "leads out of"},
        {"sub/leaves", HONE_EINPUT, "leads out of"},
        {"etc/passwd", HONE_EINPUT, "leads out of"},
        {"sibling/near", HONE_EINPUT, "leads out of"},
        {"../inner/near", HONE_EINPUT, "leads out of"},
        {"zero", HONE_EINPUT, "is not a file"},
        {"pipe", HONE_EINPUT, "is not a file"},
        {"large", HONE_EINPUT, "has 100 bytes, at most 50"},
        {"sub", HONE_ENOTFOUND, "is not a file"},
        {"gone", HONE_ENOTFOUND, "cannot read"},
        {"nothing", HONE_ENOTFOUND, "cannot read"},
        {"file/more", HONE_ENOTFOUND, "cannot read"},
        {"loop", HONE_EINPUT, "cannot read"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_root_file file;
        struct hone_error err = {0};
        if (read_in(&file, cases[i].name, &err) != cases[i].status ||
            !strstr(err.text, cases[i].words))
            fail_msg("%s: %s", cases[i].name, err.text);
        assert_null(file.text);
    }
}

static void folders_are_told_by_where_they_lie(void **state)
{
    (void)state;
    char root[450], path[900];
    const char *const folders[] = {root};
    const struct hone_roots roots = {.folders = folders, .count = 1};
    static const struct {
        const char *name;
        bool inside;
    } cases[] = {{"in", true},       {"in/sub", true},   {"in/sub/..", true},
                 {"inner", false},   {"in/etc", false},  {"in/sibling", false},
                 {"in/file", false}, {"in/gone", false}, {"", false}};
    snprintf(root, sizeof root, "%s/in", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].name);
        char *place = hone_root_place(path, NULL);
        if ((place && hone_root_holds(&roots, place)) != cases[i].inside)
            fail_msg("%s", cases[i].name);
        free(place);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_root_that_becomes_a_link_is_no_way_out, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(a_file_is_read_by_any_name_of_the_folder, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(what_leads_out_is_refused, set_up, tear_down),
    cmocka_unit_test_setup_teardown(folders_are_told_by_where_they_lie, set_up,
                                    tear_down),
};

HONE_TEST_MAIN(tests)
