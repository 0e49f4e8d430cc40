/* Models of a space: told what configurations cost, they predict what others cost and
 * suggest what to try. Costs are modelled as logarithms, since times differ by factors,
 * and what is slower than the median counts little: the fast end is what matters. A
 * configuration that failed has no cost; how likely one is to be valid is predicted
 * apart. */
#ifndef HONE_MODEL_H
#define HONE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/space.h"

struct hone_model;

struct hone_prediction {
    double mean, sd; /* of the logarithm of its cost */
    double chance;   /* that it is valid, 0 .. 1 */
};

/* What earlier runs, on other devices or sizes, say of a configuration. */
struct hone_hint {
    uint64_t index;
    double slower; /* logarithm of how much slower than the best */
};

/* What hints, at most one of an index, let expect of every configuration; read only, so
 * many searches may share it. *out is NULL without hints. ENOMEM. */
struct hone_expectation;
enum hone_status hone_expectation_new(struct hone_expectation **out,
                                      const struct hone_space *space,
                                      const struct hone_hint *hints, size_t count,
                                      struct hone_error *err);
void hone_expectation_free(struct hone_expectation *expectation);

/* As a hint would say of index, which has these value numbers; 0 of all when expectation
 * is NULL. */
double hone_expectation_at(const struct hone_expectation *expectation, uint64_t index,
                           const uint16_t *choices);

/* Names of the kinds: "regression" (kernel regression), "trees" (extra trees),
 * "gaussian" (Gaussian process); NULL after the last. */
extern const char *const hone_model_kinds[];

/* A model that knows nothing; space must outlive it. The same seed and tells give the
 * same predictions and suggestions. EINPUT for an unknown kind, ENOMEM. */
enum hone_status hone_model_new(struct hone_model **out, const char *kind,
                                const struct hone_space *space, uint64_t seed,
                                struct hone_error *err);
void hone_model_free(struct hone_model *model);

/* Begin with an expectation, which must outlive the model; before the first tell. A
 * Gaussian process takes it as a trend, for what it is worth here; other kinds go by what
 * they are told alone. */
void hone_model_expect(struct hone_model *model,
                       const struct hone_expectation *expectation);

/* What index costs, above 0; NAN when it failed. Each index once. The order does not
 * matter to what is predicted once all are told, but for rounding, the random numbers of
 * trees, and where a Gaussian process has forgotten samples (it keeps 48 to 96) or chosen
 * its scales in between. EINPUT for an index that the space does not have, ENOMEM. */
enum hone_status hone_model_tell(struct hone_model *model, uint64_t index, double cost,
                                 struct hone_error *err);
size_t hone_model_told(const struct hone_model *model);

/* Take index, not told yet, to cost what is predicted, so that suggestions keep away from
 * it, until the next tell or forget (the believer of Ginsbourger, Le Riche, Carraro:
 * Kriging is well-suited to parallelize optimization, 2010). ENOMEM. */
enum hone_status hone_model_believe(struct hone_model *model, uint64_t index,
                                    struct hone_error *err);
void hone_model_forget(struct hone_model *model);

/* False while no valid configuration was told. */
bool hone_model_predict(struct hone_model *model, const uint64_t *indices, size_t count,
                        struct hone_prediction *out);

/* The most promising configuration that was not told or believed and that skip, when not
 * NULL, lets pass. False when there is none, or nothing to go by. */
typedef bool hone_model_skip(void *context, uint64_t index);
bool hone_model_suggest(struct hone_model *model, hone_model_skip *skip, void *context,
                        uint64_t *out);

/* Expected improvement over best of a normal variable (Mockus 1978; Jones, Schonlau,
 * Welch 1998): the mean of max(best - y, 0). */
double hone_expected_improvement(double mean, double sd, double best);

#endif
