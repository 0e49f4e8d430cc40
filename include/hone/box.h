/* What keeps foreign code, such as a compiler that reads a source from elsewhere, from
 * doing harm to the machine: the parts of a box around its process, and which of them are
 * active. docs/security.md tells what each is good for. */
#ifndef HONE_BOX_PARTS_H
#define HONE_BOX_PARTS_H

/* clang-format off */
#define HONE_BOX_LIST(X)                                                                \
    X(PROCESS,    "process")          /* of its own; it dies and nothing else does */   \
    X(TIME,       "time")             /* the tuner ends what takes too long */          \
    X(PRIVILEGES, "no_new_privs")     /* no program gives it more rights */             \
    X(MEMORY,     "memory")           /* RLIMIT_DATA, and the tuner watches */          \
    X(CPU,        "cpu_time")         /* RLIMIT_CPU */                                  \
    X(FILE_SIZE,  "file_size")        /* RLIMIT_FSIZE: it writes no byte to a file */   \
    X(FILES,      "landlock_files")   /* it opens no file, or only those named */       \
    X(NETWORK,    "landlock_network") /* it binds and connects nothing */               \
    X(SCOPE,      "landlock_scope")   /* no signals, no sockets to others */            \
    X(CALLS,      "seccomp")          /* only the system calls of a compiler */
/* clang-format on */

enum hone_box_part {
#define HONE_BOX_ENUM(name, text) HONE_BOX_##name,
    HONE_BOX_LIST(HONE_BOX_ENUM)
#undef HONE_BOX_ENUM
        HONE_BOX_PARTS
};

enum { HONE_BOX_WHY_MAX = 80 };

struct hone_box {
    char why[HONE_BOX_PARTS][HONE_BOX_WHY_MAX]; /* "": active; else why it is not */
};

/* "landlock_files"; static. */
const char *hone_box_name(enum hone_box_part part);

#endif
