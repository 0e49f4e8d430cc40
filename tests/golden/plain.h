/* Tuned configurations of the kernel plain. Emitted by hone 0.1.0: do not edit.
 *
 * MEASURED: times are medians of n launches
 *
 * Row 0: a device that was not named
 *   3 us
 *   2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_plain
#define HONE_EMITTED_plain

/* What the kernel is compiled with. */
typedef struct plain_config {
    int X;
} plain_config;

typedef struct plain_row {
    const char *device;
    int cc_major, cc_minor, sm_count; /* 0 where the journal lacks them */
    double time_us;
    plain_config config;
    const char *defines;    /* compiler options */
    const char *provenance; /* where the row comes from */
} plain_row;

enum { PLAIN_ROWS = 1 };

static const plain_row plain_rows[PLAIN_ROWS] = {
    {"", 0, 0, 0, 3.0,
     {1},
     "-DX=1",
     "measured: 3 us; 2 evaluated, 2 of them valid"},
};

/* For devices not in the table: the first row's. */
static const plain_config plain_default_config =
    {1};

/* What answered: a row of this device and problem; one of the same compute
 * capability; none, so the default. */
enum { PLAIN_EXACT, PLAIN_SAME_ARCH, PLAIN_DEFAULT };

/* The configuration for a device and problem; *tier says what answered (it may be
 * a null pointer). */
static inline const plain_config *
plain_select(int cc_major, int cc_minor, int sm_count, int *tier)
{
    int i, best = -1, best_rank = 0;
    for (i = 0; i < PLAIN_ROWS; i++) {
        const plain_row *row = &plain_rows[i];
        int rank = 0;
        if (row->cc_major == cc_major && row->cc_minor == cc_minor)
            rank = row->sm_count == sm_count ? 2 : 1;
        if (rank == 2)
            rank = 3;
        if (rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    if (tier)
        *tier = best_rank == 3 ? PLAIN_EXACT : best_rank ? PLAIN_SAME_ARCH : PLAIN_DEFAULT;
    return best < 0 ? &plain_default_config : &plain_rows[best].config;
}

/* A row for compile time: define PLAIN_ROW before the header is included. */
#ifndef PLAIN_ROW
#define PLAIN_ROW 0
#endif
#if PLAIN_ROW == 0
#define PLAIN_X 1
#define PLAIN_DEFINES "-DX=1"
#define PLAIN_TIME_US 3.0
#else
#error "PLAIN_ROW is the number of no row"
#endif

#endif
