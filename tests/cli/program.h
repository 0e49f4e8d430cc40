/* Runs the hone program in a scratch folder and keeps what it said. */
#ifndef HONE_PROGRAM_H
#define HONE_PROGRAM_H

struct program {
    char folder[64]; /* working folder, removed by program_fini */
    char out[1 << 16], err[1 << 16];
    int code; /* exit code; 128 + signal when killed */
};

void program_init(struct program *p);
void program_fini(struct program *p);

/* Run "hone ARGS" (a shell line; $HONE, $SOURCE and $SHARED are set) in the folder. */
void program_run(struct program *p, const char *args);

/* Contents of a file in the folder, to be freed; NULL when it is not there. */
char *program_file(const struct program *p, const char *name);

/* Whether the public recordings and spaces are there. */
int program_has_shared(void);

#endif
