// posix_spawn cannot tie a child to its parent's life. The child shares our memory until
// it runs its program, and calls only what is safe there.
#define _GNU_SOURCE // clone, execvpe
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

enum {
    STACK_BYTES = 256 << 10,
    PASSES = 200,
    UNSURE_PASSES = 10,
    ENVIRONMENT_MOST = 4 << 20
};

struct start {
    const struct hone_spawn *what;
    char *const *argv, *const *environment;
    pid_t parent;
    bool tied;
    int failed; // errno of the child; 0 once the program runs
};

// --- in the child ---

static bool set_streams(const struct hone_spawn *what)
{
    if (dup2(what->in, STDIN_FILENO) < 0 || dup2(what->out, STDOUT_FILENO) < 0)
        return false;
    if (what->errors) return dup2(what->errors, STDERR_FILENO) >= 0;
    if (!what->quiet) return true;
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return null >= 0 && dup2(null, STDERR_FILENO) >= 0;
}

static void set_signals(void)
{
    static const int usual[] = {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ};
    sigset_t none;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        signal(usual[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int become(void *context)
{
    struct start *start = context;
    if (start->tied && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
        getppid() != start->parent)
        _exit(127); // it died before we were tied to it
    if (setpgid(0, 0) == 0 && set_streams(start->what)) {
        set_signals();
        execvpe(start->argv[0], start->argv, start->environment);
    }
    start->failed = errno ? errno : EIO;
    _exit(127);
}

// --- starting ---

// The thread sanitizer takes every child for one with memory of its own, and what the
// address sanitizer notes of the child's stack would outlive it.
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
enum { CLONE_FLAGS = CLONE_VFORK | SIGCHLD };
#else
enum { CLONE_FLAGS = CLONE_VM | CLONE_VFORK | SIGCHLD };
#endif

// A handler of ours must not run in the child: signals wait. What it has to say lies
// below its stack.
static int clone_child(pid_t *id, const struct start *start)
{
    sigset_t all, before;
    const int flags = PROT_READ | PROT_WRITE;
    char *stack =
        mmap(NULL, STACK_BYTES, flags, MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return ENOMEM;
    struct start *shared = memcpy(stack, start, sizeof *start);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    *id = clone(become, stack + STACK_BYTES, CLONE_FLAGS, shared);
    const int failed = *id < 0 ? errno : shared->failed;
    sigprocmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK_BYTES);
    if (*id > 0 && failed) waitpid(*id, NULL, 0);
    return failed;
}

// One name a program: processes that start others pass on what they got themselves.
static void make_mark(char mark[HONE_SPAWN_MARK])
{
    static atomic_uint counter;
    snprintf(mark, HONE_SPAWN_MARK, "HONE_CHILD_OF_%ld_%llu_%u", (long)getpid(),
             (unsigned long long)hone_process_start((long)getpid()),
             atomic_fetch_add(&counter, 1));
}

int hone_spawn(pid_t *id, char mark[HONE_SPAWN_MARK], const struct hone_spawn *what)
{
    char setting[HONE_SPAWN_MARK + 2];
    size_t count = 0;
    while (what->environment[count])
        count++;
    char **environment = calloc(count + 2, sizeof *environment);
    if (!environment) return ENOMEM;
    make_mark(mark);
    snprintf(setting, sizeof setting, "%s=1", mark);
    memcpy(environment, what->environment, count * sizeof *environment);
    environment[count] = setting;
    struct start start = {.what = what,
                          .environment = environment,
                          .parent = getpid(),
                          .tied = syscall(SYS_gettid) == getpid()};
    memcpy(&start.argv, &what->argv, sizeof start.argv); // exec changes nothing
    const int failed = clone_child(id, &start);
    free(environment);
    return failed;
}

// --- ending ---

struct hunt {
    const char *setting;
    size_t len, found;
    size_t unsure; // whose environment was not there, as in the middle of an exec
    char *text;
};

static size_t read_environment(char *text, size_t size, long id)
{
    char path[64];
    size_t len = 0;
    ssize_t n;
    snprintf(path, sizeof path, "/proc/%ld/environ", id);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    while (len < size && (n = read(fd, text + len, size - len)) > 0)
        len += (size_t)n;
    close(fd);
    return len;
}

// Kernel threads and zombies have no program, nor has one of others for us.
static bool has_program(long id)
{
    char path[64], target[8];
    snprintf(path, sizeof path, "/proc/%ld/exe", id);
    return readlink(path, target, sizeof target) > 0;
}

static bool hunt_one(void *context, long id)
{
    struct hunt *hunt = context;
    if (id == (long)getpid()) return true;
    const size_t len = read_environment(hunt->text, ENVIRONMENT_MOST, id);
    if (!len) hunt->unsure += has_program(id);
    if (!memmem(hunt->text, len, hunt->setting, hunt->len)) return true;
    hunt->found += kill((pid_t)id, SIGKILL) == 0;
    return true;
}

// Again until none is left: one may have started another meanwhile. One that has no
// environment at all is asked a few times: it may be about to become another program.
void hone_spawn_kill_marked(const char *mark)
{
    char setting[HONE_SPAWN_MARK + 2];
    const int len = snprintf(setting, sizeof setting, "%s=1", mark);
    struct hunt hunt = {.setting = setting, .len = (size_t)len + 1};
    hunt.text = malloc(ENVIRONMENT_MOST);
    for (int pass = 0; hunt.text && pass < PASSES; pass++) {
        hunt.found = hunt.unsure = 0;
        hone_process_each(hunt_one, &hunt);
        if (!hunt.found && (!hunt.unsure || pass >= UNSURE_PASSES)) break;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    free(hunt.text);
}
