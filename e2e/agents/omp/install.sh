#!/bin/sh
# Installs a real oh-my-pi and the bun that runs it into a directory, from the npm
# registry: install.sh DIR. Nothing is installed globally.
#
# Status 3: oh-my-pi is not available, so there is nothing to test. Any other failure
# has status 1.
set -u
dir="${1:?usage: install.sh DIR}"
here="$(cd "$(dirname "$0")" && pwd)"
omp=@oh-my-pi/pi-coding-agent@18.3.4
bun=bun@1.4.5
parser=@babel/parser@7.29.7
# The natives are published separately in two parts. Use the newest of each.
natives=@oh-my-pi/pi-natives@18.2.10

say() { echo "e2e-agents: $*" >&2; }
failed() {
	say "$1 could not be fetched:"
	tail -5 npm.log >&2 2>/dev/null
	exit 1
}
mkdir -p "$dir" && cd "$dir" || exit 1

case "$(uname -s)-$(uname -m)" in
Linux-x86_64) platform=linux-x64 ;;
Linux-aarch64) platform=linux-arm64 ;;
Darwin-arm64) platform=darwin-arm64 ;;
Darwin-x86_64) platform=darwin-x64 ;;
*) say "no oh-my-pi for this system"; exit 3 ;;
esac
addon=@oh-my-pi/pi-natives-$platform@18.2.11
if [ -f ready ] && [ "$(cat ready)" = "$omp $bun $natives $addon" ]; then
	exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
	say "no npm here"
	exit 3
fi
for wanted in "$omp" "$addon"; do
	if ! npm view "$wanted" version >/dev/null 2>&1 </dev/null; then
		say "the npm registry does not answer for $wanted"
		exit 3
	fi
done

say "fetching $omp"
rm -rf ready bun-path package node_modules natives ./*.tgz
# These dependencies are not bundled.
npm pack "$omp" >/dev/null 2>npm.log </dev/null && tar xzf ./*.tgz && rm -f ./*.tgz || failed "$omp"
npm install --ignore-scripts --no-audit --no-fund --no-package-lock --prefix . \
	"$bun" "$parser" "$natives" "$addon" >npm.log 2>&1 </dev/null || failed "what $omp needs"

for candidate in node_modules/@oven/bun-*/bin/bun; do
	if "$candidate" --version >/dev/null 2>&1; then
		echo "$(pwd)/$candidate" >bun-path
	fi
done
[ -f bun-path ] || { say "no bun that runs here among $(echo node_modules/@oven/*)"; exit 1; }

# oh-my-pi accepts an addon of another version if the natives are outside node_modules,
# as in its development setup.
mv node_modules/@oh-my-pi/pi-natives natives && ln -s ../../natives node_modules/@oh-my-pi/pi-natives &&
	mv "node_modules/@oh-my-pi/pi-natives-$platform"/*.node natives/native/ &&
	"$(cat bun-path)" "$here/natives.mjs" package/dist/cli.js natives/native/index.js || { say "the natives could not be set up"; exit 1; }
HOME="$(pwd)" "$(cat bun-path)" package/dist/cli.js --version >/dev/null || { say "oh-my-pi does not start"; exit 1; }
echo "$omp $bun $natives $addon" >ready
