// The files behind a template: where they may lie is settled when the first is opened.
#include <string.h>
#include <unistd.h>

#include "hone_test.h"
#include "render/sources.h"

static char folder[400];

static int set_up(void **state)
{
    (void)state;
    char command[2000];
    snprintf(folder, sizeof folder, "%s/scratch/sources-%ld", HONE_BINARY_DIR,
             (long)getpid());
    snprintf(command, sizeof command,
             "rm -rf '%s' && mkdir -p '%s/near' '%s/far' && cd '%s' && "
             "echo near >near/x.h && echo near >near/y.h && echo far >far/y.h && "
             "ln -s near folder && ln -s near headers",
             folder, folder, folder, folder);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[500];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const struct hone_file *open_file(struct hone_files *files, const char *name)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const struct hone_file *file = hone_files_open(files, path, name, HONE_FILE_SOURCE);
    assert_non_null(file);
    return file;
}

// Of a kernel whose folders are not fixed: a root and an include folder that are links.
static void folders_that_become_other_links_are_no_way_out(void **state)
{
    (void)state;
    char root[500], include[500], template[500], command[1000];
    snprintf(root, sizeof root, "%s/folder", folder);
    snprintf(include, sizeof include, "%s/headers", folder);
    snprintf(template, sizeof template, "%s/folder/x.h", folder);
    const char *const folders[] = {root, "/nowhere/at/all"};
    const struct hone_include_folder includes[] = {{.name = "h", .folder = include}};
    const struct hone_template_places places = {.roots = {.folders = folders, .count = 2},
                                                .includes = includes,
                                                .include_count = 1};
    struct hone_arena arena = {0};
    struct hone_files files;
    assert_int_equal(hone_files_init(&files, &arena, &places, template), HONE_OK);
    assert_int_equal(open_file(&files, "folder/x.h")->why.code, HONE_OK);
    snprintf(command, sizeof command,
             "cd '%s' && ln -sfn far folder && ln -sfn far headers", folder);
    assert_int_equal(system(command), 0);
    static const char *const names[] = {"folder/y.h", "headers/y.h", "far/y.h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct hone_file *file = open_file(&files, names[i]);
        assert_int_equal(file->why.code, HONE_EINPUT);
        assert_non_null(strstr(file->why.text, "leads out of"));
    }
    assert_int_equal(open_file(&files, "near/y.h")->why.code, HONE_OK);
    hone_files_fini(&files);
    hone_arena_fini(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(folders_that_become_other_links_are_no_way_out),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
