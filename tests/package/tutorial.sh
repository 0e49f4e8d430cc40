#!/usr/bin/env bash
# Does what a page tells its reader to do, in an empty folder: tutorial.sh BUILD SOURCE [PAGE].
#
#   ```LANGUAGE FILE    is written to that file
#   ```console          lines after "$ " are run; what they print must be what the page shows,
#                       but for spaces, for numbers that a compiler or a model decides (see mask),
#                       and for what stands as "..."
#   ```                 any other fence is not for this machine: nothing is done
set -u
build=$1 page=$2/${3:-docs/tutorial.md}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$build:$PATH HONE_BUILD=$build HONE_CACHE=$folder/.cache
unset HONE_LIBCUDA
cd "$folder" || exit 1

# A device that is there and a sample that cannot be built tell that there is no NVRTC.
if ! (hone new probe && hone check probe.lua --device emu:a100 --sample 1) >probe.log 2>&1; then
    cat probe.log
    grep -qi 'nvrtc' probe.log && exit 77
    exit 1
fi
rm -f probe*

# One line of words; progress left out, what is not for this page to say as #.
mask() {
    grep -vE '^[0-9]+/[0-9]+ ' | tr -s ' \n' '  ' | sed -E -e 's/[0-9]+\.[0-9]+/#/g' \
        -e 's/PTX line [0-9]+/PTX line #/g' -e 's/\b([A-Z]+=)[0-9]+/\1#/g' \
        -e 's/[0-9]+x[0-9]+x[0-9]+/#/g' -e 's/[0-9]+ bytes/# bytes/g' -e 's/\([0-9]+,0,0\)/(#,0,0)/g'
}

# Whether the text consists of the pieces between "...", in their order.
shows() { # text, pattern
    awk -v text="$1" -v pattern="$2" 'BEGIN {
        count = split(pattern, pieces, / ?\.\.\. ?/)
        for (i = 1; i <= count; i++) {
            at = pieces[i] == "" ? 1 : index(text, pieces[i])
            if (!at || (i == 1 && at != 1)) exit 1
            text = substr(text, at + length(pieces[i]))
        }
        exit pieces[count] != "" && text != "" }'
}

steps=0 seconds=0
run() { # command, line of the page, what it shall print
    local begin got
    begin=$(date +%s%N)
    got=$(bash -c "$1" 2>&1 </dev/null)
    seconds=$((seconds + ($(date +%s%N) - begin) / 1000000))
    steps=$((steps + 1))
    shows "$(mask <<<"$got")" "$(mask <<<"$3")" && return
    printf '%s:%s: $ %s\nprints\n%s\nnot\n%s\n' "$page" "$2" "$1" "$got" "$3"
    exit 1
}

state=text number=0 command='' want='' from=0 file=''
finish() {
    [ -z "$command" ] || run "$command" "$from" "$want"
    command='' want=''
}
while IFS= read -r line; do
    number=$((number + 1))
    case $state:$line in
    text:'```console') state=console ;;
    text:'```'*' '*) state=file file=${line##* } && : >"$file" ;;
    text:'```'*) state=skip ;;
    console:'```') finish && state=text ;;
    console:'$ '*) finish && command=${line#'$ '} from=$number ;;
    console:*)
        if [ "${command%\\}" != "$command" ] && [ -z "$want" ]; then
            command=${command%\\}$line
        else
            want+=$line$'\n'
        fi
        ;;
    file:'```' | skip:'```') state=text ;;
    file:*) printf '%s\n' "$line" >>"$file" ;;
    esac
done <"$page"
[ "$steps" -gt 0 ] || { echo "$page: no command"; exit 1; }
if command -v nvcc >/dev/null; then
    for file in *launch.cu; do
        [ ! -e "$file" ] || nvcc -o launch_by_nvcc "$file" -ldl || exit 1
    done
fi
echo "$steps commands in $((seconds / 1000)).$((seconds / 100 % 10)) s"
