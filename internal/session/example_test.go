package session_test

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

// The person went back to the first answer and asked for something else.
func ExampleTree() {
	tree := sessiontest.Tree(`
		u user fix the build
		a asst which one
		b user the nightly one
		c<a user all of them`)
	for _, p := range tree.Path(tree.Leaf()) {
		fmt.Println(tree.At(p).Preview)
	}
	fork := tree.FindID("a")
	fmt.Println("branches:", len(tree.Children(fork)), "entries:", tree.Subtrees().Size(fork))
	// Output:
	// fix the build
	// which one
	// all of them
	// branches: 2 entries: 3
}

// Branching from the first answer leaves one prompt behind.
func ExamplePlanBranch() {
	tree := sessiontest.Tree(`
		u user fix the build
		a asst which one
		b user the nightly one`)
	plan := session.PlanBranch(tree, tree.FindID("a"), tree.Leaf())
	for _, p := range plan.Abandoned {
		fmt.Println("abandoned:", tree.At(p).Preview)
	}
	fmt.Println("new leaf:", tree.At(plan.NewLeaf).Preview)
	// Output:
	// abandoned: the nightly one
	// new leaf: which one
}
