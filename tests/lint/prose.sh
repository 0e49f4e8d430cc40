#!/usr/bin/env bash
# Pages are for people: lines of prose have at most 100 columns, paragraphs and items of lists at
# most 100 words. Tables, code and a line that is one piece of code are as long as they are.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77
# shellcheck disable=SC2046
awk -v widest=100 -v most=100 '
    function end_paragraph() {
        if (words > most) { printf "%s:%d: a paragraph of %d words\n", file, from, words; bad = 1 }
        words = 0
    }
    FNR == 1 { end_paragraph(); file = FILENAME; code = 0 }
    /^ *```/ { end_paragraph(); code = !code; next }
    code { next }
    /^ *$/ || /^#/ || /^ *\|/ || /^<!--/ || (/^    / && !words) { end_paragraph(); next }
    length($0) > widest && !/^`[^`]*`$/ {
        printf "%s:%d: %d columns\n", file, FNR, length($0); bad = 1
    }
    /^ *([-*]|[0-9]+\.) / { end_paragraph(); from = FNR; words = NF - 1; next }
    { if (!words) from = FNR; words += NF }
    END { end_paragraph(); exit bad }' $(git ls-files '*.md')
