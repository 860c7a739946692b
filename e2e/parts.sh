#!/bin/sh
# Runs the tests of ./e2e in several processes at the same time, one per processor and at most
# four, each with a Chromium of its own: one test alone leaves a third of two processors unused.
# Each process runs every n-th test, so that expensive ones, which are near each other, are spread.
# Arguments are flags of the test binary. The environment has CHROMIUM and EXPLORER.
set -eu
n=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
[ "$n" -le 4 ] || n=4
out=$(mktemp -d)
pids=
trap 'rm -rf "$out"' EXIT
trap 'kill $pids 2>/dev/null || :; exit 130' INT TERM
"${GO:-go}" test -trimpath -tags e2e -c -o "$out/e2e.test" ./e2e
cd e2e
"$out/e2e.test" -test.list . | grep '^Test' >"$out/tests"
for part in $(seq "$n"); do
	names=$(awk -v n="$n" -v part="$part" 'NR % n == part % n' "$out/tests" | paste -s -d '|' -)
	sh ../.tools/tmp-in-memory.sh "$out/e2e.test" -test.timeout 60m -test.run "^($names)\$" "$@" >"$out/$part" 2>&1 &
	pids="$pids $!"
done
failed=0
part=0
for pid in $pids; do
	part=$((part + 1))
	wait "$pid" || failed=1
	echo "part $part of $n:"
	cat "$out/$part"
done
exit $failed
