package redact

import (
	"slices"
	"strings"
)

// foreignPasswords are words for passwords that are not written in ASCII letters, or are several words,
// so that they are no names of settings.
var foreignPasswords = []string{
	"mot de passe", "contraseña", "пароль", "Пароль", "hasło", "lösenord", "şifre", "Şifre", "jelszó", "mật khẩu", "κωδικός", "סיסמה", "كلمة المرور", "كلمة السر",
	"密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "पासवर्ड", "รหัสผ่าน",
}

// passwordSigns may be between such a word and the password.
var passwordSigns = []string{
	" ", "\t", ":", "：", "=", "＝", "—", "–", "est ", "es ", "é ", "is ", "to ", "jest ", "är ", "是", "为", "為", "は", "는 ", "은 ", "คือ ",
}

// maxPasswordSigns is the maximum length of the signs together.
const maxPasswordSigns = 24

// findForeignPassword finds the password after a word for it.
func findForeignPassword(s *textScan, _, end int) {
	end += len(quoteAt(s.text, end)) // of a key in JSON
	at := skipPasswordSigns(s.text, end)
	signs := s.text[end:at]
	if signs == "" {
		return
	}
	v := settingValue{start: at, style: styleProse}
	if quote := quoteAt(s.text, at); quote != "" {
		v.start, v.quoted = at+len(quote), true
		v.end, _ = quoteEnd(s.text, v.start, quote, v.start+maxFlagDistance)
	} else {
		v.end = at
		for v.end < len(s.text) && !isShellBreak(s.text[v.end]) && s.text[v.end] < 0x80 && strings.IndexByte(";)<>", s.text[v.end]) < 0 {
			v.end++
		}
	}
	n := settingName{}
	if strings.ContainsAny(signs, ":：=＝") {
		n.first, v.whole, v.style = true, true, styleColon
	}
	if v.end > v.start && loadNameIndex().isSecret(hintPassword, &n, v, s.text) {
		s.addNamedSecret(hintPassword, v.start, v.end)
	}
}

// skipPasswordSigns returns the place after the signs at a place.
func skipPasswordSigns(text string, at int) int {
	for limit := at + maxPasswordSigns; at < limit; {
		i := slices.IndexFunc(passwordSigns, func(sign string) bool { return strings.HasPrefix(text[at:], sign) })
		if i < 0 {
			break
		}
		at += len(passwordSigns[i])
	}
	return at
}
