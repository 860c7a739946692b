// Package dag arranges the entries of transcripts in threads. It knows ids, parents and times, but
// not the lines that record them.
package dag
