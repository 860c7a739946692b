//go:build !race

package slowtest

const raceEnabled = false
