package secrets

import (
	"regexp/syntax"
	"strings"
)

// generateMatch returns a text that matches re. It limits unbounded repetitions.
func (m *secretMaker) generateMatch(re *syntax.Regexp) string {
	var b strings.Builder
	times := func(low, high int) {
		for range low + m.rand.IntN(high-low+1) {
			b.WriteString(m.generateMatch(re.Sub[0]))
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteByte(m.chooseCharacter(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefghijkmnpqrstuvwxyz23456789"[m.rand.IntN(32)])
	case syntax.OpCapture:
		times(1, 1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 20)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 || high > re.Min+40 {
			high = re.Min + 40
		}
		times(re.Min, high)
	case syntax.OpAlternate:
		b.WriteString(m.generateMatch(re.Sub[m.rand.IntN(len(re.Sub))]))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			b.WriteString(m.generateMatch(sub))
		}
	}
	return b.String()
}

// chooseCharacter returns a printable character of a class, preferably a letter or digit.
func (m *secretMaker) chooseCharacter(ranges []rune) byte {
	var plain, all []byte
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], ' '); r <= min(ranges[i+1], '~'); r++ {
			all = append(all, byte(r))
			if r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
				plain = append(plain, byte(r))
			}
		}
	}
	switch {
	case len(plain) > 0:
		return plain[m.rand.IntN(len(plain))]
	case len(all) > 0:
		return all[m.rand.IntN(len(all))]
	}
	return byte(ranges[0])
}
