package redact

import "strings"

// scan is one pass over a text.
type scan struct {
	rules   *Rules
	text    string
	found   []Finding
	windows []window
	hidden  bool // characters stand in the text that nobody sees
	// How far each engine has looked, so that it looks at no byte twice.
	nameEnd, blockEnd, secretEnd, jwkEnd int
	command                              invocation // of the last flag
}

// detector looks at a text where a word stands.
type detector func(s *scan, start, end int)

// add notes a secret.
func (s *scan) add(kind string, start, end int) {
	if start < end {
		s.found = append(s.found, Finding{Kind: kind, Start: start, End: end, Class: Keys})
	}
}

// addNamed notes a secret that its name gives away. A rule knows its kind better.
func (s *scan) addNamed(c class, start, end int) {
	s.found = append(s.found, Finding{Kind: kinds[c], Start: start, End: end, Class: Keys, named: true})
}

// nameWords are the words, and parts of words, that names of secrets have in them.
var nameWords = strings.Fields(`pass pswd pwd pword secret token key credential cred auth cookie jwt bearer psk mnemonic csrf xsrf salt seed pepper ?appid= &appid= _pat kennwort contrasena senha
	masterauth bindpw rootpw userpw ?sig= &sig= ?code= &code= signature= ?sid= &sid= session= sessionid= ?otp= &otp= hmac= ticket= dockerconfigjson .pw= _pw= "pw" pw: userpwd`)

// detectors are the engines with the words that call for them.
func detectors() map[string]detector {
	all := map[string]detector{
		"://": findUserInfo, "@tcp(": findDSN, "@unix(": findDSN, "basic ": findBasic, "private key": findKeyBlock, "static key v1": findKeyBlock,
		"private-lines:": findPPK, "$ansible_vault;": findVault, "stringdata": findSecretData, "secret": findSecretData, "kty": findJWK,
		":5432:": findPgpass, ":5433:": findPgpass, ":6432:": findPgpass, ":*:": findPgpass,
		"identified by": findIdentified, "chpasswd": findPiped, "sudo -s": findPiped, "-password-stdin": findPiped, "<<<": findPiped,
	}
	all["pat"] = findAirtable
	for _, lead := range discordLeads() {
		all[strings.ToLower(lead)] = findDiscordBot
	}
	for call := range loginCalls {
		all[call] = findLogin
	}
	for _, flag := range []string{"-p", "-u", "-a", "-w", "-k", "-t", "--creds", "--user", "/p:", "-pw", "-hp", "-passin", "-passout", "-pass", "-n"} {
		all[flag] = findFlag
	}
	return all
}

// hiddenWords begin what a terminal or an editor shows nothing of.
var hiddenWords = []string{"\x00", "\x1b", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
	"\u2060", "\u2061", "\u2062", "\u2063", "\u2064", "\u2066", "\u2067", "\u2068", "\u2069", "\u00ad", "\u180e", "\ufeff", "\u009b",
	`\x1b[`, `\u001b[`, `\033[`, `\e[`, "^[["}
