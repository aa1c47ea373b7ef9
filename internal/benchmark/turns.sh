#!/usr/bin/env bash
# Measures an older commit and this tree by turns, so that an hour in which others need the processors
# counts for both, and compares the two:
#
#   internal/benchmark/turns.sh COMMIT [ROUNDS ['PATTERN BENCHTIME'...]]
#
# old.txt, new.txt and benchstat.txt stay in tmp/turns, or in $TURNS.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=${1:?the commit to compare with} rounds=${2:-6}
benchstat_version=v0.0.0-20260908200009-22c9c6c9d4da
packages=(. protocols/gossip protocols/collective)
published=( # each in a process of its own, so that none has the memory of the one before
  'Broadcast/binomial/sync-checked/P=1048576 1x'
  'Limit/.*/P=1048576 1x'
  'Explore 20x'
  'Gossip/.*/P=1048576 1x'
  'Collective/.*/P=65536 1x'
  'Collective/alltoall/P=1024 1x'
)
if [ $# -gt 2 ]; then published=("${@:3}"); fi

mkdir -p "${TURNS:=tmp/turns}"
results=$(cd "$TURNS" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
git archive "$commit" | tar -x -C "$work/tree"

build() { # tree, name
  for package in "${packages[@]}"; do
    (cd "$1" && go test -c -o "$work/$2/$package/benchmarks.test" "./$package")
  done
}

# measure looks for each benchmark in all packages, for they have moved.
measure() { # name
  for one in "${published[@]}"; do
    for package in "${packages[@]}"; do
      "$work/$1/$package/benchmarks.test" -test.run '^$' -test.bench "${one% *}" -test.benchtime "${one##* }" -test.timeout 1h
    done
  done | grep -v -e '^pkg:' -e '^PASS' | tee -a "$results/$1.txt"
}

build "$work/tree" old
build . new
: >"$results/old.txt"
: >"$results/new.txt"
for round in $(seq "$rounds"); do
  echo "round $round of $rounds, after $SECONDS s"
  measure old
  measure new
done
cd "$results"
go run "golang.org/x/perf/cmd/benchstat@$benchstat_version" old.txt new.txt | tee benchstat.txt
