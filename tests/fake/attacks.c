#define _GNU_SOURCE // memfd_create, unshare, process_vm_readv
#include "attacks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int told(long result)
{
    return result < 0 ? errno : 0;
}

// A descriptor is all that was wanted.
static int opened(long fd)
{
    if (fd < 0) return errno;
    close((int)fd);
    return 0;
}

static const char *victim(const char *name)
{
    static char path[4096];
    const char *folder = getenv("HONE_FAKE_VICTIM");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/nowhere", name);
    return path;
}

// --- network ---

static int tcp(void)
{
    return opened(socket(AF_INET, SOCK_STREAM, 0));
}

static int udp(void)
{
    return opened(socket(AF_INET6, SOCK_DGRAM, 0));
}

static int local_socket(void)
{
    return opened(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int pair_of_sockets(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
    close(ends[0]);
    return opened(ends[1]);
}

static int netlink(void)
{
    return opened(socket(AF_NETLINK, SOCK_RAW, 0));
}

// --- processes ---

static int wait_for(long child)
{
    if (child < 0) return errno;
    if (child == 0) _exit(0);
    waitpid((pid_t)child, NULL, 0);
    return 0;
}

static int forks(void)
{
    return wait_for(fork());
}

static int clones(void)
{
    return wait_for(syscall(__NR_clone, SIGCHLD, 0, 0, 0, 0));
}

static int clones_as_of_late(void)
{
    unsigned long long args[11] = {[4] = SIGCHLD};
    return wait_for(syscall(__NR_clone3, args, sizeof args));
}

// What is not there cannot run: ENOENT is the answer of a system that would.
static int executes(void)
{
    char *argv[] = {(char[]){"x"}, NULL};
    execve("/nowhere/x", argv, argv + 1);
    return errno == ENOENT ? 0 : errno;
}

static int executes_descriptor(void)
{
    char *argv[] = {(char[]){"x"}, NULL};
    syscall(__NR_execveat, -1, "/nowhere/x", argv, argv + 1, 0);
    return errno == ENOENT ? 0 : errno;
}

static int runs_a_shell(void)
{
    const int status = system("exit 7");
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : EPERM;
}

static int signals_parent(void)
{
    return told(kill(getppid(), 0));
}

static int signals_all(void)
{
    return told(kill(-getpid(), 0) == 0 || kill(0, 0) == 0 ? 0 : -1);
}

static int signals_thread(void)
{
    return told(syscall(__NR_tgkill, getppid(), getppid(), 0));
}

static int opens_process(void)
{
    return opened(syscall(__NR_pidfd_open, getppid(), 0));
}

static int traces(void)
{
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0) return errno;
    ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
    return 0;
}

static int reads_memory(void)
{
    static char bytes[8];
    struct iovec here = {bytes, sizeof bytes}, there = {bytes, sizeof bytes};
    return told(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int limits_parent(void)
{
    struct rlimit core = {0, 0};
    if (getrlimit(RLIMIT_CORE, &core) != 0) return errno;
    return told(prlimit(getppid(), RLIMIT_CORE, &core, NULL));
}

static int lifts_a_limit(void)
{
    struct rlimit files = {256, 256};
    return told(setrlimit(RLIMIT_NOFILE, &files));
}

static int outlives_parent(void)
{
    return told(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int leaves_group(void)
{
    return told(getpgid(0) == getpid() ? setpgid(0, getppid()) : setpgid(0, 0));
}

static int hides(void)
{
    return told(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

// --- files ---

static int reads_secret(void)
{
    return opened(open(victim("secret"), O_RDONLY | O_CLOEXEC));
}

static int reads_users(void)
{
    return opened(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int asks_for_secret(void)
{
    struct stat file;
    return told(stat(victim("secret"), &file));
}

static int asks_for_access(void)
{
    return told(access(victim("secret"), F_OK));
}

static int lists_root(void)
{
    return opened(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int reads_environment_of_parent(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    return opened(open(path, O_RDONLY | O_CLOEXEC));
}

static int makes_file(void)
{
    return opened(open(victim("made"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static int makes_nameless_file(void)
{
    return opened(open(victim("."), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
}

static int writes_file(void)
{
    return opened(open(victim("secret"), O_RDWR | O_CLOEXEC));
}

static int writes_own_memory(void)
{
    return opened(open("/proc/self/mem", O_RDWR | O_CLOEXEC));
}

static int cuts_file(void)
{
    return told(truncate(victim("secret"), 1));
}

static int opens_by_structure(void)
{
    unsigned long long how[3] = {O_RDONLY};
    return opened(syscall(437, AT_FDCWD, victim("secret"), how, sizeof how)); // openat2
}

static int makes_folder(void)
{
    return told(mkdir(victim("folder"), 0700));
}

static int makes_link(void)
{
    return told(symlink("secret", victim("link")));
}

static int makes_pipe(void)
{
    return told(mkfifo(victim("pipe"), 0600));
}

static int changes_mode(void)
{
    return told(chmod(victim("secret"), 0600));
}

static int renames(void)
{
    char from[4096];
    snprintf(from, sizeof from, "%s", victim("made"));
    return told(rename(from, victim("renamed")));
}

static int removes(void)
{
    return told(unlink(victim("renamed")));
}

static int leaves_folder(void)
{
    return told(chdir("/"));
}

// --- the kernel ---

static int memory_file(void)
{
    return opened(memfd_create("x", MFD_CLOEXEC));
}

static int shared_memory(void)
{
    const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (id < 0) return errno;
    return told(shmctl(id, IPC_RMID, NULL));
}

static int message_queue(void)
{
    const int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    if (id < 0) return errno;
    return told(msgctl(id, IPC_RMID, NULL));
}

static int io_uring(void)
{
    static char parameters[256];
    return opened(syscall(__NR_io_uring_setup, 1, parameters));
}

static int keys(void)
{
    return told(syscall(__NR_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -3, 0, 0, 0));
}

static int mounts(void)
{
    return told(mount("none", victim("."), "tmpfs", MS_REMOUNT | MS_RDONLY, NULL)) ==
                   EINVAL
               ? 0 // it got as far as to look
               : errno;
}

static int new_namespace(void)
{
    return told(unshare(CLONE_NEWUSER));
}

static int watches_files(void)
{
    return opened(inotify_init1(IN_CLOEXEC));
}

static int counts_events(void)
{
    static unsigned attributes[32] = {1, 128}; // of software, the clock of the CPU
    return opened(syscall(__NR_perf_event_open, attributes, 0, -1, -1, 0));
}

static int loads_bpf(void)
{
    static unsigned attributes[32] = {2, 4, 4, 1}; // an array of one number
    return opened(syscall(__NR_bpf, 0, attributes, sizeof attributes));
}

static int faults_for_others(void)
{
    return opened(syscall(__NR_userfaultfd, O_CLOEXEC));
}

static int drives_terminal(void)
{
    char byte = 'x';
    ioctl(0, TIOCSTI, &byte);
    return errno == ENOTTY || errno == EINVAL ? ENOTTY : told(-1);
}

// What this process was not given, it may still have: descriptors above the usual three
// and the two of a helper.
static int has_descriptors(void)
{
    for (int fd = 5; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0) return 0;
    return EBADF;
}

static int has_the_tuners_secrets(void)
{
    return getenv("SECRET_OF_THE_TUNER") ? 0 : ENOENT;
}

/* clang-format off */
const struct attack attacks[] = {
#define ATTACK(name) {#name, name},
    ATTACK(tcp) ATTACK(udp) ATTACK(local_socket) ATTACK(pair_of_sockets) ATTACK(netlink)
    ATTACK(forks) ATTACK(clones) ATTACK(clones_as_of_late) ATTACK(executes)
    ATTACK(executes_descriptor) ATTACK(runs_a_shell) ATTACK(signals_parent)
    ATTACK(signals_all) ATTACK(signals_thread) ATTACK(opens_process) ATTACK(traces)
    ATTACK(reads_memory) ATTACK(limits_parent) ATTACK(lifts_a_limit)
    ATTACK(outlives_parent) ATTACK(leaves_group) ATTACK(hides)
    ATTACK(reads_secret) ATTACK(reads_users) ATTACK(asks_for_secret)
    ATTACK(asks_for_access) ATTACK(lists_root) ATTACK(reads_environment_of_parent)
    ATTACK(makes_file) ATTACK(makes_nameless_file) ATTACK(writes_file)
    ATTACK(writes_own_memory) ATTACK(cuts_file) ATTACK(opens_by_structure)
    ATTACK(makes_folder) ATTACK(makes_link) ATTACK(makes_pipe) ATTACK(changes_mode)
    ATTACK(renames) ATTACK(removes) ATTACK(leaves_folder)
    ATTACK(memory_file) ATTACK(shared_memory) ATTACK(message_queue) ATTACK(io_uring)
    ATTACK(keys) ATTACK(mounts) ATTACK(new_namespace) ATTACK(watches_files)
    ATTACK(counts_events) ATTACK(loads_bpf) ATTACK(faults_for_others)
    ATTACK(drives_terminal) ATTACK(has_descriptors) ATTACK(has_the_tuners_secrets)
};
/* clang-format on */
const size_t attack_count = sizeof attacks / sizeof *attacks;
