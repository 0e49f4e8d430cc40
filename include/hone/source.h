/* Texts that a compiler gets in memory beside the source: it reads no files. */
#ifndef HONE_SOURCE_H
#define HONE_SOURCE_H

/* A file that the source may include. */
struct hone_build_header {
    const char *name; /* as an include names it */
    const char *text;
};

#endif
