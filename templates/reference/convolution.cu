// Reference for 2-D convolutions with a 15 x 15 filter, one thread an element.
//
//   in     [height + 14][width + 14], out [height][width]   row-major, dense
//   filter [15][15]   by value
//   grid, block   x over the columns of out, y over its rows
//   result        fmaf over the filter's rows, then columns, the order of the template

constexpr int SIZE = 15;

struct Filter {
    float weight[SIZE][SIZE];
};

extern "C" __global__ void convolution_reference(const float *in,
                                                 const __grid_constant__ Filter filter,
                                                 float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int in_width = width + SIZE - 1;
    float sum = 0.0f;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum = fmaf(in[(y + i) * in_width + x + j], filter.weight[i][j], sum);
    out[y * width + x] = sum;
}
