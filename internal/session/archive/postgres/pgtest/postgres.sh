#!/bin/sh
# Prints the directory of the programs of PostgreSQL 15 or newer. If there is none and the
# user is root, it installs them with the system's package manager. Otherwise it prints the
# command to run and exits with status 1. Progress goes to stderr.
set -u

is_new() {
	version="$("$1/postgres" --version 2>/dev/null | sed 's/^[^0-9]*\([0-9]*\).*/\1/')"
	[ "${version:-0}" -ge 15 ] && [ -x "$1/initdb" ]
}

find_postgres() {
	for dir in "${PG_BIN:-}" $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) /usr/pgsql-*/bin \
		"$(dirname "$(command -v postgres 2>/dev/null || echo /none/postgres)")" /opt/homebrew/opt/postgresql@*/bin; do
		if [ -n "$dir" ] && is_new "$dir"; then
			echo "$dir"
			return 0
		fi
	done
	return 1
}

# Debian's package would also create and start a server of its own.
install_command() {
	if command -v apt-get >/dev/null 2>&1; then
		echo "apt-get update && mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >>/etc/postgresql-common/createcluster.conf && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql"
	elif command -v dnf >/dev/null 2>&1; then
		echo "dnf install -y postgresql-server"
	elif command -v apk >/dev/null 2>&1; then
		echo "apk add postgresql"
	elif command -v pacman >/dev/null 2>&1; then
		echo "pacman -Sy --noconfirm postgresql"
	elif command -v brew >/dev/null 2>&1; then
		echo "brew install postgresql@17"
	fi
}

find_postgres && exit 0
how="$(install_command)"
if [ -z "$how" ]; then
	echo "No PostgreSQL 15 found. Install it, or set PG_BIN to the directory of its programs." >&2
	exit 1
fi
if [ "$(id -u)" != 0 ] || [ "${how#brew}" != "$how" ]; then
	echo "No PostgreSQL 15 found. Install it, then run this again:" >&2
	echo "    $how" >&2
	exit 1
fi
echo "No PostgreSQL 15 found, installing it: $how" >&2
if ! sh -c "$how" >&2 </dev/null; then
	echo "PostgreSQL could not be installed." >&2
	exit 1
fi
find_postgres && exit 0
echo "PostgreSQL was installed but is not found, or is older than 15; set PG_BIN to the directory of its programs." >&2
exit 1
