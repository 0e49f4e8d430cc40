// Functions that are not inlined: values, structs by value, arrays on the stack, a call
// within a call, and one that only some lanes make.
struct pixel {
    float4 colour;
    int tag;
    char name[3];
};

__noinline__ __device__ float scaled(float x, int n)
{
    return n > 3 ? x * n : x;
}

__noinline__ __device__ pixel changed(pixel p, const float *by)
{
    p.tag += 1;
    p.colour.x += *by;
    p.name[p.tag & 1] = 3;
    return p;
}

__noinline__ __device__ void scale_even(float *data, int n)
{
    if (n & 1) return;
    data[n] = scaled(data[n], n);
}

__noinline__ __device__ int sum_of_squares(int n)
{
    int squares[8];
    for (int i = 0; i < 8; i++)
        squares[(i * 3) & 7] = i * i + n;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += squares[i & 7];
    return sum;
}

extern "C" __global__ void calls(float *data, int n)
{
    int t = threadIdx.x;
    pixel p = {{1, 2, 3, 4}, t, {1, 2, 3}};
    if (t & 1) p = changed(p, data + t);
    scale_even(data, t);
    data[t] += p.colour.x + p.tag + p.name[n] + sum_of_squares(t % 5);
}
