// An application that tunes the block size of its own loop while it runs. What a call
// takes is made up, so that the end is known: 64 is best.
#include <hone/hone.h>
#include <stdio.h>

static double call(int64_t block, unsigned number)
{
    const double jitter = (double)(number * 7919 % 11) / 1000;
    return 10 + 0.1 * (double)(block > 64 ? block - 64 : 64 - block) + jitter;
}

int main(void)
{
    struct hone_value values[6];
    for (int i = 0; i < 6; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = INT64_C(8) << i};
    const struct hone_param block = {.name = "block", .values = values, .count = 6};
    const struct hone_space_def def = {.params = &block, .param_count = 1};
    const struct hone_online_options options = {.seed = 1};
    struct hone_error err = {0};
    struct hone_space *space = NULL;
    struct hone_online *online = NULL;
    enum hone_status status = hone_space_new(&space, &def, &err);
    if (status == HONE_OK) status = hone_online_new(&online, space, &options, &err);
    for (unsigned i = 0; status == HONE_OK && i < 500; i++) {
        uint64_t index;
        uint16_t choice;
        status = hone_online_next(online, &index, &err);
        if (status != HONE_OK) break;
        hone_space_choices(space, index, &choice);
        status = hone_online_report(online, index, call(values[choice].i, i), &err);
    }
    if (status != HONE_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const struct hone_online_state end = hone_online_state(online);
    uint16_t choice;
    hone_space_choices(space, end.best, &choice);
    printf("block %d, %d tried, %d of %d calls to try\n", (int)values[choice].i,
           (int)end.tried, (int)end.new_calls, (int)end.calls);
    const bool right = end.converged && values[choice].i == 64;
    hone_online_free(online);
    hone_space_free(space);
    return !right;
}
