/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0: do not edit.
 *
 * PREDICTED by the emulator's model, not measured; clock emulated
 *
 * Row 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   K = 4096, M = 4096, N = 4096
 *   653.244 us (predicted); predicted 1.276 times as fast as the author's default
 *   strategy random, seed 1, 25 evaluated, 23 of them valid, of 96
 *   driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 */
#ifndef HONE_EMITTED_sgemm_emu
#define HONE_EMITTED_sgemm_emu

/* What the kernel is compiled with. */
typedef struct sgemm_emu_config {
    int BK;
    int BM;
    int BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
} sgemm_emu_config;

typedef struct sgemm_emu_problem {
    long long K;
    long long M;
    long long N;
} sgemm_emu_problem;

typedef struct sgemm_emu_row {
    const char *device;
    int cc_major, cc_minor, sm_count; /* 0 where the journal lacks them */
    sgemm_emu_problem problem;
    double predicted_us;
    sgemm_emu_config config;
    const char *defines;    /* compiler options */
    const char *provenance; /* where the row comes from */
} sgemm_emu_row;

enum { SGEMM_EMU_ROWS = 1 };

static const sgemm_emu_row sgemm_emu_rows[SGEMM_EMU_ROWS] = {
    {"NVIDIA H200", 9, 0, 132, {4096LL, 4096LL, 4096LL}, 653.244,
     {8, 64, 128, "col", 0.5, 1, 132LL},
     "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1",
     "predicted: 653.244 us (predicted); predicted 1.276 times as fast as the author's default; clock emulated; strategy random, seed 1, 25 evaluated, 23 of them valid, of 96; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};

/* For devices not in the table: the author's default. */
static const sgemm_emu_config sgemm_emu_default_config =
    {8, 64, 64, "row", 0.5, 0, 132LL};


/* What answered: a row of this device and problem; one of the same compute
 * capability; none, so the default. */
enum { SGEMM_EMU_EXACT, SGEMM_EMU_SAME_ARCH, SGEMM_EMU_DEFAULT };

/* The configuration for a device and problem; *tier says what answered (it may be
 * a null pointer). */
static inline const sgemm_emu_config *
sgemm_emu_select(int cc_major, int cc_minor, int sm_count, long long K, long long M, long long N, int *tier)
{
    int i, best = -1, best_rank = 0;
    for (i = 0; i < SGEMM_EMU_ROWS; i++) {
        const sgemm_emu_row *row = &sgemm_emu_rows[i];
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
        *tier = best_rank == 3 ? SGEMM_EMU_EXACT : best_rank ? SGEMM_EMU_SAME_ARCH : SGEMM_EMU_DEFAULT;
    return best < 0 ? &sgemm_emu_default_config : &sgemm_emu_rows[best].config;
}

/* The launch: blocks, threads, dynamic shared memory. */
static inline long long sgemm_emu_WAVES(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return (hone_cmp_if(1, config->SCALE) < 0) ? 8 : 4;
}

static inline void sgemm_emu_grid(const sgemm_emu_config *config, long long K, long long M, long long N, unsigned grid[3])
{
    grid[0] = (unsigned)(hone_mul(hone_ceil_div(N, config->BN), config->SWAP ? 1 : 2));
    grid[1] = (unsigned)(hone_min(hone_ceil_div(M, config->BM), hone_mul(sgemm_emu_WAVES(config, K, M, N), config->device_sm_count)));
    grid[2] = (unsigned)(hone_add(hone_floor_div(K, 4096), 1));
}

static inline long long sgemm_emu_THREADS(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return hone_floor_div(hone_mul(config->BM, config->BN), hone_mul(config->BK, 8));
}

static inline void sgemm_emu_block(const sgemm_emu_config *config, long long K, long long M, long long N, unsigned block[3])
{
    block[0] = (unsigned)(sgemm_emu_THREADS(config, K, M, N));
    block[1] = 1;
    block[2] = 1;
}

static inline long long sgemm_emu_TILES(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return hone_mul(hone_add(config->BM, config->BN), config->BK);
}

static inline long long sgemm_emu_SMEM(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    return hone_mul(hone_mul(sgemm_emu_TILES(config, K, M, N), 4), config->SWAP ? 2 : 1);
}

static inline unsigned sgemm_emu_shared_bytes(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    return (unsigned)(hone_add(sgemm_emu_SMEM(config, K, M, N), (hone_cmp_str(config->LAYOUT, "row") == 0) ? 128 : 0));
}

static inline unsigned long long sgemm_emu_partials_bytes(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    (void)K;
    return (unsigned long long)(config->SWAP ? hone_mul(hone_mul(M, N), config->BK) : 0) * 2;
}

static inline unsigned long long sgemm_emu_shared_bytes_(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    (void)K;
    (void)M;
    (void)N;
    return (unsigned long long)hone_to_int(config->SCALE * (double)2) * 1;
}

/* A row for compile time: define SGEMM_EMU_ROW before the header is included. */
#ifndef SGEMM_EMU_ROW
#define SGEMM_EMU_ROW 0
#endif
#if SGEMM_EMU_ROW == 0
#define SGEMM_EMU_BK 8
#define SGEMM_EMU_BM 64
#define SGEMM_EMU_BN 128
#define SGEMM_EMU_LAYOUT "col"
#define SGEMM_EMU_SCALE 0.5
#define SGEMM_EMU_SWAP 1
#define SGEMM_EMU_DEFINES "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1"
#define SGEMM_EMU_PREDICTED_US 653.244
#else
#error "SGEMM_EMU_ROW is the number of no row"
#endif

#endif
