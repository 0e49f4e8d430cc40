/* Files and paths. Errors name the path and the system's reason. */
#ifndef HONE_FILE_H
#define HONE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/status.h"

/* Whole file, NUL-terminated, freed by the caller; size may be NULL. ENOTFOUND when it
 * does not exist, EIO otherwise. */
enum hone_status hone_file_read(char **out, size_t *size, const char *path,
                                struct hone_error *err);

/* Publish atomically: write a temporary name in the same folder, sync, rename. */
enum hone_status hone_file_write(const char *path, const void *data, size_t size,
                                 struct hone_error *err);

/* All of data to a descriptor that blocks; false leaves the reason in errno. */
bool hone_fd_write(int fd, const void *data, size_t size);

/* The name of a new file in $TMPDIR or /tmp, which is not made: for who makes it itself.
 * Freed by the caller. EIO when there can be none. */
/* A new file, which appears with all of data or not at all. EIO where path exists. */
enum hone_status hone_file_create(const char *path, const void *data, size_t size,
                                  struct hone_error *err);
enum hone_status hone_file_temporary(char **out, struct hone_error *err);

bool hone_file_exists(const char *path);
enum hone_status hone_file_mkdirs(const char *folder, struct hone_error *err);

/* Freed by the caller; NULL when out of memory. An absolute name is returned as it is. */
char *hone_path_join(const char *folder, const char *name);
char *hone_path_folder(const char *path);     /* "a/b.c" -> "a", "b.c" -> "." */
const char *hone_path_base(const char *path); /* points into path */
/* Absolute, without links, "." and "..": one name a file. Freed by the caller; NULL when
 * there is no such file. */
char *hone_path_real(const char *path);

#endif
