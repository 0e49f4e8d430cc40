/* Kernel, space and strategy scripts: run a Lua script in a sandbox and take the
 * definition it returns. What scripts may say: docs/lua-api.md. */
#ifndef HONE_SCRIPT_H
#define HONE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/kernel.h"
#include "hone/search.h"

enum hone_script_kind {
    HONE_SCRIPT_KERNEL,
    HONE_SCRIPT_SPACE,
    HONE_SCRIPT_STRATEGY,
    HONE_SCRIPT_CAMPAIGN /* campaign.h */
};

/* --set M=4096: a problem size, or pins a tune parameter to one of its values. */
struct hone_script_set {
    const char *name;
    const char *value;
};

struct hone_script_options {
    const struct hone_limits *limits; /* device.* in expressions; required */
    const struct hone_script_set *set;
    size_t set_count;
    uint64_t max_instructions; /* of the Lua machine; 0: 500 million */
    size_t max_memory_bytes;   /* of the script's own data; 0: 1 GiB */
    bool allow_io;             /* io, os, and templates from anywhere */
    /* Further folders to look for templates in, after the script's and ../templates
     * beside it. */
    const char *const *template_path;
    size_t template_path_count;
};

/* Bytes of one string or table of a script, whatever max_memory_bytes says: an
 * instruction may go through all of it. */
#define HONE_SCRIPT_BLOCK_MAX ((size_t)32 << 20)

/* Well over the 60 s after which a call is ended by its own checks. */
#define HONE_SCRIPT_OVERDUE_S 90

struct hone_script;

/* Run the script at path. ENOTFOUND when there is none; EINPUT with file and line for
 * whatever is wrong with it, a limit it ran over included; EUSAGE for a setting that
 * names nothing in it. Warnings and what the script prints go to hone_log. Nothing of
 * options is kept. */
enum hone_status hone_script_load(struct hone_script **out, const char *path,
                                  const struct hone_script_options *options,
                                  struct hone_error *err);
enum hone_script_kind hone_script_kind(const struct hone_script *script);

/* Borrowed from the script. Of a space script only name, source, space and problem_count
 * are set. Constraints that are Lua functions call back into the script: keep it until
 * the space is made, and do not use one script from two threads. These calls share a
 * second allowance of max_instructions; spending it is ELIMIT. */
const struct hone_kernel_def *hone_script_def(const struct hone_script *script);

/* The strategy that a script of that kind defines, for hone_search_new; borrowed from the
 * script. Several searches may use it at once, also from several threads: they take
 * turns. A strategy that raises or spends its instructions is reported by hone_log, and
 * the search goes on at random. */
const struct hone_strategy_fns *hone_script_strategy(const struct hone_script *script);

/* Hash of the texts of the script and of the modules beside it that it required, as 32
 * hexadecimal digits; not of templates and data. ENOMEM. */
enum hone_status hone_script_hash(char out[33], const struct hone_script *script,
                                  struct hone_error *err);

void hone_script_free(struct hone_script *script);

/* --- a watchdog's view --- */

/* The limits above end a script wherever it looks at them, which every library function
 * that scripts can call is made to do. Should one be missing, only the process can be
 * ended, and that is no library's to do: a program that runs foreign scripts calls this
 * every second or so, from one thread of its own. true: one call into a script has used
 * over limit_s of processor time since it was first seen; path (at most size bytes) is
 * the script's. */
bool hone_script_overdue(double limit_s, char *path, size_t size);

#endif
