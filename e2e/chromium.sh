#!/bin/sh
# Prints the path of a Chromium or Chrome. If there is none and the user is root, it
# installs one with the system's package manager. Otherwise it prints the command to
# run and exits with status 1. Progress goes to stderr.
#
# chromium-headless-shell is Chromium without windows: the same pages take a third less
# processor time. Debian has it; other systems have only the whole browser.
set -u

find_browser() {
	if [ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ]; then
		echo "$CHROMIUM"
		return 0
	fi
	for name in chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome chrome; do
		if command -v "$name" 2>/dev/null; then
			return 0
		fi
	done
	for path in \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		"/Applications/Chromium.app/Contents/MacOS/Chromium"; do
		if [ -x "$path" ]; then
			echo "$path"
			return 0
		fi
	done
	return 1
}

install_command() {
	if command -v apt-get >/dev/null 2>&1; then
		install="DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends"
		echo "apt-get update && { $install chromium-headless-shell || $install chromium; }"
	elif command -v dnf >/dev/null 2>&1; then
		echo "dnf install -y chromium"
	elif command -v apk >/dev/null 2>&1; then
		echo "apk add chromium"
	elif command -v pacman >/dev/null 2>&1; then
		echo "pacman -Sy --noconfirm chromium"
	elif command -v brew >/dev/null 2>&1; then
		echo "brew install --cask chromium"
	fi
}

find_browser && exit 0
how="$(install_command)"
if [ -z "$how" ]; then
	echo "No Chromium found. Install Chromium or Chrome, or set CHROMIUM to its path." >&2
	exit 1
fi
if [ "$(id -u)" != 0 ] || [ "${how#brew}" != "$how" ]; then
	echo "No Chromium found. Install it, then run this again:" >&2
	echo "    $how" >&2
	exit 1
fi
echo "No Chromium found, installing it: $how" >&2
if ! sh -c "$how" >&2 </dev/null; then
	echo "Chromium could not be installed." >&2
	exit 1
fi
find_browser && exit 0
echo "Chromium was installed but is not in PATH; set CHROMIUM to its path." >&2
exit 1
