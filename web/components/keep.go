package components

import "net/url"

// KeepAddress returns the address of the dialog about copies, or of a step of it. back is the
// address of the list.
func KeepAddress(step, back string) string {
	q := url.Values{}
	if step != "" {
		q.Set("step", step)
	}
	q.Set("back", back)
	return "/keep?" + q.Encode()
}
