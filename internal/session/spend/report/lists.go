package report

import (
	"cmp"
	"slices"

	"sessiontree/internal/session/catalog"
)

// Unpriced returns the models with requests without a price.
func (r *Report) Unpriced() (models []Group) {
	for _, m := range r.Models {
		if m.Total.Unpriced > 0 {
			models = append(models, m)
		}
	}
	slices.SortStableFunc(models, func(x, y Group) int { return cmp.Compare(y.Total.Unpriced, x.Total.Unpriced) })
	return models
}

// SessionTitle returns the name of a session, else its first prompt.
func SessionTitle(s *catalog.Summary) string {
	return cmp.Or(s.Name, s.FirstMessage, "Untitled session")
}
