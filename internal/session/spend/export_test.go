package spend

// OwnedIf returns the ownership of a session that shares requests.
func OwnedIf(owns func(key uint64) bool) Ownership {
	return Ownership{owns: owns, shares: true, scope: 1, wide: 1}
}
