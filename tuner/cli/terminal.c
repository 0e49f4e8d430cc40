#define _POSIX_C_SOURCE 200809L // isatty
#include "terminal.h"

#include <stdio.h>
#include <unistd.h>

static int descriptor(const FILE *file)
{
    return file == stdout ? STDOUT_FILENO : STDERR_FILENO;
}

struct hone_terminal_size cli_terminal_size(FILE *file)
{
    return hone_terminal_size(descriptor(file));
}

static struct hone_stream_guard out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

void cli_terminal_guard(void)
{
    stdout = hone_guard_open(&out, stdout, isatty(STDOUT_FILENO));
    stderr = hone_guard_open(&err, stderr, true);
    err.folds = isatty(STDERR_FILENO); // nobody reads JSON there
}

// What stands in the stream already is printed as it is.
void cli_terminal_fold(void)
{
    if (isatty(STDOUT_FILENO) && fflush(stdout) == 0) out.folds = true;
}

void cli_terminal_control(FILE *file, const char *sequence)
{
    if (fflush(file) == 0) hone_guard_pass(file == stdout ? &out : &err, sequence);
}
