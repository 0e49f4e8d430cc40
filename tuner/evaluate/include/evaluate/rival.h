/* The best so far as the rival of the next: who clearly loses the race is not measured to
 * the end (racing as in Birattari et al., GECCO 2002, with one rival). The margin comes
 * from the noise that was seen. */
#ifndef HONE_EVALUATE_RIVAL_H
#define HONE_EVALUATE_RIVAL_H

#include "hone/device.h"
#include "hone/trial.h"

enum { HONE_RIVAL_NOISES = 31 };

struct hone_rival { /* {0} knows nobody */
    double best_us;
    double noises[HONE_RIVAL_NOISES]; /* rel_std of the latest; a ring */
    size_t told;
};

/* Trials that were not measured are fine and tell nothing. */
void hone_rival_tell(struct hone_rival *rival, const struct hone_trial *trial);

/* The policy to time the next configuration by. */
struct hone_time_policy hone_rival_policy(const struct hone_rival *rival,
                                          const struct hone_time_policy *policy);

/* Median of the latest noises; 0 when there is none. */
double hone_rival_noise(const struct hone_rival *rival);

#endif
