#!/usr/bin/env bash
# House rules that a script can see: length of lines, functions and files, third-party headers in one place.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77
# Tests hold data, tables and expected messages in long lines; they are measured by the file.
bad=0
check() { # COLUMNS LINES LINES_OF_A_FUNCTION FILE...
    awk -v widest="$1" -v longest="$2" -v most="$3" '
        function ended() {
            if (lines > longest) { printf "%s: %d lines\n", file, lines; bad = 1 }
        }
        FNR == 1 { ended(); file = FILENAME; from = 0 }
        { lines = FNR }
        length($0) > widest { printf "%s:%d: %d columns\n", file, FNR, length($0); bad = 1 }
        /^\{$/ { from = FNR }
        /^\}$/ && from {
            if (FNR - from - 1 > most) {
                printf "%s:%d: a function of %d lines\n", file, from, FNR - from - 1; bad = 1
            }
            from = 0
        }
        END { ended(); exit bad }' "${@:4}" || bad=1
}
sources=$(git ls-files '*.c' '*.h' '*.inc' '*.def' '*.lua' '*.cu' '*.cuh' |
    grep -vE '^(tests/(golden|ptx)|results)/')
# shellcheck disable=SC2046
{
    check 1000 750 80 $(grep '^tests/' <<<"$sources")
    check 90 500 60 $(grep -v '^tests/' <<<"$sources")
    check 100 500 60 $(git ls-files 'python/*.py' 'tests/python/*.py')
}
only_in() {
    local folder=$1 pattern=$2 found
    found=$(git grep -nE "#include [<\"]($pattern)[>\"]" -- tuner search lua include | grep -v "^$folder")
    [ -z "$found" ] || { echo "outside $folder:"; echo "$found"; bad=1; }
}
only_in tuner/record/ 'jansson\.h'
only_in lua/bind/ 'lua\.h|lauxlib\.h|lualib\.h'
only_in tuner/device/cuda/ 'cuda\.h|cudaTypedefs\.h|cupti[a-z_]*\.h'
only_in tuner/build/ 'nvrtc\.h|cuda_occupancy\.h'
# strchr takes the end of a text for a member of every set.
# What is printed into headers has nothing of Hone: tuner/emit/text.
if git grep -nE 'strchr\("' -- tuner search lua include ':!tuner/emit/text' | grep -v '^tuner/base/one_of\.h'; then
    echo "a set of characters: use hone_one_of"
    bad=1
fi
# A struct that a call returns lives as long as the expression: keep it, not its text.
if git grep -nE '(\*[a-z_]+ =|return) [a-z_]+\(.*\)\.text;' -- tuner search lua examples; then
    echo "the text is gone behind the semicolon: keep the struct"
    bad=1
fi
# Deadlines and durations survive a clock that is set: nothing asks for the time of day.
if git grep -nE 'CLOCK_REALTIME|gettimeofday|[^_a-z]time\(NULL\)|pthread_cond_timedwait' -- \
    tuner search lua ':!tuner/base/standard_macros.c' ':!tuner/base/thread.c'; then
    echo "the clock of the wall: use hone_clock_seconds, hone_condition_wait"
    bad=1
fi
# A program that uses libhone has a locale of its own: its commas, its letters, its messages.
of_locale='vsnprintf|strtod|strtof|atof|str(error|signal)|strn?casecmp|lua_pcall'
of_locale="$of_locale|json_(loads?b?|dumps?|dump_callback)|to(upper|lower)"
of_locale="$of_locale|is(alpha|alnum|x?digit|space|upper|lower|punct|print|graph|cntrl)"
if git grep -nE "\\b($of_locale)\\(" -- tuner search lua ':!tuner/base/c_text.c' \
    ':!tuner/record/json.c' ':!lua/bind/watch.c' ':!lua/bind/libraries.c' ':!tuner/emit/text' | grep -v '"[^"]*strtod'; then
    echo "it depends on the locale: use base/c_text.h, base/ascii.h, hone_json_read, hone_watch_call"
    bad=1
fi
# The program itself never calls setlocale, so what tuner/cli prints with printf is safe.
if ! git ls-files 'tuner/*.c' 'search/*.c' 'lua/*.c' | grep -v '^tuner/cli/' | xargs perl -0777 -ne '
        while (/(?<![a-z_])((?:f|s|sn|d)?printf|[fs]scanf)\((?:[^;"]|"(?:[^"\\]|\\.)*")*?%[-+ #0-9.*]*l?[gfeaGFEA]/g) {
            print "$ARGV: $1 with a fraction: use hone_snprintf or hone_strtod\n"; $bad = 1
        }
        END { exit $bad }'; then
    bad=1
fi
if git grep -nE 'hone_fail.*"out of memory|^ *"out of memory' -- tuner search lua |
    grep -v '^tuner/base/status\.c'; then
    echo "running out of memory has one text: use hone_no_memory"
    bad=1
fi
# A comment says what and then why, in sentences.
if git grep -nE '^ *(//|/\*) Of ' -- include search lua/bind tuner; then
    echo "a comment that opens with a genitive: give it a subject and a verb"
    bad=1
fi
# A status is compared by name; text in quotes is the emitted header's, where status is a number.
status='([a-z_]+(->|\.))*status'
truth="!$status\\b|(if|while) \\($status\\)|(&&|\\|\\|) $status( &&| \\|\\||\\)|;)"
truth="$truth|[(]$status (&&|\\|\\|)|\\bstatus \\?|\\breturn $status (&&|\\|\\|)"
if git grep -nE "$truth" -- tuner search lua bench ':!tuner/emit/text' |
    grep -vE "\"[^\"]*($truth)"; then
    echo "a status as a truth value: compare it with HONE_OK"
    bad=1
fi
# What a command run here leaves behind is nobody's file.
if git ls-files | grep -vE '/|^\.|^(CMakeLists\.txt|CMakePresets\.json|Doxyfile|LICENSE|pyproject\.toml)$|\.(md|sh)$'; then
    echo "a file at the top that is none of the project's"
    bad=1
fi
exit $bad
