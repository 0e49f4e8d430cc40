/* The line that says how far a run is: a bar and short pieces of text, as many as fit. */
#ifndef HONE_TERMINAL_STATUS_LINE_H
#define HONE_TERMINAL_STATUS_LINE_H

#include <stdbool.h>

#include "terminal/styled.h"

enum { HONE_PIECES_MOST = 6 };

struct hone_status_line {
    double fraction; /* of the run that is over */
    struct hone_piece {
        char text[48];
        int rank; /* where the terminal is narrow, pieces go whole, the last rank first */
        enum hone_style style;
    } pieces[HONE_PIECES_MOST];
    size_t count;
};

/* The next piece; at most HONE_PIECES_MOST. */
void hone_status_line_add(struct hone_status_line *line, int rank, enum hone_style style,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "12 s left", by the time that the run took so far. */
void hone_status_line_add_left(struct hone_status_line *line, int rank, double seconds);

/* "[####....] piece  piece", in at most so many columns; pieces that do not fit leave the
 * line. Returns the columns taken. */
size_t hone_status_line_fit(struct hone_styled *out, struct hone_status_line *line,
                            size_t columns);

/* All pieces, two blanks between. */
void hone_status_line_plain(struct hone_styled *out, const struct hone_status_line *line);

/* When the line is drawn again. Begins as zeros. */
struct hone_status_pace {
    double drawn; /* when it was */
    int tenths;   /* of the run, that a log was told of */
};

/* On a terminal: at once where that is wanted, else a tenth of a second after the last
 * time. */
bool hone_status_due(struct hone_status_pace *pace, bool at_once);

/* In a log: once for each tenth of the run. */
bool hone_status_tenth(struct hone_status_pace *pace, double fraction);

#endif
