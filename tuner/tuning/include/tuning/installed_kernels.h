/* What comes with hone where it is installed: kernels are found by name. */
#ifndef HONE_TUNING_INSTALLED_KERNELS_H
#define HONE_TUNING_INSTALLED_KERNELS_H

#include <stddef.h>

#include "hone/status.h"

struct dirent;

struct hone_installed_kernels {
    char *folder;          /* owned, as are the entries */
    struct dirent **files; /* scripts, in the order of their names */
    size_t count;
};

struct hone_installed_kernel {
    char name[256];
    char about[160]; /* the first sentence of its script */
    char page[256];  /* of the documentation that the script names, "" for none */
    char path[4096]; /* of the script */
};

/* PREFIX/share/hone/NAME of the program PREFIX/bin/hone, wherever it was moved to; it
 * need not be there. Freed by the caller; NULL on a failure. */
char *hone_installed_path(const char *name, struct hone_error *err);

/* A page of the documentation, "troubleshooting.md", or "" for its folder: where it is
 * installed, else "docs/PAGE" of the sources. */
struct hone_docs_path {
    char text[4096];
};
struct hone_docs_path hone_docs_path(const char *page);

/* The folder that HONE_KERNELS names, else share/hone/kernels beside the program's.
 * ENOTFOUND without one. Close it after a failure too. */
enum hone_status hone_installed_kernels_open(struct hone_installed_kernels *out,
                                             struct hone_error *err);
void hone_installed_kernels_close(struct hone_installed_kernels *kernels);

/* The i-th one. */
void hone_installed_kernel_read(struct hone_installed_kernel *out,
                                const struct hone_installed_kernels *kernels, size_t i);

/* The one of that name; ENOTFOUND with the nearest. */
enum hone_status hone_installed_kernel_find(struct hone_installed_kernel *out,
                                            const struct hone_installed_kernels *kernels,
                                            const char *name, struct hone_error *err);
/* The same where nothing else is asked of the folder. */
enum hone_status hone_installed_kernel_named(struct hone_installed_kernel *out,
                                             const char *name, struct hone_error *err);

/* The script of a journal's kernel: own, where that is not NULL, else the installed one
 * of this name, whose path is then in found. NULL where none is installed. */
const char *hone_kernel_script(struct hone_installed_kernel *found, const char *own,
                               const char *kernel);

/* The script that word, which a command takes for one, is the name of; path is "" where
 * it is none, or a file of this name is here. ENOTFOUND with a suggestion, of this
 * command, for what is neither and close to one. */
enum hone_status hone_installed_kernel_resolve(char *path, size_t size, const char *word,
                                               const char *command,
                                               struct hone_error *err);

#endif
