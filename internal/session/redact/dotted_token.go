package redact

import "strings"

// Tokens whose beginning is too common for a regexp rule: pat is in every "path". The following
// characters are checked first.

// findAirtableToken finds pat, 14 letters and digits, a period and 64 hex digits.
func findAirtableToken(s *textScan, start, end int) {
	const id, secret = 14, 64
	stop := end + id + 1 + secret
	if stop > len(s.text) || s.text[end+id] != '.' || start > 0 && isWordByte(s.text[start-1]) && !isEscapeTail(s.text, start) {
		return
	}
	if runLength(s.text, end, "") == id && isHexHash(s.text[end+id+1:stop]) {
		s.addSecret("airtable token", start, stop)
	}
}

// discordPrefixes returns the prefixes of a bot's number in base64.
func discordPrefixes() (all []string) {
	for _, two := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, third := range "AEIMQUYcgk" {
			all = append(all, two+string(third))
		}
	}
	return all
}

// findDiscordToken finds a bot's number in base64, a time and a signature, separated by periods.
func findDiscordToken(s *textScan, start, end int) {
	if !isUpper(s.text[start]) || start > 0 && isWordByte(s.text[start-1]) && !isEscapeTail(s.text, start) {
		return
	}
	first := runLength(s.text, start, "_-")
	at := start + first
	if first < 23 || first > 30 || at >= len(s.text) || s.text[at] != '.' {
		return
	}
	second := runLength(s.text, at+1, "_-")
	last := at + 1 + second
	if second < 5 || second > 7 || last >= len(s.text) || s.text[last] != '.' {
		return
	}
	third := runLength(s.text, last+1, "_-")
	if third >= 25 && third <= 45 && measureValue(s.text[start:at]).wordShare < 0.5 {
		s.addSecret("discord token", start, last+1+third)
	}
}

// runLength returns the number of letters, digits and bytes of more at a place.
func runLength(text string, at int, more string) int {
	end := at
	for end < len(text) && end-at < 128 && (isAlphanumeric(text[end]) || strings.IndexByte(more, text[end]) >= 0) {
		end++
	}
	return end - at
}
