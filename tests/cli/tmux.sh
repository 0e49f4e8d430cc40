#!/usr/bin/env bash
# What a terminal shows, by tmux, at 60, 100 and 200 columns: the progress of hone tune is one
# line, hone show --watch and what commands print wrap none, and colours stop under NO_COLOR.
#   tmux.sh HONE SOURCE_FOLDER
set -u
hone=$1 source=$2
budget=6
command -v tmux >/dev/null || { echo "skipped: no tmux here"; exit 77; }
folder=$(mktemp -d)
socket=hone-$$
in_tmux() { tmux -L "$socket" -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export HONE_KERNELS=$source/kernels HONE_CACHE=$folder/cache LC_ALL=C.UTF-8
unset NO_COLOR CLICOLOR_FORCE TMUX
fail() { printf 'failed: %s\n' "$*"; exit 1; }

# tune_line JOURNAL: the same search each time; only progress is left on the terminal.
tune_line() {
    printf '"%s" tune sgemm --device emu:h200 --set M=64 --set N=64 --set K=32 ' "$hone"
    printf -- '--strategy random --budget %s --isolate no --journal %s >out' $budget "$1"
}

eval "$(tune_line probe.jsonl) 2>err"
code=$?
if grep -qE 'cannot open NVRTC|libnvrtc' err; then echo "skipped: no NVRTC here"; exit 77; fi
[ $code = 0 ] || fail "$(cat err)"

# A server without sessions would end while the next one is begun.
in_tmux start-server \; set-option -g exit-empty off || fail "tmux cannot start"

# begin COLUMNS ROWS COMMAND: a terminal of that size that runs it and then stays.
begin() {
    rm -f ended
    in_tmux new-session -d -s pane -x "$1" -y "$2" \
        "$3; echo \$? >code; mv code ended; exec cat" || fail "tmux cannot start"
}

# Lines of the screen that hold a text.
filled() { in_tmux capture-pane -p -t pane | grep -c '[^[:space:]]'; }

# wait_for PATTERN FILE: a state of the screen, or FILE that is there.
wait_for() {
    for _ in $(seq 1200); do
        [ -z "$2" ] || [ ! -e "$2" ] || return 0
        [ -z "$1" ] || ! in_tmux capture-pane -p -t pane | grep -qE "$1" || return 0
        sleep 0.05
    done
    in_tmux capture-pane -p -t pane
    fail "nothing like '$1' $2 within a minute"
}

# With -J lines that the terminal wrapped are one.
assert_unwrapped() {
    in_tmux capture-pane -p -t pane >plain
    in_tmux capture-pane -p -J -t pane >joined
    # Both of one state: it may have been drawn again in between.
    in_tmux capture-pane -p -t pane | cmp -s - plain || return 0
    [ "$(grep -c '[^[:space:]]' plain)" = "$(grep -c '[^[:space:]]' joined)" ] ||
        fail "$1: a line wraps: $(cat plain)"
}

has_colors() { in_tmux capture-pane -p -e -t pane | grep -q "$(printf '\033\\[[0-9;]*3[0-9]m')"; }

progress='(best|none valid)'
for columns in 60 100 200; do
    begin "$columns" 24 "$(tune_line $columns.jsonl)"
    while [ ! -e ended ]; do
        assert_unwrapped "tune at $columns"
        lines=$(in_tmux capture-pane -p -t pane | grep -cE "$progress")
        [ "$lines" -le 1 ] || fail "progress at $columns takes $lines lines"
        sleep 0.02
    done
    [ "$(cat ended)" = 0 ] || fail "tune at $columns ended with $(cat ended)"
    assert_unwrapped "tune at $columns"
    [ "$(filled)" = 1 ] || fail "tune at $columns leaves more than its line"
    in_tmux capture-pane -p -t pane | grep -E "$budget/$budget  best .*done" || fail "no end of it"
    has_colors || fail "no colours of the progress"
    in_tmux kill-session -t pane

    begin "$columns" 16 "\"$hone\" show --watch $columns-watched.jsonl --budget $budget"
    wait_for 'waiting for' ''
    eval "$(tune_line $columns-watched.jsonl) 2>err" &
    while [ ! -e ended ]; do
        assert_unwrapped "watch at $columns"
        [ "$(filled)" -le 15 ] || fail "the picture at $columns is too high"
        sleep 0.02
    done
    wait
    [ "$(cat ended)" = 0 ] || fail "the watch at $columns ended with $(cat ended)"
    assert_unwrapped "watch at $columns"
    in_tmux capture-pane -p -t pane
    in_tmux capture-pane -p -t pane >plain
    grep -q "^$budget/$budget trials  best " plain || fail "the watch has no end"
    grep -q "nobody writes to $columns-watched" plain || fail "the watch does not say its end"
    has_colors || fail "no colours of the watch"
    in_tmux kill-session -t pane
done

# What is printed for people, a screen each: words are short enough for 60 columns.
"$hone" emit 60.jsonl --accept-predicted -o shipped.h >out 2>&1 || fail "$(cat out)"
printf '"%s" %s\n' "$hone" "$(tune_line again.jsonl | sed 's/^[^ ]* //; s/ >out$//')" >tune.cmd
for columns in 60 100 200; do
    for command in "$(sed 's/again/'$columns'-again/' tune.cmd) 2>err" \
        "\"$hone\" show 60.jsonl" "\"$hone\" devices" "\"$hone\" kernels" \
        "\"$hone\" kernels sgemm" "\"$hone\" space sgemm --device emu:h200 --sample 4" \
        "\"$hone\" check sgemm --device emu:h200 --sample 2 --quiet" \
        "\"$hone\" bench strategies 60.jsonl 2>err" \
        "\"$hone\" compare shipped.h --script $source/kernels/sgemm.lua --device emu:h200 --neighbours 1 2>err"; do
        begin "$columns" 120 "$command"
        wait_for '' ended
        assert_unwrapped "$command at $columns"
        [ "$(filled)" -gt 0 ] || fail "$command prints nothing: $(cat err)"
        case $command in *'" show '*)
            in_tmux capture-pane -p -t pane | grep -q 'best so far' || fail "no plot" ;;
        esac
        in_tmux kill-session -t pane
    done
done

begin 100 24 "export NO_COLOR=1; $(tune_line plain.jsonl)
\"$hone\" show --watch plain.jsonl; \"$hone\" show nowhere"
wait_for '' ended
grep -q 2 ended || fail "show nowhere ended with $(cat ended)"
! has_colors || fail "colours under NO_COLOR"
echo "60, 100 and 200 columns: progress is one line, nothing wraps, NO_COLOR is minded"
