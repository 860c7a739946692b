// Package pi reads the session files of pi and oh-my-pi, which share one format. It
// supports pi 0.58 to 1.5 (versions 1 to 3 and the uuid/parentUuid draft) and oh-my-pi 5.7
// to 18. Each line is scanned on its own into a session.Record. A decoder then turns the
// records of a file, in order, into entries. Old versions are migrated in memory only.
package pi
