// y[i] = 2 x[i], one after another.
extern "C" __global__ void notes_reference(const float *x, float *y, unsigned *notes,
                                           int N)
{
    for (int i = 0; i < N; i++)
        y[i] = 2.0f * x[i];
    (void)notes;
}
