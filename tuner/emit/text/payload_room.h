/* Room for a tensor map on the stack of a launch: lines of a function (payload.h says how
 * it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_ROOM_H
#define HONE_EMIT_TEXT_PAYLOAD_ROOM_H

static size_t kernel_place_of_a_map(void)
{
    /* text */
    unsigned char MAP_ROOM[ROOM_BYTES];
    void *MAP_OF = MAP_ROOM + (ALIGNMENT - (size_t)MAP_ROOM % ALIGNMENT) % ALIGNMENT;
    /* end of text */
    return (size_t)MAP_OF % ALIGNMENT;
}

#endif
