// Values that nobody wrote, or that another thread writes at the same time, and that do
// not matter: loads that the compiler hoists over their guard, arms of a selection that
// are thrown away, tails that are computed and never stored.

// launch: grid 1, block 32; out o f32[1]; in x f32[4]; i32 n 4
// launch: grid 1, block 32; out o f32[1]; in x f32[4]; i32 n 2
// reference: maximum_reference, block 1
extern "C" __global__ void maximum_of_a_tail(float*o,const float*x,int n){ __shared__ float s[4];
 if((int)threadIdx.x<n) s[threadIdx.x]=x[threadIdx.x]; __syncthreads();
 if(threadIdx.x==0){ float m=s[0];
  if(1<n){float a=s[1]; m=a>m?a:m;} if(2<n){float a=s[2]; m=a>m?a:m;} if(3<n){float a=s[3]; m=a>m?a:m;} o[0]=m; }
}

extern "C" __global__ void maximum_reference(float *o, const float *x, int n)
{
    float m = x[0];
    for (int i = 1; i < n; i++)
        m = x[i] > m ? x[i] : m;
    o[0] = m;
}

// launch: grid 1, block 96; out o f32[1]; in x f32[4]; i32 n 2
// reference: maximum_reference, block 1
extern "C" __global__ void maximum_beside_a_store(float*o,const float*x,int n){ __shared__ float s[4];
 if(threadIdx.x<4) s[threadIdx.x]=x[threadIdx.x]; __syncthreads();
 if(threadIdx.x==0){ float m=s[0];
  if(1<n){float a=s[1]; m=a>m?a:m;} if(2<n){float a=s[2]; m=a>m?a:m;} if(3<n){float a=s[3]; m=a>m?a:m;} o[0]=m; }
 if(threadIdx.x==64&&n<=2) s[2]=5;
}

// Which of 100 points lie in a polygon, by crossings of a ray; points behind the last
// are computed from what is never set, and not stored.
// launch: grid 1, block 32; in px f32[100]; in py f32[100]; in vx f32[7]; in vy f32[7];
//         out inside i32[100]; i32 n 100
// reference: polygon_reference, grid 100, block 1
extern "C" __global__ void point_in_polygon(const float *px, const float *py, const float *vx, const float *vy, int *inside, int n)
{
    float x[4], y[4];
    bool in[4] = {false, false, false, false};
    const int first = threadIdx.x;
    for (int k = 0; k < 4; k++)
        if (first + 32 * k < n) {
            x[k] = px[first + 32 * k];
            y[k] = py[first + 32 * k];
        }
    for (int i = 0, j = 6; i < 7; j = i++) {
        const float slope = (vx[j] - vx[i]) / (vy[j] - vy[i]);
        for (int k = 0; k < 4; k++)
            if (vy[i] > y[k] != vy[j] > y[k] && x[k] < slope * (y[k] - vy[i]) + vx[i])
                in[k] = !in[k];
    }
    for (int k = 0; k < 4; k++)
        if (first + 32 * k < n) inside[first + 32 * k] = in[k];
}

extern "C" __global__ void polygon_reference(const float *px, const float *py, const float *vx, const float *vy, int *inside, int n)
{
    const float x = px[blockIdx.x], y = py[blockIdx.x];
    bool in = false;
    for (int i = 0, j = 6; i < 7; j = i++) {
        const float slope = (vx[j] - vx[i]) / (vy[j] - vy[i]);
        if (vy[i] > y != vy[j] > y && x < slope * (y - vy[i]) + vx[i]) in = !in;
    }
    inside[blockIdx.x] = in;
}

// The same with the unset tail as PTX has it, and a branch that it decides.
// launch: grid 1, block 32; in x f32[50]; out y f32[50]; i32 n 50
extern "C" __global__ void tail_decides_a_branch(const float *x, float *y, int n)
{
    for (int k = 0; k < 2; k++) {
        const int i = threadIdx.x + 32 * k;
        float v;
        asm volatile("{ .reg .f32 never; mov.f32 %0, never; }" : "=f"(v));
        if (i < n) v = x[i];
        float r = v;
        if (v < 0) {
            asm volatile("neg.f32 %0, %0;" : "+f"(r)); // a branch, not a selection
            for (int m = 0; m < 3; m++)
                asm volatile("mul.f32 %0, %0, 0f40000000;" : "+f"(r));
        }
        if (i < n) y[i] = r;
    }
}

extern "C" __global__ void tail_decides_a_branch_reference(const float *x, float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += 32)
        y[i] = x[i] < 0 ? -8 * x[i] : x[i];
}

// Softmax of a row of 50 in place, where every thread loads a clamped element and throws
// it away behind the end: the last element is loaded while its owner stores it.
// launch: grid 1, block 64; inout y f32[50]; i32 C 50; tolerance 1e-6
// reference: softmax_reference, block 1
extern "C" __global__ void softmax_with_clamped_loads(float *y, int C)
{
    __shared__ float part[2];
    const int i = threadIdx.x;
    float v = y[min(C - 1, i)];
    v = i < C ? v : -1e30f;
    float most = v;
    for (int d = 16; d; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
    if (i % 32 == 0) part[i / 32] = most;
    __syncthreads();
    most = fmaxf(part[0], part[1]);
    __syncthreads();
    if (i < C) y[i] = expf(v - most);
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < C; k++)
        sum += y[k];
    __syncthreads();
    const float mine = y[min(C - 1, i)]; // races with the store below for i >= C only
    if (i < C) y[i] = mine / sum;
}

extern "C" __global__ void softmax_reference(float *y, int C)
{
    float most = -1e30f, sum = 0;
    for (int i = 0; i < C; i++)
        most = fmaxf(most, y[i]);
    for (int i = 0; i < C; i++)
        sum += expf(y[i] - most);
    for (int i = 0; i < C; i++)
        y[i] = expf(y[i] - most) / sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void both_arms_of_a_selection_are_loaded(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const int v = s[63 - t]; // the first 24 were never stored
    int r;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, %3; selp.s32 %0, %1, -1, p; }"
                 : "=r"(r)
                 : "r"(v), "r"(63 - t), "r"(n));
    y[t] = r;
}

extern "C" __global__ void both_arms_of_a_selection_are_loaded_reference(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    y[t] = 63 - t < n ? x[63 - t] : -1;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void masked_bits_of_an_unwritten_word(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const int mask = t < n ? -1 : 0;
    y[t] = (s[t] & mask) | (7 & ~mask);
}

extern "C" __global__ void masked_bits_of_an_unwritten_word_reference(const int *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[threadIdx.x] : 7;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void or_with_ones_hides_an_unwritten_word(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    y[t] = s[t] | (t < n ? 0 : -1);
}

extern "C" __global__ void or_with_ones_hides_an_unwritten_word_reference(const int *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[threadIdx.x] : -1;
}

// launch: grid 1, block 64; in x u32[64]; out y u32[64]; i32 n 40
extern "C" __global__ void minimum_with_zero_hides_an_unwritten_word(const unsigned *x, unsigned *y, int n)
{
    __shared__ unsigned s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    y[t] = min(s[t], t < n ? 0xffffffffu : 0u);
}

extern "C" __global__ void minimum_with_zero_hides_an_unwritten_word_reference(const unsigned *x, unsigned *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[threadIdx.x] : 0;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void product_with_zero_and_shift_to_nothing(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const int on = t < n;
    y[t] = s[t] * on + 3 * (1 - on);
}

extern "C" __global__ void product_with_zero_and_shift_to_nothing_reference(const int *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[threadIdx.x] : 3;
}

// Two conditions, the second of a value that only the first makes good: and.pred of both.
// launch: grid 1, block 64; in x f32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void unwritten_side_of_a_conjunction(const float *x, int *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const float v = s[t];
    int r;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %2, %3; setp.gt.and.f32 q, %1, 0f00000000, p;"
                 "selp.s32 %0, 1, 0, q; }"
                 : "=r"(r)
                 : "f"(v), "r"(t), "r"(n));
    y[t] = r;
}

extern "C" __global__ void unwritten_side_of_a_conjunction_reference(const float *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n && x[threadIdx.x] > 0;
}

// launch: grid 1, block 64; in x f32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void unwritten_side_of_a_disjunction(const float *x, int *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const float v = s[t];
    int r;
    asm volatile("{ .reg .pred p, q, o; setp.ge.s32 p, %2, %3; setp.gt.f32 q, %1, 0f00000000; or.pred o, q, p;"
                 "@o bra L1; mov.s32 %0, 0; bra L2; L1: mov.s32 %0, 1; L2: }"
                 : "=r"(r)
                 : "f"(v), "r"(t), "r"(n));
    y[t] = r;
}

extern "C" __global__ void unwritten_side_of_a_disjunction_reference(const float *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x >= n || x[threadIdx.x] > 0;
}

// An unwritten value passes through shared memory and a shuffle and is dropped there.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void unwritten_value_travels_and_is_dropped(const int *x, int *y, int n)
{
    __shared__ int a[32], b[32];
    const int t = threadIdx.x;
    if (t < n) a[t] = x[t];
    __syncwarp();
    b[t] = a[t] + 1;
    __syncwarp();
    const int v = __shfl_xor_sync(~0u, b[t], 1);
    y[t] = (t ^ 1) < n ? v : 0;
}

extern "C" __global__ void unwritten_value_travels_and_is_dropped_reference(const int *x, int *y, int n)
{
    const int other = threadIdx.x ^ 1;
    y[threadIdx.x] = other < n ? x[other] + 1 : 0;
}

// The next tile is loaded before the loop knows that there is none; the value is dropped.
// The owner of what is loaded stores at the same time.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 rounds 3
extern "C" __global__ void prefetch_of_a_round_that_does_not_come(const int *x, int *y, int rounds)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    int next = s[(t + 1) % 64], sum = 0;
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        const int now = next;
        s[t] = now + k;
        if (k + 1 < rounds) __syncthreads();
        next = ((volatile int *)s)[(t + 1) % 64]; // in the last round no barrier orders it
        sum += now;
        if (k + 1 < rounds) __syncthreads();
    }
    y[t] = sum;
}

extern "C" __global__ void prefetch_of_a_round_that_does_not_come_reference(const int *x, int *y, int rounds)
{
    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        sum += x[(threadIdx.x + k + 1) % 64] + k * (k - 1) / 2;
    }
    y[threadIdx.x] = sum;
}

// A guess that another thread may be replacing is only used after it was compared.
// launch: grid 1, block 64; in x i32[64] integers 0 9; out y i32[64]; out first i32[10]
extern "C" __global__ void count_by_compare_and_swap(const int *x, int *y, int *first)
{
    __shared__ int count[10];
    const int t = threadIdx.x;
    if (t < 10) count[t] = 0;
    __syncthreads();
    int seen = count[x[t]], before; // races with those who are through
    do {
        before = seen;
        seen = atomicCAS(&count[x[t]], before, before + 1);
    } while (seen != before);
    __syncthreads();
    y[t] = count[x[t]];
    if (t < 10) first[t] = count[t];
}

extern "C" __global__ void count_by_compare_and_swap_reference(const int *x, int *y, int *first)
{
    int all = 0, mine = 0;
    for (int i = 0; i < 64; i++) {
        all += x[i] == x[threadIdx.x];
        mine += x[i] == (int)threadIdx.x;
    }
    y[threadIdx.x] = all;
    if (threadIdx.x < 10) first[threadIdx.x] = mine;
}

// Border of an image by clamped loads of a tile that is only filled inside.
// launch: grid 1, block 8x8; in x f32[36]; out y f32[36]; i32 w 6; i32 h 6
extern "C" __global__ void image_border_by_selection(const float *x, float *y, int w, int h)
{
    __shared__ float s[8][8];
    const int c = threadIdx.x, r = threadIdx.y;
    if (c < w && r < h) s[r][c] = x[r * w + c];
    __syncthreads();
    const float right = s[r][min(c + 1, 7)], below = s[min(r + 1, 7)][c];
    const float v = s[r][c] + (c + 1 < w ? right : 0) + (r + 1 < h ? below : 0);
    if (c < w && r < h) y[r * w + c] = v;
}

extern "C" __global__ void image_border_by_selection_reference(const float *x, float *y, int w, int h)
{
    const int c = threadIdx.x, r = threadIdx.y;
    if (c >= w || r >= h) return;
    const float *p = x + r * w + c;
    y[r * w + c] = *p + (c + 1 < w ? p[1] : 0) + (r + 1 < h ? p[w] : 0);
}

// launch: grid 1, block 32; in x f32[32]; in scale f32[1]; out y i32[32]; i32 symmetric 1
// launch: grid 1, block 32; in x f32[32]; in scale f32[1]; out y i32[32]; i32 symmetric 0
extern "C" __global__ void quantised_with_an_optional_zero_point(const float *x, const float *scale, int *y, int symmetric)
{
    __shared__ float part[2];
    if (threadIdx.x == 0) part[0] = 64 + scale[0];
    if (threadIdx.x == 1 && !symmetric) part[1] = 3;
    __syncthreads();
    const float zero = part[1];
    int q = __float2int_rn(x[threadIdx.x] * part[0] + (symmetric ? 0.0f : zero));
    y[threadIdx.x] = max(-128, min(127, q));
}

extern "C" __global__ void quantised_with_an_optional_zero_point_reference(const float *x, const float *scale, int *y, int symmetric)
{
    const int q = __float2int_rn(fmaf(x[threadIdx.x], 64 + scale[0], symmetric ? 0 : 3));
    y[threadIdx.x] = max(-128, min(127, q));
}
