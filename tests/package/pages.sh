#!/usr/bin/env bash
# Each command has a page of the manual that says what its help says, and each option is
# completed: pages.sh BUILD SOURCE.
set -eu
hone=$1/hone pages=$1/pages
"$hone" help | sed -n '/^commands:/,/^$/p' | awk '/^  [a-z]/ {print $1}' |
    grep -vx help >"$pages/commands"
[ "$(wc -l <"$pages/commands")" -ge 10 ]
while read -r command; do
    page=$pages/man1/hone-$command.1
    [ -s "$page" ]
    "$hone" help "$command" | grep -oE '^  (-., )?--[a-z0-9-]+' | grep -oE '\-\-[a-z0-9-]+' |
        while read -r option; do
            grep -qF "fB${option//-/\\-}\\fR" "$page" ||
                { echo "$page lacks $option"; exit 1; }
            grep -E "^    $command\) words=" "$pages/bash/hone" | grep -qE -- "$option[' ]" ||
                { echo "bash completion lacks $command $option"; exit 1; }
            grep -q "from $command' -l ${option#--} " "$pages/fish/hone.fish" ||
                { echo "fish completion lacks $command $option"; exit 1; }
            sed -n "/^    $command) /,/;;\$/p" "$pages/zsh/_hone" | grep -qE -- "['*,]$option[[}]" ||
                { echo "zsh completion lacks $command $option"; exit 1; }
        done
    if command -v groff >/dev/null && [ -n "$(groff -man -ww -Tascii -z "$page" 2>&1)" ]; then
        groff -man -ww -Tascii -z "$page"
        exit 1
    fi
done <"$pages/commands"

if command -v zsh >/dev/null; then zsh -n "$pages/zsh/_hone"; fi

# the completion at work
complete_words() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hone
             printf "%s\n" "${COMPREPLY[@]}"' _ "$pages/bash/hone" "$@"
}
[ "$(complete_words hone stra)" = strategies ]
[ "$(complete_words hone emit --acc)" = --accept-predicted ]
[ "$(complete_words hone tune x.lua --isolate y)" = yes ]
[ "$(complete_words hone tune x.lua -s po)" = portfolio ]
[ "$(complete_words hone tune x.lua --device emu:h2)" = emu:h200 ]
# as the shell parts it
[ "$(complete_words hone tune x.lua --device emu : h2)" = h200 ]
complete_words hone tune x.lua --device emu : | grep -qx a100
[ -z "$(complete_words hone tune x.lua --seed "$2/READ")" ]
complete_words hone tune x.lua --cache "$2/READ" | grep -q README && exit 1
complete_words hone tune x.lua --cache "$2/tes" | grep -q '/tests$'
complete_words hone tune "$2/READ" | grep -q '/README.md$'
export HONE_KERNELS=$2/kernels
[ "$(complete_words "$hone" tune sge)" = sgemm ]
[ "$(complete_words "$hone" kernels sge)" = sgemm ]
complete_words "$hone" space "$2/READ" | grep -q '/README.md$'
[ -z "$(complete_words "$hone" emit sge)" ]
[ -z "$(complete_words "$hone" tune -o sge)" ]
[ "$(complete_words "$hone" bench strat)" = strategies ]
[ "$(complete_words "$hone" check sgemm --dump de)" = decoded ]
[ "$(complete_words "$hone" check sgemm --dump so)" = source ]
grep -q "from bench' -a 'strategies'" "$pages/fish/hone.fish"
