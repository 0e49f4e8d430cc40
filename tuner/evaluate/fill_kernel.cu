
// The kernel that fills a buffer, behind fill_values.h. Of a FILE the first period
// elements are there already.
template <typename T>
__device__ void fill_as(T *out, hone_fill_bits count, const hone_fill_rule &rule)
{
    const hone_fill_bits step = (hone_fill_bits)gridDim.x * blockDim.x;
    hone_fill_bits i = (hone_fill_bits)blockIdx.x * blockDim.x + threadIdx.x;
    if (rule.fill == HONE_FILL_FILE) {
        for (i += rule.period; i < count; i += step)
            out[i] = out[i % rule.period];
        return;
    }
    for (; i < count; i += step)
        out[i] = (T)hone_fill_element(&rule, i);
}

extern "C" __global__ void hone_fill(void *out, hone_fill_bits count, hone_fill_rule rule)
{
    if (rule.bytes == 1)
        fill_as((unsigned char *)out, count, rule);
    else if (rule.bytes == 2)
        fill_as((unsigned short *)out, count, rule);
    else if (rule.bytes == 4)
        fill_as((unsigned int *)out, count, rule);
    else
        fill_as((hone_fill_bits *)out, count, rule);
}
