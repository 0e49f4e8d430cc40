// Tiles of keys that lie in pages, copied one after another by the threads of Copier.
#pragma once

#include "line_copier.cuh"
#include "page_numbers.cuh"

// Of width keys, step tiles apart; a page has page_keys keys, or 0: there are no pages.
template <class Copier, int page_keys, int width, int step> struct PagedTiles {
    typedef typename Copier::Element Element;
    typedef PageNumbers<page_keys, width, step> Numbers;
    static constexpr int part = width / Numbers::pages; // keys of a tile in one page

    Numbers numbers; // those that were read last
    long long page;  // elements from one to the next
    int token;
    unsigned long long policy;

    // Where this thread's copies begin, of keys that page 0 or, without pages, all of the
    // sequence begin with.
    __device__ const Element *start(const Element *keys) const
    {
        return keys + (long long)(Copier::line(0) % part) * token + Copier::column();
    }
    // Zeros behind the last key of the sequence; the tile has one at least.
    __device__ void copy(unsigned to, const Element *start, int tile)
    {
        const int first = tile * width, lane = numbers.lane(tile);
        const int before = page_keys ? first % max(page_keys, 1) : first; // in the page
        const Element *const from = start + (long long)before * token;
        if (first + width <= numbers.length)
            copy_whole(to, from, lane);
        else
            copy_last(to, from, lane, numbers.length - first);
    }

  private:
    // From this thread's chunk of round 0 on, were all rounds in one page.
    __device__ long long ahead(int round) const
    {
        return (long long)(round * Copier::at_once % part) * token;
    }
    // Of the page that this thread's key of a round is in. lane: holds the tile's first.
    __device__ long long page_of(int lane, int round) const
    {
        return numbers.of_lane(lane + Copier::line(round) / part) * page;
    }
    __device__ void copy_whole(unsigned to, const Element *from, int lane) const
    {
        constexpr bool apart = Copier::at_once > part; // several pages in a round
        const Element *pages[Numbers::pages];
        if (!apart)
#pragma unroll
            for (int i = 0; i < Numbers::pages; i++)
                pages[i] = from + numbers.of_lane(lane + i) * page;
        const auto at = [&](int round) -> const Element * {
            if (apart) return from + page_of(lane, round);
            return pages[round * Copier::at_once / part] + ahead(round);
        };
        Copier::copy_inside(to, at, policy);
    }
    __device__ void copy_last(unsigned to, const Element *from, int lane, int keys) const
    {
        const auto find = [&](int round, int line) -> Line<Element> {
            const long long at = page_of(lane, round) + ahead(round);
            const bool valid = line < keys;
            return {valid ? from + at : from, valid};
        };
        Copier::copy_edge(to, find, true, policy);
    }
};
