// Package index builds the model of the list of sessions.
package index
