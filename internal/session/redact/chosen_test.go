package redact

import (
	"strings"
	"testing"
)

// TestWordPasswords checks that passwords made of words, keys of wireless networks and
// PINs are found where nothing else is possible. The secret is between « and ».
func TestWordPasswords(t *testing.T) {
	for _, text := range []string{
		"password=«correcthorse»",
		"db_password=«sunflower»",
		"a=1\npassphrase=«mountaindew»\n",
		`export DB_PASSWORD="«sunflower»"`,
		"run --password=«sunflower» now",
		"https://h.example/login?user=bob&password=«sunflower»",
		"jdbc:mysql://h/db?user=a&password=«sunflower»",
		"host=db user=bob password=«sunflower» dbname=shop",
		"Server=db;User Id=sa;Password=«sunflower»;",
		`{"user": "bob", "password": "«tigerlily»"}`,
		`{"password":"«tigerlily»","host":"db"}`,
		"username: bob\npassword: «sunflower»\nport: 5432",
		"wpa_passphrase=«homeward»",
		"wpa_passphrase=«Homeward7bound»",
		"network={\n\tssid=\"home\"\n\tpsk=\"«homewardbound»\"\n}",
		`psk="«the way home»"`,
		"[wifi-security]\npsk=«homewardbound»",
		"802-11-wireless-security.psk=«homewardbound»",
		"\twpa-psk «homewardbound»",
		"wifi_password: «homewardbound»",
		"nmcli dev wifi connect home password «homewardbound»",
		`"pin": "«4921»"`,
		"card_pin=«4921»",
		`user_pin: "«492133»"`,
		"ykman piv access change --pin «492133»",
		"yubico-piv-tool --pin=«492133»",
		`"simPin": "«4921»"`,
	} {
		before, rest, _ := strings.Cut(text, "«")
		secret, after, _ := strings.Cut(rest, "»")
		found := dana.findClasses(before+secret+after, map[string]bool{ClassKeys: true})
		if len(found) != 1 || found[0].Start != len(before) || found[0].End != len(before)+len(secret) {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// Variables, types, words of an interface and pins of chips are none.
func TestNoWordPasswords(t *testing.T) {
	for _, text := range []string{
		"password = sunflower",
		"password=getPassword",
		"    password=credentialvalue\n)",
		"connect(user=user, password=passwordvalue)",
		"self.password = sunflower",
		"password: string\nusername: string",
		"username: required\npassword: required",
		"{ username: login, password: loginpass }",
		"  username: login,\n  password: loginpass",
		`{"username": "Benutzername", "password": "Kennwort"}`,
		"password=mypassword",
		"PASSWORD=$SUNFLOWER",
		"--password=PASSWORD",
		"psk=preSharedKey",
		`"psk": "string"`,
		"psk = load(path)",
		"the psk used by the tunnel",
		"GPIO_PIN=1318",
		"led_pin = 13",
		"const pin = 4921",
		`"pin": 4921`,
		`"mapping": "4921"`,
		"--pin 1234",
		"--pin-memory 4921",
	} {
		if found := dana.findClasses(text, map[string]bool{ClassKeys: true}); len(found) > 0 {
			t.Errorf("%s: %s %q", text, found[0].Kind, text[found[0].Start:found[0].End])
		}
	}
}
