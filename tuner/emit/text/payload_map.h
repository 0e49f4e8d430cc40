/* Tensor maps in a launch: lines of a function, of which each map has its own (payload.h
 * says how it is read). The driver's host code encodes them. */
#ifndef HONE_EMIT_TEXT_PAYLOAD_MAP_H
#define HONE_EMIT_TEXT_PAYLOAD_MAP_H

static int kernel_encode_a_map(void *MAP_OF, const void *MAP_BASE)
{
    int status = 0;
    /* text */
    if (!status) {
        static const unsigned map_step[] = {1, 1, 1, 1, 1};
        unsigned long long map_size[5], map_stride[5] = {0};
        unsigned map_box[5];
        SET_AXES;
        status =
            kernel_state.driver.encode(MAP_OF, MAP_TYPE, MAP_RANK, MAP_BASE, map_size,
                                       map_stride, map_box, map_step, MAP_MODES);
    }
    /* end of text */
    return status;
}

#endif
