/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0: do not edit.
 *
 * MEASURED: times are medians of n launches; clock cupti
 * Intervals are those of the ratio of two medians whose standard error is
 * sqrt(pi / 2) s / sqrt(n), as of normal samples.
 *
 * Row 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   K = 4096, M = 4096, N = 4096
 *   1313.2 us, n 32, standard deviation 0.487 %; 2.510 times as fast as the author's default (95 % interval 2.504 to 2.517)
 *   strategy random, seed 3, 25 evaluated, 22 of them valid, of 96
 *   driver 550.54.14, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 *
 * Row 1: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   K = 512, M = 1000, N = 777
 *   13.702 us, n 32, standard deviation 0.271 %; 2.591 times as fast as the author's default (95 % interval 2.581 to 2.599, 36 paired rounds)
 *   strategy random, seed 2, 25 evaluated, 24 of them valid, of 96
 *   driver 570.86.15, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 *
 * Row 2: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   K = 4096, M = 4096, N = 4096
 *   664.32 us, n 32, standard deviation 0.452 %; 1.916 times as fast as the author's default (95 % interval 1.912 to 1.920)
 *   strategy random, seed 1, 25 evaluated, 24 of them valid, of 96
 *   driver 570.86.15, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 */
#ifndef HONE_EMITTED_sgemm
#define HONE_EMITTED_sgemm

/* What the kernel is compiled with. */
typedef struct sgemm_config {
    int BK;
    int BM;
    int BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
} sgemm_config;

typedef struct sgemm_problem {
    long long K;
    long long M;
    long long N;
} sgemm_problem;

typedef struct sgemm_row {
    const char *device;
    int cc_major, cc_minor, sm_count; /* 0 where the journal lacks them */
    sgemm_problem problem;
    double time_us;
    sgemm_config config;
    const char *defines;    /* compiler options */
    const char *provenance; /* where the row comes from */
} sgemm_row;

enum { SGEMM_ROWS = 3 };

static const sgemm_row sgemm_rows[SGEMM_ROWS] = {
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, {4096LL, 4096LL, 4096LL}, 1313.197,
     {16, 32, 64, "row", 1.25, 1, 108LL},
     "-DBK=16 -DBM=32 -DBN=64 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1",
     "measured: 1313.2 us, n 32, standard deviation 0.487 %; 2.510 times as fast as the author's default (95 % interval 2.504 to 2.517); clock cupti; strategy random, seed 3, 25 evaluated, 22 of them valid, of 96; driver 550.54.14, NVRTC 13.0, recorded by hone 0.1.0; template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
    {"NVIDIA H200", 9, 0, 132, {512LL, 1000LL, 777LL}, 13.702,
     {8, 32, 128, "row", 1.25, 1, 132LL},
     "-DBK=8 -DBM=32 -DBN=128 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1",
     "measured: 13.702 us, n 32, standard deviation 0.271 %; 2.591 times as fast as the author's default (95 % interval 2.581 to 2.599, 36 paired rounds); clock cupti; strategy random, seed 2, 25 evaluated, 24 of them valid, of 96; driver 570.86.15, NVRTC 13.0, recorded by hone 0.1.0; template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
    {"NVIDIA H200", 9, 0, 132, {4096LL, 4096LL, 4096LL}, 664.32,
     {16, 64, 64, "row", 0.5, 0, 132LL},
     "-DBK=16 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0",
     "measured: 664.32 us, n 32, standard deviation 0.452 %; 1.916 times as fast as the author's default (95 % interval 1.912 to 1.920); clock cupti; strategy random, seed 1, 25 evaluated, 24 of them valid, of 96; driver 570.86.15, NVRTC 13.0, recorded by hone 0.1.0; template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};

/* For devices not in the table: the author's default. */
static const sgemm_config sgemm_default_config =
    {8, 64, 64, "row", 0.5, 0, 108LL};


/* What answered: a row of this device and problem; one of the same compute
 * capability; none, so the default. */
enum { SGEMM_EXACT, SGEMM_SAME_ARCH, SGEMM_DEFAULT };

/* The configuration for a device and problem; *tier says what answered (it may be
 * a null pointer). */
static inline const sgemm_config *
sgemm_select(int cc_major, int cc_minor, int sm_count, long long K, long long M, long long N, int *tier)
{
    int i, best = -1, best_rank = 0;
    for (i = 0; i < SGEMM_ROWS; i++) {
        const sgemm_row *row = &sgemm_rows[i];
        int rank = 0;
        if (row->cc_major == cc_major && row->cc_minor == cc_minor)
            rank = row->sm_count == sm_count ? 2 : 1;
        if (rank == 2 && row->problem.K == K && row->problem.M == M && row->problem.N == N)
            rank = 3;
        if (rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    if (tier)
        *tier = best_rank == 3 ? SGEMM_EXACT : best_rank ? SGEMM_SAME_ARCH : SGEMM_DEFAULT;
    return best < 0 ? &sgemm_default_config : &sgemm_rows[best].config;
}

/* The launch: blocks, threads, dynamic shared memory. */
static inline long long sgemm_WAVES(const sgemm_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return (hone_cmp_if(1, config->SCALE) < 0) ? 8 : 4;
}

static inline void sgemm_grid(const sgemm_config *config, long long K, long long M, long long N, unsigned grid[3])
{
    grid[0] = (unsigned)(hone_mul(hone_ceil_div(N, config->BN), config->SWAP ? 1 : 2));
    grid[1] = (unsigned)(hone_min(hone_ceil_div(M, config->BM), hone_mul(sgemm_WAVES(config, K, M, N), config->device_sm_count)));
    grid[2] = (unsigned)(hone_add(hone_floor_div(K, 4096), 1));
}

static inline long long sgemm_THREADS(const sgemm_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return hone_floor_div(hone_mul(config->BM, config->BN), hone_mul(config->BK, 8));
}

static inline void sgemm_block(const sgemm_config *config, long long K, long long M, long long N, unsigned block[3])
{
    block[0] = (unsigned)(sgemm_THREADS(config, K, M, N));
    block[1] = 1;
    block[2] = 1;
}

static inline long long sgemm_TILES(const sgemm_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return hone_mul(hone_add(config->BM, config->BN), config->BK);
}

static inline long long sgemm_SMEM(const sgemm_config *config, long long K, long long M, long long N)
{
    return hone_mul(hone_mul(sgemm_TILES(config, K, M, N), 4), config->SWAP ? 2 : 1);
}

static inline unsigned sgemm_shared_bytes(const sgemm_config *config, long long K, long long M, long long N)
{
    return (unsigned)(hone_add(sgemm_SMEM(config, K, M, N), (hone_cmp_str(config->LAYOUT, "row") == 0) ? 128 : 0));
}

/* A row for compile time: define SGEMM_ROW before the header is included. */
#ifndef SGEMM_ROW
#define SGEMM_ROW 0
#endif
#if SGEMM_ROW == 0
#define SGEMM_BK 16
#define SGEMM_BM 32
#define SGEMM_BN 64
#define SGEMM_LAYOUT "row"
#define SGEMM_SCALE 1.25
#define SGEMM_SWAP 1
#define SGEMM_DEFINES "-DBK=16 -DBM=32 -DBN=64 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1"
#define SGEMM_TIME_US 1313.197
#elif SGEMM_ROW == 1
#define SGEMM_BK 8
#define SGEMM_BM 32
#define SGEMM_BN 128
#define SGEMM_LAYOUT "row"
#define SGEMM_SCALE 1.25
#define SGEMM_SWAP 1
#define SGEMM_DEFINES "-DBK=8 -DBM=32 -DBN=128 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1"
#define SGEMM_TIME_US 13.702
#elif SGEMM_ROW == 2
#define SGEMM_BK 16
#define SGEMM_BM 64
#define SGEMM_BN 64
#define SGEMM_LAYOUT "row"
#define SGEMM_SCALE 0.5
#define SGEMM_SWAP 0
#define SGEMM_DEFINES "-DBK=16 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0"
#define SGEMM_TIME_US 664.32
#else
#error "SGEMM_ROW is the number of no row"
#endif

#endif
