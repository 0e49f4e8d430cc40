// Reference for starter.cu: y = alpha * x + y, one thread an element. A reference is as
// plain as can be: it decides what is right, and how fast it is does not matter.
//
//   x, y [N]       the arguments of the template, in its order
//   grid, block    x over the elements

extern "C" __global__ void starter_reference(const float *x, float *y, float alpha, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = fmaf(alpha, x[i], y[i]);
}
