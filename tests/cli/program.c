#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"

void program_init(struct program *p)
{
    memset(p, 0, sizeof *p);
    strcpy(p->folder, "/tmp/hone-cli-XXXXXX");
    if (!mkdtemp(p->folder)) abort();
    setenv("HONE", HONE_BINARY_DIR "/hone", 1);
    setenv("SOURCE", HONE_SOURCE_DIR, 1);
    setenv("SHARED", HONE_SOURCE_DIR "/../shared", 1);
    setenv("HONE_CACHE", HONE_BINARY_DIR "/cache", 0);
}

static int shell(const struct program *p, const char *command)
{
    char line[4096];
    snprintf(line, sizeof line, "cd %s && { %s; } >.out 2>.err", p->folder, command);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void program_fini(struct program *p)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", p->folder);
    if (system(line) != 0) abort();
}

char *program_file(const struct program *p, const char *name)
{
    char path[256], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    hone_file_read(&text, NULL, path, NULL);
    return text;
}

static void take(const struct program *p, const char *name, char *buf, size_t size)
{
    char *text = program_file(p, name);
    snprintf(buf, size, "%s", text ? text : "");
    free(text);
}

void program_run(struct program *p, const char *args)
{
    char command[3072];
    snprintf(command, sizeof command, "\"$HONE\" %s", args);
    p->code = shell(p, command);
    take(p, ".out", p->out, sizeof p->out);
    take(p, ".err", p->err, sizeof p->err);
}

int program_has_shared(void)
{
    return hone_file_exists(HONE_SOURCE_DIR "/../shared/recorded");
}
