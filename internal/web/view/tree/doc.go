// Package tree builds the models of the rows of a tree and of what surrounds them: facts,
// banners and the ruler.
package tree
