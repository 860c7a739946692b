// Package terminal writes to a terminal: text without control characters, colors,
// progress, trees and conversations.
package terminal
