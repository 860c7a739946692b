// Package modelcontext reads what a model is sent before an answer: the messages with their
// contents, and how many tokens each of them takes. Agents record the tokens of a whole
// request only, so those of its parts are estimates whose sum is the recorded number.
package modelcontext
