/* What a Gaussian process says of some thousand candidates, kept up as samples come: the
 * whole space where it is small, else a sample of it with the neighbours of the best. */
#ifndef HONE_SEARCH_FIELD_H
#define HONE_SEARCH_FIELD_H

#include "gaussian.h"

struct hone_rng;

enum { HONE_FIELD_SAMPLE = 4096, HONE_FIELD_MOST = HONE_FIELD_SAMPLE + 1024 };

struct hone_field {
    const struct hone_space *space;             /* borrowed */
    const struct hone_expectation *expectation; /* borrowed; NULL: none */
    bool whole;                                 /* candidates are all there are */
    size_t width;      /* room for candidates, at most HONE_FIELD_MOST */
    size_t count;      /* of candidates */
    size_t next;       /* to be replaced when one more joins */
    uint64_t *index;   /* [width] */
    uint16_t *choices; /* [axes][width] */
    size_t rows;       /* samples taken in */
    float *parts;      /* [cap][width] factor^-1 times covariance */
    float *left;       /* [width] of the unit variance */
    float *mean;       /* [width] */
    float *expected;   /* [width] by expectation */
    float *gaps;       /* [axes.most] for one axis */
    uint16_t *row;
};

/* For as many samples as g has room for, without candidates. ENOMEM. fini also after a
 * failed init. */
enum hone_status hone_field_init(struct hone_field *field, const struct hone_space *space,
                                 const struct hone_gaussian *g, struct hone_error *err);
void hone_field_fini(struct hone_field *field);

/* Candidates anew, without any sample taken in: those that joined are gone. */
void hone_field_draw(struct hone_field *field, const struct hone_gaussian *g,
                     struct hone_rng *rng);

/* Let candidates join that are none; the oldest of those that joined give way. */
void hone_field_join(struct hone_field *field, const struct hone_gaussian *g,
                     const uint64_t *indices, size_t n);

/* Take in the samples that came since, or go back to count of them. */
void hone_field_grow(struct hone_field *field, const struct hone_gaussian *g);
void hone_field_cut(struct hone_field *field, size_t count);

/* Means at all candidates, of a process that is settled; its trend is what is expected,
 * squeezed at usual. */
void hone_field_settle(struct hone_field *field, const struct hone_gaussian *g,
                       double usual);

#endif
