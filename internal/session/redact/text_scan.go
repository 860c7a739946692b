package redact

import "strings"

// textScan is one pass over a text.
type textScan struct {
	rules   *Rules
	text    string
	found   []Finding
	windows []window
	hidden  bool // the text holds hidden characters
	// How far each detector has searched, so that it checks no byte twice.
	settingEnd, blockEnd, secretEnd, jwkEnd, storedEnd int
	command                                            commandUse // of the last flag
}

// detector checks a text at the place of a word.
type detector func(s *textScan, start, end int)

// addSecret adds a secret to the findings.
func (s *textScan) addSecret(kind string, start, end int) {
	if start < end {
		s.found = append(s.found, Finding{Kind: kind, Start: start, End: end, Class: ClassKeys})
	}
}

// addNamedSecret adds a secret that was found by its name. If a rule finds it too, the rule's kind
// is used.
func (s *textScan) addNamedSecret(c valueHint, start, end int) {
	s.found = append(s.found, Finding{Kind: hintKinds[c], Start: start, End: end, Class: ClassKeys, named: true})
}

// secretNameWords are the words, and parts of words, in names of secrets.
var secretNameWords = strings.Fields(`pass pswd pwd pword secret token key credential cred auth cookie jwt bearer psk mnemonic csrf xsrf salt seed pepper ?appid= &appid= _pat kennwort contrasena senha
	masterauth bindpw rootpw userpw ?sig= &sig= ?code= &code= signature= ?sid= &sid= session= sessionid= ?otp= &otp= hmac= ticket= dockerconfigjson .pw= _pw= "pw" pw: userpwd kodeord wachtwoord salasana heslo adgangskode lozinka parola
	_pin -pin "pin" userpin cardpin simpin .pin=`)

// wordDetectors returns the detectors by the words that trigger them.
func wordDetectors() map[string]detector {
	all := map[string]detector{
		" pw=": findSetting, "\npw=": findSetting,
		"://": findUserInfo, "@tcp(": findDSNPassword, "@unix(": findDSNPassword, "basic ": findBasicAuth, "private key": findKeyBlock, "static key v1": findKeyBlock,
		"private-lines:": findPuTTYKey, "$ansible_vault;": findAnsibleVault, "stringdata": findSecretData, "secret": findSecretData, "kty": findJWK,
		":5432:": findPgpassLine, ":5433:": findPgpassLine, ":6432:": findPgpassLine, ":*:": findPgpassLine,
		"identified by": findSQLPassword, "pragma key": findSQLPassword, "pragma rekey": findSQLPassword, "insert into": findInsertedSecret, " passwd": findPipedPassword,
		"chpasswd": findPipedPassword, "sudo -s": findPipedPassword, "-password-stdin": findPipedPassword, "<<<": findPipedPassword,
	}
	all["pat"] = findAirtableToken
	for _, lead := range discordPrefixes() {
		all[strings.ToLower(lead)] = findDiscordToken
	}
	for _, word := range foreignPasswords {
		all[word] = findForeignPassword
	}
	for call := range secretCalls {
		all[call] = findSecretArgument
	}
	for _, command := range storeCommands {
		all[command] = findStoredSecret
	}
	for _, flag := range []string{"-p", "-u", "-a", "-w", "-k", "-t", "--creds", "--user", "/p:", "-pw", "-hp", "-passin", "-passout", "-pass", "-n", "-b"} {
		all[flag] = findCommandFlag
	}
	return all
}

// hiddenSequences begin text that terminals and editors do not show.
var hiddenSequences = []string{"\x00", "\x1b", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
	"\u2060", "\u2061", "\u2062", "\u2063", "\u2064", "\u2066", "\u2067", "\u2068", "\u2069", "\u00ad", "\u180e", "\ufeff", "\u009b",
	`\x1b[`, `\u001b[`, `\033[`, `\e[`, "^[["}
