// Package path builds the models of the items of a path: prompts, answers, tools and notes.
package path
