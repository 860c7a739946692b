#!/bin/sh
# Prints the path of a Firefox. If there is none and the user is root, it installs one
# with the system's package manager. Otherwise it prints the command to run and exits
# with status 1. Progress goes to stderr.
set -u

find_browser() {
	if [ -n "${FIREFOX:-}" ] && [ -x "$FIREFOX" ]; then
		echo "$FIREFOX"
		return 0
	fi
	for name in firefox-esr firefox; do
		if command -v "$name" 2>/dev/null; then
			return 0
		fi
	done
	return 1
}

install_command() {
	if command -v apt-get >/dev/null 2>&1; then
		echo "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends firefox-esr"
	elif command -v dnf >/dev/null 2>&1; then
		echo "dnf install -y firefox"
	elif command -v apk >/dev/null 2>&1; then
		echo "apk add firefox-esr"
	elif command -v pacman >/dev/null 2>&1; then
		echo "pacman -Sy --noconfirm firefox"
	fi
}

find_browser && exit 0
how="$(install_command)"
if [ -z "$how" ] || [ "$(id -u)" != 0 ]; then
	echo "No Firefox found. Install it, or set FIREFOX to its path, then run this again." >&2
	[ -z "$how" ] || echo "    $how" >&2
	exit 1
fi
echo "No Firefox found, installing it: $how" >&2
if ! sh -c "$how" >&2 </dev/null; then
	echo "Firefox could not be installed." >&2
	exit 1
fi
find_browser && exit 0
echo "Firefox was installed but is not in PATH; set FIREFOX to its path." >&2
exit 1
