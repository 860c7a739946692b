#!/bin/sh
# Prints the tests that call internal/slowtest, as a pattern for go test -run. A call elsewhere than in
# a function named Test is an error: a test with -short would be left out, and not run without it.
set -eu
grep -rl --include='*_test.go' 'slowtest\.Skip' cmd internal web | sort | xargs awk '
	/^func / { name = $2; sub(/\(.*/, "", name) }
	/slowtest\.Skip/ {
		if (name !~ /^Test/) { print FILENAME ":" FNR ": call it in a function named Test" > "/dev/stderr"; failed = 1 }
		names = names (names == "" ? "" : "|") name
	}
	END { print "^(" names ")$"; exit failed }'
