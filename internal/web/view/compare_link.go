package view

import "net/url"

// MaxCompared is the number of branches that are compared at a time.
const MaxCompared = 12

// CompareQuery returns the parameters that compare the branches that entries belong to.
func CompareQuery(ids []string) url.Values {
	if len(ids) == 2 {
		return url.Values{"a": ids[:1], "b": ids[1:]}
	}
	return url.Values{"with": ids}
}
