#!/usr/bin/env bash
# The prelude checks what scripts say, and scripts may replace every function that they can name. So
# its functions use what they took when they were loaded, before any script: locals of the file.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77

# Prints the uses of what a script can replace: methods of strings, fields of libraries, globals.
refused() {
    perl -0777 -ne '
        my ($file, $text) = ($ARGV, $_);
        $text =~ s/"(?:[^"\\\n]|\\.)*"/""/g;
        $text =~ s/--[^\n]*//g;
        my @globals = qw(assert error getmetatable ipairs load math next pairs pcall print rawequal
            rawget rawlen rawset require select setmetatable string table tonumber tostring type utf8
            warn xpcall coroutine);
        my (%taken, $line);
        for (split /\n/, $text) {
            ++$line;
            if (/^local ([\w, ]+?)\s*=/) { $taken{$_} = 1 for split /, */, $1 }
            print "$file:$line: a method, which its value chooses: $&\n" while /[\w\])"]:\w+\s*[("{]/g;
            next unless /^\s/; # what stands at the margin runs as the file is loaded
            for my $name (@globals) {
                next if $taken{$name};
                print "$file:$line: not taken when loaded: $name\n"
                    if /(?<![\w.])$name\b(?!\s*=[^=])(?!\s*\]\s*=)/;
            }
        }' "$@"
}

bad=0
# The check itself refuses what it is for.
[ -n "$(refused <(printf 'local function f(x)\n    return x:match("a")\nend\n'))" ] &&
    [ -n "$(refused <(printf 'local function f(x)\n    return math.abs(x)\nend\n'))" ] &&
    [ -n "$(refused <(printf 'local function f(x)\n    for _ in pairs(x) do end\nend\n'))" ] &&
    [ -z "$(refused <(printf 'local abs = math.abs\nlocal function f(x)\n    return abs(x)\nend\n'))" ] ||
    { echo "prelude.sh: the check refuses nothing"; bad=1; }

found=$(refused lua/hone/*.lua)
[ -z "$found" ] || { echo "$found"; bad=1; }
exit $bad
