#!/bin/sh
# Compares the functions that main does not reach with deadcode.allow. $1 is the deadcode
# command. It fails for a function that is not in the list and for a line of the list that
# is no longer needed.
set -eu
cd "$(dirname "$0")/.."
found=$(mktemp) allowed=$(mktemp)
trap 'rm -f "$found" "$allowed"' EXIT
"$1" -f '{{range .Funcs}}{{$.Path}} {{.Name}}{{"\n"}}{{end}}' ./cmd/explorer | sed '/^$/d' | sort >"$found"
sed 's/ *#.*//; /^$/d' .tools/deadcode.allow | sort >"$allowed"
if ! diff "$allowed" "$found"; then
	echo "deadcode: > is not reached from main: remove it, or add it to .tools/deadcode.allow with the reason; < is not in the program: remove the line" >&2
	exit 1
fi
