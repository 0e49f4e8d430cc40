#!/usr/bin/env bash
# The prelude checks what scripts say, and scripts may replace every function that they can name. So
# its functions use what they took when they were loaded, before any script: locals of the file.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77

# Prints the uses of what a script can replace, within functions: methods of strings, fields of
# libraries, globals. Outside of them a library must not be taken whole, under any name: its fields
# stay the script's to replace. What leads to a library by another way than its name is refused
# wherever it stands; require is for the prelude's own modules.
refused() {
    perl -0777 -ne '
        my ($file, $text) = ($ARGV, $_);
        my %library = map { $_ => 1 } qw(coroutine io math os string table utf8);
        my %global = map { $_ => 1 } qw(assert collectgarbage error ipairs next pairs pcall print
            rawequal rawget rawlen rawset require select setmetatable tonumber tostring type warn
            xpcall);
        my %leads = map { $_ => 1 } qw(_ENV _G debug dofile getmetatable load loadfile package);
        my (%taken, @open, $functions);
        my ($line, $before) = (1, "");
        my $refuse = sub { print "$file:$line: $_[0]\n" };
        while ($text =~ /\G(?:
                (?<skip> \s+ | --\[(?<c>=*)\[.*?\]\g{c}\] | --[^\n]* ) |
                (?<string> "(?:[^"\\]|\\.)*" | \x27(?:[^\x27\\]|\\.)*\x27 |
                           \[(?<s>=*)\[.*?\]\g{s}\] ) |
                (?<name> [A-Za-z_]\w* ) |
                (?<other> \.\.\.? | :: | \d[\w.]* | . ))/gcsx) {
            my ($all, $name, $skip, $string) = ($&, $+{name}, $+{skip}, $+{string});
            my ($lines, $rest) = ($all =~ tr/\n//, substr $text, pos $text, 200);
            if ($name && $before !~ /^[.:]$/) {
                $refuse->("leads to every library: $name")
                    if $leads{$name} || $name eq "require" &&
                       $rest !~ /^\s*(?:\(\s*)?(["\x27])hone\.\w+\g1/;
                if ($name eq "function") { push @open, 1; ++$functions }
                elsif ($name =~ /^(?:if|do|repeat)$/) { push @open, 0 }
                elsif ($name =~ /^(?:end|until)$/) { $functions -= pop @open }
                elsif ($name eq "local" && !@open && $rest =~ /^\s+([\w, ]+?)\s*=/) {
                    my $names = $1;
                    $taken{$_} = 1 for split /\s*,\s*/, $names;
                } elsif ($rest !~ /^\s*=[^=]/) {
                    $refuse->("not taken when loaded: $name")
                        if $functions && ($library{$name} || $global{$name} && !$taken{$name});
                    $refuse->("a library, taken whole: $name")
                        if !$functions && $library{$name} && $rest !~ /^\s*\.\w/;
                }
            }
            $refuse->("a method, which its value chooses: $rest")
                if $all eq ":" && $before =~ /[\w\])"\x27]$/ && $rest =~ /^\s*\w+\s*[("\x27{\[]/;
            $line += $lines;
            $before = $all unless $skip;
        }' "$@"
}

bad=0
# The check itself refuses what it is for, and only that.
must() { # refuse|take CODE
    local did=take
    [ -z "$(refused <(printf "$2"))" ] || did=refuse
    [ "$did" = "$1" ] || { echo "prelude.sh: it does not $1: $2"; bad=1; }
}
must refuse 'local function f(x)\n    return x:match("a")\nend\n'
must refuse 'local x = f(1):upper "a"\n'
must refuse 'local x = ("a"):rep(3)\n'
must refuse "local x = ('a'):rep(3)\n"
must refuse 'local function f(x)\n    return math.abs(x)\nend\n'
must refuse 'local function f(x)\nreturn math.abs(x)\nend\n'
must refuse 'local function f(x) return math.abs(x) end\n'
must refuse 'return { f = function(x) return math.abs(x) end }\n'
must refuse 'local math = math\nlocal function f(x)\n    return math.abs(x)\nend\n'
must refuse 'local m = math\n'
must refuse 'local m, s = math.abs, string\n'
must refuse 'local m = _G.math\nlocal function f(x)\n    return m.abs(x)\nend\n'
must refuse 'local m = _G["math"]\n'
must refuse 'local g = _G\n'
must refuse 'local m = _ENV.math\n'
must refuse 'local _ENV = { math = 1 }\n'
must refuse 'local m = rawget(_G, "math")\n'
must refuse 'local m = next(_ENV)\n'
must refuse 'local m = package.loaded.math\n'
must refuse 'local l = package.loaded\n'
must refuse 'local s = require "string"\n'
must refuse "local s = require('string')\n"
must refuse 'local s = require [[string]]\n'
must refuse 'local s = require("str" .. "ing")\n'
must refuse 'local s = require "hone.check" and require "_G"\n'
must refuse 'local take = require\nlocal s = take "string"\n'
must refuse 'local s = getmetatable("").__index\n'
must refuse 'local m = load("return math")()\n'
must refuse 'local m = debug.getregistry()._LOADED.math\n'
must refuse 'local function f()\n    return _G.x\nend\n'
must refuse "local function f(x)\n    return x == '--' and math.abs(x)\nend\n"
must refuse 'local function f(x)\n    return x == "--" and math.abs(x)\nend\n'
must refuse 'local function f(x)\n    return x == [[--]] and math.abs(x)\nend\n'
must refuse 'local function f(x)\n    for _ in pairs(x) do end\nend\n'
must refuse 'local function f(x)\n    if x then return 1 end\n    return pairs(x)\nend\n'
must refuse 'local function f(x)\n    return pairs(x)\nend\nlocal pairs = pairs\n'
must take 'local abs = math.abs\nlocal function f(x)\n    return abs(x)\nend\n'
must take "local check = require 'hone.check'\nlocal handle = require(\"hone.handle\")\n"
must take 'local function f(x) return x._G, x.package, "_G", [[_ENV]] end -- package.loaded\n'
must take 'local function f(x) return x.type, "math.abs", [[x:f()]] end -- pairs(x)\n'
must take 'local function f(x)\n    return { string = 1 }\nend\nfor k in pairs {} do f(k) end\n'

found=$(refused lua/hone/*.lua)
[ -z "$found" ] || { echo "$found"; bad=1; }
exit $bad
