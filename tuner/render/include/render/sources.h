/* The files behind a template: where an included name leads to, and each file read once
 * and scanned. */
#ifndef HONE_RENDER_SOURCES_H
#define HONE_RENDER_SOURCES_H

#include "base/root.h"
#include "hone/kernel.h"
#include "render/scan.h"

/* Where templates and what they include may lie. */
struct hone_template_places {
    struct hone_roots roots;                    /* none: the folder of the template */
    const struct hone_include_folder *includes; /* folders of headers */
    size_t include_count;
};

/* What an #include writes: "text", or <text> where it is angled. */
struct hone_include_name {
    const char *text;
    bool angled;
};

/* The headers are those of include folders. */
enum hone_file_kind { HONE_FILE_SOURCE, HONE_FILE_HEADER };

/* A file by one of its names; a name that leads nowhere is one as well. */
struct hone_file {
    struct hone_file *next, *next_loaded;
    const char *path;  /* as opened */
    const char *shown; /* in #line: relative to the template or to an include folder */
    enum hone_file_kind kind; /* by the folder in which it was found */
    struct hone_error why;    /* code OK: it was read */
    uint64_t device, inode;
    struct hone_file *same; /* the first that is the same file, maybe by another name */
    char *text;
    size_t size;
    struct hone_scan scan;
    const char *guard; /* macro whose #ifndef holds the whole file; NULL: none */
    bool has_once;     /* there is a #pragma once, */
    bool always_once;  /* and it stands under no #if but the guard's */

    /* What follows belongs to the assembly under way (template.c). */
    const char *header_name; /* in memory; NULL: not asked for */
    char *header_text;       /* what stands under that name; owned */
    struct hone_file *next_header;
    bool is_open, is_sure, met_once;
    int once_number;
};

enum { HONE_FILE_BUCKETS = 1024 };

struct hone_files {
    struct hone_arena *arena;
    const struct hone_template_places *places;
    const char *folder;        /* of the template */
    struct hone_roots allowed; /* where files may lie */
    struct hone_file *buckets[HONE_FILE_BUCKETS];
    struct hone_file *loaded;
    size_t bytes; /* read so far */
};

/* Bytes of one file, and of all together: those of two templates fit into a message to a
 * worker. CUTLASS 4.2 with all builders of sm_90 has 25 MB. */
enum { HONE_SOURCE_MOST = 30 << 20 };

/* places and the arena must outlive files; ENOMEM. */
enum hone_status hone_files_init(struct hone_files *files, struct hone_arena *arena,
                                 const struct hone_template_places *places,
                                 const char *template_path);

/* May name stand in #line, #include and a log without being anything else there? Letters,
 * digits and _ . + - @ , = in parts between slashes. */
bool hone_is_plain_path(const char *name);

/* The file of that path; NULL when out of memory. */
struct hone_file *hone_files_open(struct hone_files *files, const char *path,
                                  const char *shown, enum hone_file_kind kind);
/* The file that a name leads to from a file: beside it, beside the template, in the
 * roots, in the include folders; an angled one in the latter first. Names in a header of
 * an include folder are searched beside it and in include folders. One that was not found
 * has why set; NULL when out of memory. */
struct hone_file *hone_files_find(struct hone_files *files, const struct hone_file *from,
                                  struct hone_include_name name);
void hone_files_fini(struct hone_files *files);

#endif
