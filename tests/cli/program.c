#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "hone_test.h"

struct program program;

int program_setup(void **state)
{
    (void)state;
    return program_setup_in("/tmp");
}

int program_setup_in(const char *parent)
{
    program = (struct program){0};
    snprintf(program.folder, sizeof program.folder, "%s/hone-cli-XXXXXX", parent);
    if (!mkdtemp(program.folder)) abort();
    setenv("HONE", HONE_BINARY_DIR "/hone", 1);
    setenv("SOURCE", HONE_SOURCE_DIR, 1);
    setenv("SHARED", HONE_SOURCE_DIR "/../shared", 1);
    setenv("HONE_CACHE", HONE_BINARY_DIR "/cache", 0);
    return 0;
}

static int shell(const char *command)
{
    char line[4096];
    snprintf(line, sizeof line, "cd %s && { %s; } >.out 2>.err", program.folder, command);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_teardown(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", program.folder);
    if (system(line) != 0) abort();
    return 0;
}

char *program_file(const char *name)
{
    char path[256], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    hone_file_read(&text, NULL, path, NULL);
    return text;
}

static void take(const char *name, char *buf, size_t size)
{
    char *text = program_file(name);
    snprintf(buf, size, "%s", text ? text : "");
    free(text);
}

void program_run(const char *args)
{
    program_run_with("", args);
}

void program_run_with(const char *prefix, const char *args)
{
    char command[3072];
    snprintf(command, sizeof command, "%s \"$HONE\" %s", prefix, args);
    program.code = shell(command);
    take(".out", program.out, sizeof program.out);
    take(".err", program.err, sizeof program.err);
}

void program_expect(const char *args, int code)
{
    program_run(args);
    if (program.code != code)
        fail_msg("hone %s\n  ended with %d, not %d\n%s%s", args, program.code, code,
                 program.out, program.err);
}

int program_has_shared(void)
{
    return hone_file_exists(HONE_SOURCE_DIR "/../shared/recorded");
}
