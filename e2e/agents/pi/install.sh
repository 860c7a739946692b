#!/bin/sh
# Installs a real pi, an older one and a node that can run them into a directory,
# from the npm registry: install.sh DIR. Nothing is installed globally.
#
# Status 3: npm is missing or the registry is unreachable, so there is nothing to
# test. Any other failure has status 1.
set -u
dir="${1:?usage: install.sh DIR}"
pi=@earendil-works/pi-coding-agent@1.5.2
older=@mariozechner/pi-coding-agent@0.73.1
node=24.9.0
jiti=jiti@2.7.0

say() { echo "e2e-agents: $*" >&2; }
mkdir -p "$dir" && cd "$dir" || exit 1

new_enough() {
	"$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 19) ? 0 : 1)' 2>/dev/null
}

# Unpacks a published package into a directory.
fetch() {
	rm -rf "$2.new" && mkdir "$2.new" &&
		(cd "$2.new" && npm pack "$1" >/dev/null 2>npm.log && tar xzf ./*.tgz && rm -f ./*.tgz) &&
		rm -rf "$2" && mv "$2.new" "$2"
}

if [ -f ready ] && [ "$(cat ready)" = "$pi $older $node" ]; then
	exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
	say "no npm here"
	exit 3
fi
if ! npm view "$pi" version >/dev/null 2>&1 </dev/null; then
	say "the npm registry does not answer for $pi"
	exit 3
fi

if command -v node >/dev/null 2>&1 && new_enough node; then
	command -v node >node-path
else
	case "$(uname -s)-$(uname -m)" in
	Linux-x86_64) platform=linux-x64 ;;
	Linux-aarch64) platform=linux-arm64 ;;
	Darwin-arm64) platform=darwin-arm64 ;;
	Darwin-x86_64) platform=darwin-x64 ;;
	*) say "no node >= 22.19 here and none to fetch for this system"; exit 3 ;;
	esac
	if [ ! -x node/package/bin/node ]; then
		say "fetching node $node"
		fetch "node-$platform@$node" node || { say "node $node could not be fetched"; exit 1; }
	fi
	echo "$(pwd)/node/package/bin/node" >node-path
fi

say "fetching $pi"
# The package bundles everything except jiti, which loads extensions.
if ! fetch "$pi" pi || ! npm install --ignore-scripts --no-audit --no-fund --no-package-lock --prefix ./pi "$jiti" >npm.log 2>&1 </dev/null; then
	say "pi could not be fetched:"
	tail -5 npm.log >&2 2>/dev/null
	exit 1
fi

say "fetching $older"
# This one is not bundled. Its own lifecycle scripts are not run.
rm -rf older && mkdir older
if ! npm install --ignore-scripts --no-audit --no-fund --no-package-lock --prefix ./older "$older" >npm.log 2>&1 </dev/null; then
	say "the older pi could not be fetched:"
	tail -5 npm.log >&2
	exit 1
fi
echo "$pi $older $node" >ready
