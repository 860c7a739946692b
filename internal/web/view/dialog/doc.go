// Package dialog builds the models of the dialogs that change, export and share sessions.
package dialog
