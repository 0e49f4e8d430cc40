// Folders, and paths as text.
#define _XOPEN_SOURCE 700 // realpath
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "hone/strbuf.h"

bool hone_file_program(char *buf, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", buf, size);
    if (length <= 0 || (size_t)length >= size) return false;
    buf[length] = '\0';
    return true;
}

bool hone_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

// Each takes the least free number. The wrong direction: reading and writing fail as they
// do on a closed one.
void hone_file_open_standard(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

enum hone_status hone_file_take_output(int *out, struct hone_error *err)
{
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (*out >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return HONE_OK;
    return hone_fail(err, HONE_EIO, "standard output is not open");
}

bool hone_file_is_pipe(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

enum hone_status hone_file_mkdirs(const char *folder, struct hone_error *err)
{
    return hone_file_mkdirs_as(folder, 0777, err);
}

enum hone_status hone_file_mkdirs_as(const char *folder, unsigned mode,
                                     struct hone_error *err)
{
    char *path = strdup(folder);
    if (!path) return hone_no_memory(err, "making '%s'", folder);
    enum hone_status status = HONE_OK;
    for (char *p = path + 1;; p++) {
        if (*p && *p != '/') continue;
        char end = *p;
        *p = '\0';
        if (mkdir(path, (mode_t)mode) != 0 && errno != EEXIST) {
            status = hone_fail(err, HONE_EIO, "cannot make folder '%s': %s", path,
                               hone_errno_text(errno));
            break;
        }
        if (!end) break;
        *p = end;
    }
    free(path);
    return status;
}

char *hone_path_join(const char *folder, const char *name)
{
    if (name[0] == '/') return strdup(name);
    size_t len = strlen(folder) + strlen(name) + 2;
    char *path = malloc(len);
    if (path) snprintf(path, len, "%s/%s", folder, name);
    return path;
}

char *hone_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *hone_path_numbered(const char *path, size_t number)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash)) dot = path + strlen(path);
    hone_strbuf_printf(&out, "%.*s-%zu%s", (int)(dot - path), path, number, dot);
    return hone_strbuf_steal(&out);
}

char *hone_path_here(const char *path, const char *ending)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const char *base = hone_path_base(path);
    hone_strbuf_printf(&out, "%.*s%s", (int)strcspn(base, "."), base, ending);
    return hone_strbuf_steal(&out);
}

const char *hone_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *hone_path_real(const char *path)
{
    return realpath(path, NULL);
}

// Nobody holds the other end of a pipe or socket.
static bool has_no_reader(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) > 0 && output.revents & POLLERR;
}

enum hone_output_end hone_file_end_output(int *reason)
{
    errno = 0;
    const bool was_lost = ferror(stdout);
    bool lost = fflush(stdout) != 0 || was_lost;
    *reason = errno;
    const bool unread = lost && (*reason == EPIPE || has_no_reader());
    // The program's own descriptor may be closed here; EBADF then says nothing new.
    if (fclose(stdout) != 0 && !lost && errno != EBADF) {
        lost = true;
        *reason = errno;
    }
    return !lost ? HONE_OUTPUT_WRITTEN : unread ? HONE_OUTPUT_UNREAD : HONE_OUTPUT_LOST;
}
