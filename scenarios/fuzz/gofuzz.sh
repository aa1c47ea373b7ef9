#!/usr/bin/env bash
# Fuzzes all protocols with go-fuzz: scenarios/fuzz/gofuzz.sh [seconds] [folder for crashers]
#
# Needs nothing but Go. go-fuzz instruments the module under test and makes it depend on
# go-fuzz-dep; so that this never gets into our go.mod, all happens in a copy of the tree.
# Status: 0 no crasher, 1 crashers found and copied, 2 go-fuzz did not run as it should.
set -euo pipefail

version=v0.0.0-20240203152606-b1ce7bc07150 # @latest resolves to an older one
seconds=${1:-20}
crashers=${2:-${TMPDIR:-/tmp}/mangrove-crashers-$$}
[[ $crashers == /* ]] || crashers=$PWD/$crashers
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]] || ((seconds < 5)); then # it prints statistics every 3 seconds
  echo "usage: $0 [seconds, 5 or more] [folder for crashers]" >&2
  exit 2
fi

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
fail() {
  echo "gofuzz.sh: $1" >&2
  [ ! -f "$log" ] || tail -n 40 "$log" >&2
  exit 2
}

echo "Building in $work"
mkdir "$work/tree" "$work/run"
tar --exclude=./.git -cf - . | tar -xf - -C "$work/tree"
go test -run '^TestRawCorpora$' ./scenarios/fuzz -args -raw "$work/run/corpus" >"$log" 2>&1 || fail "no corpus to start from"
export GOBIN=$work/bin GOFLAGS=-mod=mod
go install "github.com/dvyukov/go-fuzz/go-fuzz@$version" "github.com/dvyukov/go-fuzz/go-fuzz-build@$version" >"$log" 2>&1 ||
  fail "go-fuzz cannot be installed"
cd "$work/tree"
{
  go get "github.com/dvyukov/go-fuzz/go-fuzz-dep@$version"
  # go-fuzz-build compiles with flags of its own; the tree stays as go get has left it.
  "$work/bin/go-fuzz-build" -o "$work/fuzz.zip" ./scenarios/fuzz
} >"$log" 2>&1 || fail "the instrumented build failed"

echo "Fuzzing for $seconds seconds, from $(find "$work/run/corpus" -type f | wc -l) inputs"
# go-fuzz goes on until it is told to stop, and takes an interrupt as the end of a good run.
status=0
timeout --signal=INT --kill-after=15 "$seconds" \
  "$work/bin/go-fuzz" -bin "$work/fuzz.zip" -workdir "$work/run" -procs "$(nproc)" >"$log" 2>&1 || status=$?
case $status in
  0 | 124) ;; # 124: the time was up
  *) fail "go-fuzz ended with status $status" ;;
esac
stats=$(grep 'execs:' "$log" | tail -n 1) || fail "go-fuzz printed no statistics"
echo "$stats"

# Each crasher is three files: the input, the same as Go source, and what was printed.
if [ -n "$(find "$work/run/crashers" -type f 2>/dev/null)" ]; then
  mkdir -p "$crashers"
  cp "$work"/run/crashers/* "$crashers/"
  grep -h 'mangrove run' "$crashers"/*.output | sort -u || true
  echo "Crashers are in $crashers; docs/fuzzing.md says how to keep them" >&2
  exit 1
fi
[[ $stats != *"execs: 0 "* ]] || fail "go-fuzz has run nothing"
echo "No crashers"
