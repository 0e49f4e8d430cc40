/* What the suites of files share. */
#ifndef FILES_FRAME_H
#define FILES_FRAME_H

#include "hone_test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/file_lock.h"
#include "program.h"

#define GOLDEN "$SOURCE/tests/golden/sgemm_h200.jsonl"
#define TUNE   "tune --device replay:" GOLDEN " --strategy random --quiet "

static inline void expect(int code, const char *text)
{
    if (program.code != code || !strstr(program.err, text))
        fail_msg("ended with %d, not %d, and said: %s%s", program.code, code, program.err,
                 program.out);
}

static inline char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    return path;
}

#endif
