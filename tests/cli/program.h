/* Runs the hone program in a scratch folder and keeps what it said. A suite has one. */
#ifndef HONE_PROGRAM_H
#define HONE_PROGRAM_H

struct program {
    char folder[64]; /* working folder, removed by program_teardown */
    char out[1 << 16], err[1 << 16];
    int code; /* exit code; 128 + signal when killed */
};

extern struct program program;

/* Of the group of a suite: make the folder, in /tmp or within another one; remove it. */
int program_setup(void **state);
int program_setup_in(const char *parent);
int program_teardown(void **state);

/* Run "hone ARGS" (a shell line; $HONE, $SOURCE and $SHARED are set) in the folder. */
void program_run(const char *args);

/* The same, and fail the test with what it said unless it ends with this exit code. */
void program_expect(const char *args, int code);

/* The same as program_run with a line of shell before it: variables, commands. */
void program_run_with(const char *prefix, const char *args);

/* Contents of a file in the folder, to be freed; NULL when it is not there. */
char *program_file(const char *name);

/* Whether the public recordings and spaces are there. */
int program_has_shared(void);

#endif
