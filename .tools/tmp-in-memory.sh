#!/bin/sh
# Runs a command whose temporary files are in memory if there is a file system of 4 GB for it: tests
# create hundreds of thousands of small files, and wait for the disk to have them. go test with all
# packages needs 250 MB if they are compiled, as it deletes each test binary after its run.
# testing.T.TempDir uses GOTMPDIR since Go 1.26, os.MkdirTemp uses TMPDIR.
set -u
dir=/dev/shm
if [ -d "$dir" ] && [ -w "$dir" ] && [ "$(df -Pk "$dir" | awk 'NR == 2 { print $4 }')" -ge 4000000 ]; then
	# Some tests run programs that they have built. Not every file system allows it.
	probe=$(mktemp "$dir/probe.XXXXXX") && printf '#!/bin/sh\n' >"$probe" && chmod 700 "$probe" &&
		"$probe" 2>/dev/null && export TMPDIR="$dir" GOTMPDIR="$dir"
	rm -f "$probe"
fi
exec "$@"
