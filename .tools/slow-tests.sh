#!/bin/sh
# Prints the tests that have less or nothing to do with -short, as a pattern for go test -run: those that
# call internal/slowtest, and property tests (rapid tries a fifth of the cases). A call of internal/slowtest
# elsewhere than in a function named Test is an error: the test would not run without -short.
set -eu
grep -rlE --include='*_test.go' 'slowtest\.Skip|rapid\.Check' cmd internal web | sort | xargs awk '
	/^func / { name = $2; sub(/\(.*/, "", name) }
	/slowtest\.Skip/ && name !~ /^Test/ { print FILENAME ":" FNR ": call it in a function named Test" > "/dev/stderr"; failed = 1 }
	/slowtest\.Skip|rapid\.Check/ && !(name in seen) { seen[name]; names = names (names == "" ? "" : "|") name }
	END { print "^(" names ")$"; exit failed }'
