/* Files and paths. Errors name the path and the system's reason. */
#ifndef HONE_BASE_FILE_H
#define HONE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

/* What errno of a call on a path means. Where the path is at fault, since it is missing,
 * too long, forbidden or a circle of links, the input or use is: ENOTFOUND or EINPUT when
 * reading, EUSAGE when writing. ENOMEM; else EIO. */
enum hone_status hone_file_read_status(int error);
enum hone_status hone_file_write_status(int error);

/* --- reading --- */

#define HONE_FILE_MOST ((uint64_t)1 << 30) /* bytes, where no reader says otherwise */

/* What a reader takes. */
struct hone_file_want {
    uint64_t most; /* bytes */
    bool stream;   /* also a pipe or socket that was handed over: /dev/stdin, <(...) */
    bool own;      /* no link, of this user or root, and nobody else may write it */
};

/* Open for reading, close-on-exec, without waiting. EINPUT for what is no regular file (a
 * folder, a device, a pipe with a name), which is not even opened, and for files of /proc
 * and /sys, or where it may not be read; ELIMIT for one of more bytes; ENOTFOUND, EIO. */
enum hone_status hone_file_open(int *fd, const char *path,
                                const struct hone_file_want *want,
                                struct hone_error *err);

/* Standard input, output and error are open from here on: a file that is opened must not
 * get the number of one of them. One that was closed can be neither read nor written. */
void hone_file_open_standard(void);

/* For who speaks a protocol on standard output: it is *out from here on, and what a
 * library prints there goes to standard error. */
enum hone_status hone_file_take_output(int *out, struct hone_error *err);

/* What comes from a descriptor, up to its end; NUL-terminated, freed by the caller; size
 * may be NULL. ELIMIT beyond most bytes. path is for messages. */
enum hone_status hone_fd_read(char **out, size_t *size, int fd, const char *path,
                              uint64_t most, struct hone_error *err);

/* Both for a whole file; hone_file_read takes regular files up to HONE_FILE_MOST. */
enum hone_status hone_file_read_as(char **out, size_t *size, const char *path,
                                   const struct hone_file_want *want,
                                   struct hone_error *err);
enum hone_status hone_file_read(char **out, size_t *size, const char *path,
                                struct hone_error *err);

/* EINPUT where a library of this name would be no regular file: the loader waits for
 * pipes and opens devices. What is not there is left to the loader to say. */
enum hone_status hone_file_check_library(const char *path, struct hone_error *err);

/* May others than its owner write a file of this mode and group, those of struct stat?
 * The group of this process does not count as others. */
bool hone_file_others_write(unsigned mode, unsigned group);

/* "a folder", "a pipe": of the mode of struct stat. */
const char *hone_file_kind(unsigned mode);

/* --- writing --- */

/* Publish: a regular file, or one that is not there, appears with all of data or stays as
 * it is. The mode of the old one is kept, and its owner where that is allowed; a link
 * stays, what it leads to is replaced. What is no regular file is written through: a
 * device, a pipe (once somebody reads it), /dev/stdout, /dev/fd/N. EUSAGE for a folder
 * and where nothing can be written; EIO. */
enum hone_status hone_file_write(const char *path, const void *data, size_t size,
                                 struct hone_error *err);

/* The same for this user alone: mode 600 whatever was there, and a link is replaced. */
enum hone_status hone_file_write_private(const char *path, const void *data, size_t size,
                                         struct hone_error *err);

/* Could path be written, as far as that can be told before? EUSAGE with the reason. */
enum hone_status hone_file_check_write(const char *path, struct hone_error *err);

/* All of data to a descriptor that blocks; false leaves the reason in errno. */
bool hone_fd_write(int fd, const void *data, size_t size);

/* A new file, which appears with all of data or not at all: EIO where path exists, a link
 * to nothing excepted. *fd is open for reading and appending, and locked (file_lock.h).
 */
enum hone_status hone_file_create(int *fd, const char *path, const void *data,
                                  size_t size, struct hone_error *err);

/* The name of a new file in $TMPDIR or /tmp, which is not made: for who makes it itself,
 * and removes it. Freed by the caller. EIO when there can be none. */
enum hone_status hone_file_temporary(char **out, struct hone_error *err);

/* How standard output ended. */
enum hone_output_end {
    HONE_OUTPUT_WRITTEN,
    HONE_OUTPUT_UNREAD, /* nobody reads it any more */
    HONE_OUTPUT_LOST
};

/* At the end of a program: all that was printed is written and standard output is closed.
 * reason: errno of what was lost, 0 where that is not known. */
enum hone_output_end hone_file_end_output(int *reason);

/* --- names --- */

/* The number that path stands for, as /dev/stdout and /dev/fd/N do; -1 for others. */
int hone_file_descriptor(const char *path);

/* Is path standard output: "-", "/dev/stdout", "/dev/fd/1"? NULL is not. */
bool hone_path_is_stdout(const char *path);

/* The name that path leads to by links, whether that is there or not, or the first that
 * stands for a descriptor. Folders on the way may still be links. Freed by the caller;
 * NULL with errno: ELOOP, ENOMEM, ... */
char *hone_file_target(const char *path);

bool hone_file_exists(const char *path);
bool hone_file_is_pipe(const char *path); /* with a name; a link may lead to it */
enum hone_status hone_file_mkdirs(const char *folder, struct hone_error *err);
/* The same; folders that are new get this mode, less the umask. */
enum hone_status hone_file_mkdirs_as(const char *folder, unsigned mode,
                                     struct hone_error *err);

/* Freed by the caller; NULL when out of memory. An absolute name is returned as it is. */
char *hone_path_join(const char *folder, const char *name);
char *hone_path_folder(const char *path);     /* "a/b.c" -> "a", "b.c" -> "." */
const char *hone_path_base(const char *path); /* points into path */
/* "a/b.json.gz" with ".lua" -> "b.lua"; freed by the caller, NULL when out of memory. */
char *hone_path_here(const char *path, const char *ending);
/* "a/b.jsonl" with number 2 -> "a/b-2.jsonl"; freed by the caller, NULL when out of
 * memory. */
char *hone_path_numbered(const char *path, size_t number);
/* The file of this program in buf; false where the system does not tell it, or there is
 * no room. */
bool hone_file_program(char *buf, size_t size);
/* Absolute, without links, "." and "..": one name a file. Freed by the caller; NULL when
 * there is no such file. */
char *hone_path_real(const char *path);

#endif
