package sidefiles

import "testing"

func TestReadCleanUpDays(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]int{
		"":                             30,
		`{}`:                           30,
		`{"model":"opus"}`:             30,
		`{"cleanupPeriodDays":7}`:      7,
		`{"cleanupPeriodDays":0}`:      0,
		`{"cleanupPeriodDays":365.5}`:  365,
		`{"cleanupPeriodDays":-1}`:     30,
		`{"cleanupPeriodDays":"soon"}`: 30,
		`{"cleanupPeriodDays":9`:       30,
		`{"cleanupPeriodDays":1e300}`:  -1,
	} {
		if days, ok := readCleanUpDays([]byte(settings)); ok != (want >= 0) || ok && days != want {
			t.Errorf("%s: %d, %v; want %d", settings, days, ok, want)
		}
	}
}
