/* A new process that runs another program. It ends with us: it is killed when this
 * process dies, if the main thread started it (the system ties a child to the thread that
 * made it). What it starts carries its mark in the environment. */
#ifndef HONE_BASE_CHILD_H
#define HONE_BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

enum { HONE_SPAWN_MARK = 64 };

struct hone_spawn {
    const char *const *argv;  /* ends with NULL; argv[0] is looked up in PATH */
    char *const *environment; /* ends with NULL */
    int in, out;              /* become its standard input and output; above 2 */
    bool quiet;               /* its standard error is /dev/null */
    int errors;               /* becomes its standard error; 0: ours is */
};

/* Start it as the leader of a process group, with signals as a program expects them.
 * mark: the name that is set in its environment. Returns 0 or the reason of errno. */
int hone_spawn(pid_t *id, char mark[HONE_SPAWN_MARK], const struct hone_spawn *what);

/* Kill all processes of this user whose environment has the mark. One that cleared its
 * environment is not found. */
void hone_spawn_kill_marked(const char *mark);

#endif
