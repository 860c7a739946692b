// Package bools orders and counts booleans.
package bools

// Compare returns -1 if a is false and b is true, 1 if a is true and b is false, else 0.
func Compare(a, b bool) int { return ToInt(a) - ToInt(b) }

// ToInt returns 1 for true and 0 for false.
func ToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
