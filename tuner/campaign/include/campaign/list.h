/* A campaign as the list of its runs: each tunes one kernel at one problem on one device
 * by one seed. Its identity is the hash of all that decides what it finds: a run of the
 * same identity is the same run, wherever and whenever the list is made. */
#ifndef HONE_CAMPAIGN_LIST_H
#define HONE_CAMPAIGN_LIST_H

#include "base/arena.h"
#include "hone/campaign.h"
#include "hone/script.h"
#include "hone/strbuf.h"

enum { HONE_RUN_ID = 17 }; /* 16 hexadecimal digits and a NUL */
#define HONE_RUN_NONE SIZE_MAX

struct hone_campaign_run {
    size_t kernel, device;           /* numbers of the definition's */
    const struct hone_value *values; /* of the problem, one for each name of the kernel */
    uint64_t seed;
    size_t after; /* number of the run whose results this one begins with, or NONE */
    char id[HONE_RUN_ID];
    const char *folder; /* of its state, made when it is first begun */
};

/* What a kernel of the definition leads to. */
struct hone_campaign_source {
    const char *script; /* path */
    const char *kernel; /* name in the script */
    const char *result; /* the name of its results: with that of the definition */
    const struct hone_constant *names; /* sizes of its problem and their usual values */
    size_t name_count;
    char key[33]; /* hash of script, modules, templates, includes and data */
};

struct hone_campaign {
    struct hone_arena arena;
    struct hone_script *script;
    const struct hone_campaign_def *def;
    const char *path, *folder; /* of the file, absolute; and what holds it */
    const char *state, *output;
    const char *strategy;  /* as `hone tune` takes it, a file with its path; or NULL */
    char strategy_key[33]; /* hash of such a file and its modules; else empty */
    struct hone_campaign_source *sources; /* one for each kernel of def */
    struct hone_campaign_run *runs;
    size_t run_count;
    bool allow_io; /* its user lets it reach out: commands that do its runs say so */
};

/* Read the file, load its kernels, list the runs: no device is opened, nothing is
 * written. EINPUT with file and line for what the file, its kernels or lists of problems
 * have wrong; ENOTFOUND without the file. */
enum hone_status hone_campaign_open(struct hone_campaign **out, const char *path,
                                    struct hone_error *err);
void hone_campaign_close(struct hone_campaign *campaign); /* NULL is fine */

/* EINPUT with file and line where options hold a word that the campaign says itself, in
 * any spelling. hone_campaign_open has looked. */
enum hone_status hone_campaign_check_own(const struct hone_campaign *campaign,
                                         struct hone_error *err);

/* EUSAGE with file and line where the strategy starts a program, words go to sbatch as
 * they are, or options hold more than those that change only how `hone tune` searches and
 * measures: for who runs it without allow_io. hone_campaign_check_own has passed it. */
enum hone_status hone_campaign_check_reach(const struct hone_campaign *campaign,
                                           struct hone_error *err);

/* The number of the run whose identity begins so. EUSAGE where none does, or several. */
enum hone_status hone_campaign_find(size_t *out, const struct hone_campaign *campaign,
                                    const char *id, struct hone_error *err);

/* "M=512 N=64"; nothing without sizes. */
void hone_run_problem_text(struct hone_strbuf *out, const struct hone_campaign *campaign,
                           const struct hone_campaign_run *run);

/* A file of the run's folder: HONE_RUN_JOURNAL, ... Freed by the caller; NULL when out of
 * memory. */
#define HONE_RUN_JOURNAL "journal.jsonl"
#define HONE_RUN_LOG     "log"
#define HONE_RUN_EVENTS  "events.jsonl"
#define HONE_RUN_CANCEL  "cancel"
#define HONE_RUN_JOB     "job"
char *hone_run_file(const struct hone_campaign_run *run, const char *name);

#endif
