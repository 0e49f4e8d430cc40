#!/usr/bin/env bash
# hone_questions without a GPU: try_questions.sh PROGRAM OUTDIR CASE.
set -eu
program=$1 out=$2 case=$3
rm -rf "$out" && mkdir -p "$out"
answers=$out/answers.jsonl

case $case in
# One that hangs is killed, and the next one has its turn.
a_question_that_hangs_costs_its_limit)
    HONE_FAKE_DELAYS=start=1000 "$program" --limit 1 "$answers" carry write_back >"$out/log" &&
        exit 1
    [ "$(grep -c '"verdict":"stopped"' "$answers")" = 2 ]
    grep -q '0 cannot run, 2 stopped' "$out/log" ;;
# A kernel that never ends is given up by the device, and said.
a_kernel_that_hangs_cannot_run)
    status=0
    HONE_FAKE_CUDA=hang=1 "$program" --limit 30 "$answers" carry || status=$?
    [ "$status" = 75 ] # a GPU that has the instructions: to be asked again
    grep -q '"verdict":"cannot run","why":".*5 s' "$answers" ;;
each_answer_is_an_object_with_its_gpu_and_driver)
    status=0
    "$program" "$answers" || status=$?
    [ "$status" = 75 ]
    [ "$(wc -l <"$answers")" = "$("$program" --list | grep -c '^[a-z]')" ]
    [ "$(grep -c '^{"id":"[a-z0-9_]*","question":.*"gpu":"Fake GPU 0","driver":".*CUDA.*}$' \
        "$answers")" = "$(wc -l <"$answers")" ]
    ! command -v python3 >/dev/null ||
        python3 -c 'import json, sys; [json.loads(l) for l in open(sys.argv[1])]' "$answers" ;;
# What a GPU answered is held against the emulator's answers.
another_answer_than_in_the_file_is_told)
    "$program" --device emu:h200 "$answers" carry
    "$program" --device emu:h200 --same-as "$answers" "$out/again.jsonl" carry
    sed 's/"max_1_add_addc":1/"max_1_add_addc":0/' "$answers" >"$out/changed.jsonl"
    ! cmp -s "$answers" "$out/changed.jsonl"
    ! "$program" --device emu:h200 --same-as "$out/changed.jsonl" "$out/again.jsonl" carry \
        >"$out/log" || exit 1
    grep -q '^carry .*not as in .*changed.jsonl$' "$out/log" ;;
# What was answered stays, also where a later question takes the program down.
what_is_settled_is_asked_by_name_only)
    unset HONE_NVRTC # the emulator answers, so a compiler is needed
    "$program" --device emu:h200 "$answers" carry
    sed 's/"date":"[0-9-]*"/"date":"1999-01-01"/' "$answers" >"$out/old" && mv "$out/old" "$answers"
    HONE_FAKE_DELAYS=start=1000 timeout -s KILL 2 "$program" "$answers" >"$out/log" && exit 1
    grep -q '^{"id":"carry",.*1999-01-01' "$answers"
    "$program" --device emu:h200 "$answers" >"$out/log" || true
    grep -q '^carry .*answered before$' "$out/log"
    "$program" --device emu:h200 "$answers" carry
    [ "$(grep -c '^{"id":"carry",' "$answers")" = 1 ]
    ! grep -q '1999-01-01' "$answers" ;;
# Nothing that was held is no agreement.
no_answer_to_compare_with_is_told)
    unset HONE_NVRTC
    "$program" --device emu:h200 "$answers" carry
    sed 's/"verdict":"[a-z ]*"/"verdict":"cannot run"/' "$answers" >"$out/none.jsonl"
    ! "$program" --device emu:h200 --same-as "$out/none.jsonl" "$out/again.jsonl" carry \
        >"$out/log" || exit 1
    grep -q 'no answer of .* was held against one of' "$out/log" ;;
# A question does not outlive whoever asked: it would keep the GPU.
a_question_ends_with_its_program)
    HONE_FAKE_DELAYS=start=1000 "$program" "$answers" carry >"$out/log" &
    parent=$!
    child=
    while [ -z "$child" ]; do child=$(pgrep -P "$parent" || true); done
    kill -KILL "$parent"
    while [ -d "/proc/$child" ] && ! grep -q '^State:.Z' "/proc/$child/status"; do
        sleep 0.1
    done ;;
*) echo "no case '$case'"; exit 2 ;;
esac
