/* What the kinds of models share: the samples, the pool of candidates, and the table of
 * functions that makes a kind. */
#ifndef HONE_SEARCH_MODELS_H
#define HONE_SEARCH_MODELS_H

#include "candidates.h"
#include "history.h"
#include "hone/model.h"
#include "hone/rng.h"
#include "samples.h"

/* A kind. priv is zeroed memory of priv_size bytes, also for fini after a failed init. */
struct hone_model_fns {
    const char *name;
    size_t priv_size;
    enum hone_status (*init)(struct hone_model *model, struct hone_error *err);
    void (*fini)(struct hone_model *model);

    /* Optional. Sample i, the last one, is about to be taken back. */
    void (*remove)(struct hone_model *model, size_t i);

    /* Called before predictions when samples have come or gone; at least one is valid.
     * False when memory runs out. */
    bool (*fit)(struct hone_model *model);
    void (*predict)(struct hone_model *model, const uint64_t *indices, size_t count,
                    struct hone_prediction *out);

    /* How much a prediction promises. */
    double (*worth)(const struct hone_model *model, const struct hone_prediction *p);

    /* Optional. As hone_model_suggest, where the kind chooses candidates itself. */
    bool (*suggest)(struct hone_model *model, hone_model_skip *skip, void *context,
                    uint64_t *out);
};

struct hone_model {
    const struct hone_model_fns *fns;
    void *priv;
    struct hone_rng rng;
    struct hone_samples samples;  /* told, then believed */
    size_t told;                  /* of samples */
    struct hone_history told_set; /* their indices */
    struct hone_candidates pool;
    const struct hone_expectation *expectation; /* borrowed; NULL: none */
    bool fitted;                                /* to the samples as they are */
    size_t settled;                             /* samples when median was taken */
    double median;                              /* of y of what is valid */
};

extern const struct hone_model_fns hone_model_regression;
extern const struct hone_model_fns hone_model_trees;
extern const struct hone_model_fns hone_model_gaussian;

/* The least y of a valid sample. */
double hone_model_best(const struct hone_model *model);

/* y as models learn it: squeezed at the median. */
double hone_model_squeeze(const struct hone_model *model, double y);

/* Take the median anew when samples have grown by this factor since; whether it did. */
bool hone_model_settle(struct hone_model *model, double growth);

/* Told or believed. */
bool hone_model_knows(const struct hone_model *model, uint64_t index);

/* Its value numbers, until the next call. */
const uint16_t *hone_model_row(struct hone_model *model, uint64_t index);

/* Never below the expected improvement of a normal variable whose mean is an improvement
 * by gain, and cheaper; at most 1.5 times it while gain is above -sd. */
float hone_improvement_bound(float gain, float sd);

/* hone_model_suggest from the pool. */
bool hone_model_suggest_pooled(struct hone_model *model, hone_model_skip *skip,
                               void *context, uint64_t *out);

#endif
