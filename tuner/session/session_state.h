/* The inside of a session, shared by its files. */
#ifndef HONE_SESSION_STATE_H
#define HONE_SESSION_STATE_H

#include "drift.h"
#include "hone/session.h"
#include "session/confirm.h"
#include "session/finals.h"

enum { BATCH = 64 }; // most configurations asked for at once, and trials taken at once

struct session {
    const struct hone_session_options *options;
    const struct hone_space *space;
    struct hone_evaluator *evaluator;
    struct hone_search *search;
    struct hone_session_result *result;
    double start; // seconds, of hone_clock_seconds
    uint16_t *choices;
    uint64_t *first; // the start list, then what is retried
    uint64_t *begun; // launched, and without a trial so far
    size_t in_flight, begun_count, begun_cap;
    bool refused; // the progress callback said stop
    struct hone_drift drift;
    struct hone_shortlist shortlist;
    struct hone_shortlist sound; // as it was when the window of drift began
    struct hone_confirm confirm;
    bool withdrawn; // a best one was: of the next, the search knows little more than cost
    struct hone_trial trials[BATCH];
};

/* --- session.c --- */

/* Seconds since the start, without those in which nobody was there to measure. */
double hone_session_elapsed(const struct session *s);
bool hone_session_holds_finals(const struct session *s);
enum hone_status hone_session_record(struct session *s, const struct hone_trial *trial,
                                     struct hone_error *err);
void hone_session_forget_begun(struct session *s, uint64_t index);

/* --- session_confirm.c --- */

bool hone_session_confirms(const struct session *s);

/* The trial of an index as it was measured, where the session has it; else NULL. */
const struct hone_trial *hone_session_find_whole(struct session *s, uint64_t index);

/* Compare the best and the default, with nothing in flight, until nobody who is to be
 * named is wrong. */
enum hone_status hone_session_confirm(struct session *s, struct hone_error *err);

/* The best goes out without: its record says why, "no: ...", a text that lives for ever.
 */
enum hone_status hone_session_leave_unconfirmed(struct session *s, const char *why,
                                                struct hone_error *err);

#endif
