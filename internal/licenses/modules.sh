#!/bin/sh
# Fails when a module in the program was retracted or is deprecated, and prints what is
# newer. Without network it says so; with CI set that is an error.
set -eu
go=${1:-go}
list=$("$go" list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' ./cmd/explorer | sort -u)
if ! out=$("$go" list -m -u -retracted -f '{{if .Retracted}}BAD {{.Path}} {{.Version}} was retracted: {{.Retracted}}
{{end}}{{if .Deprecated}}BAD {{.Path}} is deprecated: {{.Deprecated}}
{{end}}{{with .Update}}newer: {{.Path}} {{.Version}}
{{end}}' $list 2>&1); then
	echo "modules: versions were not compared: $out" | head -3
	[ -z "${CI:-}" ]
	exit
fi
printf '%s\n' "$out" | sed '/^$/d'
! printf '%s' "$out" | grep -q '^BAD'
