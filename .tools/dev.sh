#!/bin/sh
# Serves the explorer from this checkout and restarts it after a change of Go code or
# templ files. Stylesheets, scripts and images are read from disk: reload the page. The
# arguments are those of explorer serve.
set -u
cd "$(dirname "$0")/.."
dir=.cache/dev
mkdir -p "$dir"
server= open=
stop() { [ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }; }
trap 'stop; exit 0' INT TERM

# changed FIND-ARGS... reports whether a file is newer than the last build.
changed() { [ ! -e "$dir/built" ] || [ -n "$(find cmd internal web -newer "$dir/built" "$@" -print | head -n 1)" ]; }

while :; do
	if changed \( -name '*.go' -o -name '*.templ' \) ! -name '*_test.go'; then
		if changed -name '*.templ'; then
			go tool templ generate -path web/components
		fi
		touch "$dir/built"
		if go build -tags dev -o "$dir/explorer" ./cmd/explorer; then
			stop
			"$dir/explorer" serve $open "$@" &
			server=$!
			open=--no-open # the page that is open connects again
		fi
	fi
	sleep 0.5
done
