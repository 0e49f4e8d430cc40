// Tiles of an operand in shared memory, of lines that lie contiguous in global memory
// too. A line is cut into panels of up to 128 bytes; a panel stores its lines one after
// another, and the 16-byte chunks of a line change places by the line's number, so that
// neither copies into it nor the reads of mma fragments meet in a bank (as CUTLASS's
// "crosswise" and "congruous" layouts; PTX ISA, ldmatrix, has the fragments).
#pragma once

template <class T, int lines, int width, bool words_across> struct Tile {
    // words_across: single words are read, of 4 neighbouring lines at once.
    static constexpr int line_bytes = width * (int)sizeof(T);
    static constexpr int low_bit = line_bytes & -line_bytes; // largest power of two in it
    static constexpr int panel = low_bit < 128 ? low_bit : 128;
    static constexpr int chunks = panel / 16; // of a line of a panel
    static constexpr int panel_bytes = lines * panel;
    static constexpr int bytes = lines * line_bytes;

    static_assert(line_bytes % 32 == 0, "lines of a tile are multiples of 32 bytes");
    static_assert(lines % 8 == 0, "a tile has a multiple of 8 lines");

    // What a chunk's number is combined with, by exclusive or. Equal for lines that are 8
    // apart.
    __device__ static int swizzle(int line)
    {
        constexpr int lines_a_row = 8 / chunks; // of 128 bytes
        if (words_across) return line / lines_a_row % (chunks / 2) * 2;
        return line / lines_a_row % chunks;
    }
};

// Where one lane reads a tile: its first line and chunk, and from there distances that
// are known at compile time. A warp reads span chunks of a line, from a multiple of span
// on; the lane's own chunk is one of the first two, and distances are even.
template <class Tile, int span> struct Cursor {
    // Numbers of chunks add up without a carry into the panel's.
    static constexpr bool apart = span % Tile::chunks == 0 || Tile::chunks % span == 0;
    unsigned base;
    int chunk, mask;

    __device__ Cursor(int line, int first_chunk)
        : base(line * Tile::panel), chunk(first_chunk), mask(Tile::swizzle(line))
    {
        if (!apart) return;
        base += chunk / Tile::chunks * Tile::panel_bytes;
        mask ^= chunk % Tile::chunks;
    }

    // Bytes from the tile's start; lines is a multiple of 8.
    __device__ unsigned at(int lines, int chunks) const
    {
        const int to = apart ? chunks : chunk + chunks;
        return base + to / Tile::chunks * Tile::panel_bytes + lines * Tile::panel +
               (to % Tile::chunks ^ mask) * 16;
    }
};
