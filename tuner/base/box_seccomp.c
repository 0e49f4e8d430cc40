// seccomp (seccomp(2)): what a compiler needs is let through, and all else fails with
// EPERM. A list of what is allowed outlives the calls that kernels will have. Found by
// tracing NVRTC 12.4 and 13.0, glibc 2.36 and the sanitizers.
#define _GNU_SOURCE // clone flags
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/box.h"

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if !defined MACHINE

int hone_box_seccomp(const struct hone_box_rules *rules)
{
    (void)rules;
    return ENOSYS;
}

#else

enum { PROGRAM_MAX = 512, X32_CALLS = 0x40000000 };

// Harmless whatever the arguments. The clocks are read without a call.
/* clang-format off */
static const unsigned simple[] = {
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_close, __NR_fstat,
    __NR_lseek, __NR_getdents64, __NR_ppoll, __NR_mmap, __NR_munmap, __NR_mprotect,
    __NR_mremap, __NR_madvise, __NR_mincore, __NR_brk, __NR_futex, __NR_set_robust_list,
    __NR_set_tid_address, __NR_rseq, __NR_membarrier, __NR_sched_yield,
    __NR_sched_getaffinity, __NR_sched_getparam, __NR_sched_getscheduler, __NR_getcpu,
    __NR_gettid, __NR_getpid, __NR_getppid, __NR_getuid, __NR_geteuid, __NR_getgid,
    __NR_getegid, __NR_getcwd, __NR_clock_gettime, __NR_clock_getres,
    __NR_clock_nanosleep, __NR_nanosleep, __NR_times, __NR_getrusage, __NR_sysinfo,
    __NR_uname, __NR_getrandom, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn,
    __NR_sigaltstack, __NR_restart_syscall, __NR_exit, __NR_exit_group,
#ifdef __x86_64__
    __NR_poll, __NR_arch_prctl,
#endif
};
/* clang-format on */

// Questions about a path, which change nothing.
static const unsigned about_paths[] = {
    __NR_newfstatat, __NR_faccessat, __NR_readlinkat, __NR_statx,
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __x86_64__
    __NR_stat,       __NR_lstat,     __NR_access,     __NR_readlink,
#endif
};

struct program {
    struct sock_filter code[PROGRAM_MAX];
    unsigned short length;
    bool overflowed;
};

static void emit(struct program *p, struct sock_filter instruction)
{
    if (p->length == PROGRAM_MAX)
        p->overflowed = true;
    else
        p->code[p->length++] = instruction;
}

static void box_seccomp_load(struct program *p, size_t offset)
{
    emit(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void end(struct program *p, unsigned action)
{
    emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void box_seccomp_fail(struct program *p, int error)
{
    end(p, SECCOMP_RET_ERRNO | (unsigned)error);
}

// How many of the next instructions are passed over when the test holds, or not.
static void jump(struct program *p, int test, unsigned value, int holds, int else_)
{
    emit(p, (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | test | BPF_K), value,
                                         (unsigned char)holds, (unsigned char)else_));
}

static void answer(struct program *p, unsigned call, unsigned action)
{
    jump(p, BPF_JEQ, call, 0, 1);
    end(p, action);
}

// The low half of an argument; both machines are little-endian.
static size_t argument(int i)
{
    return offsetof(struct seccomp_data, args) + 8 * (size_t)i;
}

// These look at an argument only where the call is theirs, and answer it then: behind
// them the number of the call is still what was loaded.

// Allowed where one argument is among values.
static void allow_values(struct program *p, unsigned call, int which,
                         const unsigned *values, size_t count)
{
    jump(p, BPF_JEQ, call, 0, (int)(2 * count + 2));
    box_seccomp_load(p, argument(which));
    for (size_t i = 0; i < count; i++)
        answer(p, values[i], SECCOMP_RET_ALLOW);
    box_seccomp_fail(p, EPERM);
}

// Allowed where of the flags those of must are set, and none of never.
static void allow_flags(struct program *p, unsigned call, int which, unsigned must,
                        unsigned never)
{
    jump(p, BPF_JEQ, call, 0, 5);
    box_seccomp_load(p, argument(which));
    emit(p, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, must | never));
    jump(p, BPF_JEQ, must, 0, 1);
    end(p, SECCOMP_RET_ALLOW);
    box_seccomp_fail(p, EPERM);
}

// Limits may be read, of this process.
static void allow_prlimit(struct program *p)
{
    jump(p, BPF_JEQ, __NR_prlimit64, 0, 6);
    box_seccomp_load(p, argument(2));
    jump(p, BPF_JEQ, 0, 0, 3);
    box_seccomp_load(p, argument(2) + 4);
    jump(p, BPF_JEQ, 0, 0, 1);
    end(p, SECCOMP_RET_ALLOW);
    box_seccomp_fail(p, EPERM);
}

// Nothing is opened for writing, and nothing at all where no path is readable.
static void allow_opening(struct program *p, bool readable)
{
    const unsigned never = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | O_PATH |
                           (O_TMPFILE & ~(unsigned)O_DIRECTORY);
    for (size_t i = 0; i < sizeof about_paths / sizeof *about_paths; i++)
        answer(p, about_paths[i],
               readable ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ENOENT);
    if (readable) {
        allow_flags(p, __NR_openat, 2, 0, never);
#ifdef __NR_open
        allow_flags(p, __NR_open, 1, 0, never);
#endif
        return;
    }
    answer(p, __NR_openat, SECCOMP_RET_ERRNO | ENOENT);
#ifdef __NR_open
    answer(p, __NR_open, SECCOMP_RET_ERRNO | ENOENT);
#endif
}

static void compose(struct program *p, const struct hone_box_rules *rules)
{
    static const unsigned asks[] = {F_GETFD, F_GETFL};
    static const unsigned naming[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* VMA */};
    const unsigned self[] = {(unsigned)getpid()};
    const unsigned thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    const unsigned spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                            CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    box_seccomp_load(p, offsetof(struct seccomp_data, arch));
    jump(p, BPF_JEQ, MACHINE, 1, 0);
    end(p, SECCOMP_RET_KILL_PROCESS);
    box_seccomp_load(p, offsetof(struct seccomp_data, nr));
    jump(p, BPF_JGE, X32_CALLS, 0, 1);
    box_seccomp_fail(p, EPERM);
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        answer(p, simple[i], SECCOMP_RET_ALLOW);
    allow_opening(p, rules->readable_count > 0);
    allow_flags(p, __NR_clone, 0, thread, spaces);
    answer(p, __NR_clone3, SECCOMP_RET_ERRNO | ENOSYS); // glibc takes clone then
    answer(p, __NR_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
    allow_prlimit(p);
    allow_values(p, __NR_tgkill, 0, self, 1); // abort
    allow_values(p, __NR_kill, 0, self, 1);
    allow_values(p, __NR_fcntl, 1, asks, 2);
    allow_values(p, __NR_prctl, 0, naming, 3);
    box_seccomp_fail(p, EPERM);
}

// For all threads. Without SPEC_ALLOW kernels before 5.16 slow the process down.
static int install(const struct sock_fprog *program)
{
    static const unsigned flags[] = {SECCOMP_FILTER_FLAG_TSYNC |
                                         SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                                     SECCOMP_FILTER_FLAG_TSYNC};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], program) == 0)
            return 0;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) == 0 ? 0 : errno;
}

int hone_box_seccomp(const struct hone_box_rules *rules)
{
    struct program p = {.length = 0};
    compose(&p, rules);
    if (p.overflowed) return E2BIG;
    const struct sock_fprog program = {.len = p.length, .filter = p.code};
    return install(&program);
}

#endif
