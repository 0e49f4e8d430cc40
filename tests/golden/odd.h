/* Tuned configurations of the kernel odd kernel<float>. Emitted by hone 0.1.0: do not edit.
 *
 * MEASURED: times are medians of n launches; clock event
 *
 * Row 0: GPU "X" * / ? ?/ / * _ _ é (compute capability 7.0, 80 SMs)
 *   block = 3, tier = 2.5, kind = a* /b, on = true
 *   1.5 us, n 7
 *   strategy * / int x; / *, seed 18446744073709551615, 2 evaluated, 2 of them valid
 *   template ? ?/
 */
#ifndef HONE_EMITTED_ODD
#define HONE_EMITTED_ODD

/* What the kernel is compiled with. */
typedef struct ODD_config {
    long long config;
    double grid;
    const char *EXACT;
    int ROW;
    long long device_warp_size; /* of the device it was tuned on */
} ODD_config;

typedef struct ODD_problem {
    long long block_of_problem;
    double tier_of_problem;
    const char *kind;
    int on;
} ODD_problem;

typedef struct ODD_row {
    const char *device;
    int cc_major, cc_minor, sm_count; /* 0 where the journal lacks them */
    ODD_problem problem;
    double time_us;
    ODD_config config;
    const char *defines;    /* compiler options */
    const char *provenance; /* where the row comes from */
} ODD_row;

enum { ODD_ROWS = 1 };

static const ODD_row ODD_rows[ODD_ROWS] = {
    {"GPU \042X\042 */ \077\077/ /* \134 \012 \303\251", 7, 0, 80, {3LL, 2.5, "a*/b", 1}, 1.5,
     {1LL, 1.0, "unsigned long", 0, 32LL},
     "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0",
     "measured: 1.5 us, n 7; clock event; strategy */ int x; /*, seed 18446744073709551615, 2 evaluated, 2 of them valid; template \077\077/"},
};

/* For devices not in the table: the first row's. */
static const ODD_config ODD_default_config =
    {1LL, 1.0, "unsigned long", 0, 32LL};


/* What answered: a row of this device and problem; one of the same compute
 * capability; none, so the default. */
enum { ODD_EXACT, ODD_SAME_ARCH, ODD_DEFAULT };

/* The configuration for a device and problem; *tier says what answered (it may be
 * a null pointer). */
static inline const ODD_config *
ODD_select(int cc_major, int cc_minor, int sm_count, long long block_of_problem, double tier_of_problem, int *tier)
{
    int i, best = -1, best_rank = 0;
    for (i = 0; i < ODD_ROWS; i++) {
        const ODD_row *row = &ODD_rows[i];
        int rank = 0;
        if (row->cc_major == cc_major && row->cc_minor == cc_minor)
            rank = row->sm_count == sm_count ? 2 : 1;
        if (rank == 2 && row->problem.block_of_problem == block_of_problem && row->problem.tier_of_problem == tier_of_problem)
            rank = 3;
        if (rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    if (tier)
        *tier = best_rank == 3 ? ODD_EXACT : best_rank ? ODD_SAME_ARCH : ODD_DEFAULT;
    return best < 0 ? &ODD_default_config : &ODD_rows[best].config;
}

/* The launch: blocks, threads, dynamic shared memory. */
static inline void ODD_grid(const ODD_config *config, long long block_of_problem, double tier_of_problem, unsigned grid[3])
{
    grid[0] = (unsigned)(hone_mul(block_of_problem, config->config));
    grid[1] = (unsigned)hone_to_int(tier_of_problem * (double)2);
    grid[2] = (unsigned)((hone_cmp_str("a*/b", "a*/b") == 0) ? 1 : 2);
}

static inline long long ODD_sm(const ODD_config *config, long long block_of_problem, double tier_of_problem)
{
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    return 1 ? 2 : 1;
}

static inline void ODD_block(const ODD_config *config, long long block_of_problem, double tier_of_problem, unsigned block[3])
{
    block[0] = (unsigned)(config->device_warp_size);
    block[1] = 1;
    block[2] = (unsigned)(ODD_sm(config, block_of_problem, tier_of_problem));
}

static inline unsigned ODD_shared_bytes(const ODD_config *config, long long block_of_problem, double tier_of_problem)
{
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    return (unsigned)hone_to_int(hone_square_f((double)2));
}

/* A row for compile time: define ODD_ROW before the header is included. */
#ifndef ODD_ROW
#define ODD_ROW 0
#endif
#if ODD_ROW == 0
#define ODD_config_ 1LL
#define ODD_grid_ 1.0
#define ODD_EXACT_ "unsigned long"
#define ODD_ROW_ 0
#define ODD_DEFINES "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0"
#define ODD_TIME_US 1.5
#else
#error "ODD_ROW is the number of no row"
#endif

#endif
