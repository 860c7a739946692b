package redact

import (
	"strings"
	"testing"
	"time"
)

// denseTexts trigger a closer check on every line.
var denseTexts = []string{
	"curl -u a:b", "curl -u a:b \\\n", "curl -u \"a:b\",\n", "password=", "password=\n", "password = \"", "kind: Secret", "kind: Secret\n", "kind: Secret\ndata:\n", "kind: Secret\ndata:\n  a: b\n",
	`{"kind":"Secret","data":{"a":"b"}}`, "stringData:\n a: b\n", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----", "private key ",
	`"kty"`, `{"kty":"RSA","d":"`, "https://a:b@c ", "postgres://a:b/", "://", "Authorization: Basic YTpi\n", "Cookie: a=b; ", "Set-Cookie: a=b\n", "token ", "token: ", "secret\\\"", "key: {",
	"\x1b[0mpassword=", "\x1b]password", "\u200bpassword=", "\x00TOKEN=", "auth=(\"a\", ", "getConnection(a,", "mnemonic abandon ability ", "mnemonic: a", "echo a | chpasswd", "password: |\n", "password:\n  ",
	"Private-Lines: 1\nAAAAAAAAAAAAAAAAAAAAAAAAA\n", "$ANSIBLE_VAULT;1.1;AES256\n", "\"password\": {\"default\"", "htpasswd -b a b ", "mc alias set a b ", "\"username\": \"a\", ", "db:5432:", "docker login ", "mysql -p ", "sk-", "eyJ.eyJ.", "ghp_", "xoxb-", "\\\\\\\\\"password\\\\\\\\\"",
}

// mostTime is far more than 2 MB take on an idle machine (half a second at most), and far less than
// with quadratic time.
const mostTime = 5 * time.Second

// TestDenseText checks that the time is proportional to the length of a text.
func TestDenseText(t *testing.T) {
	if testing.Short() {
		t.Skip("searches 100 MB")
	}
	for _, part := range denseTexts {
		text := strings.Repeat(part, 2<<20/len(part))
		start := time.Now()
		dana.Find(text)
		if took := time.Since(start); took > mostTime {
			t.Errorf("%q: 2 MB take %v", part, took)
		} else {
			t.Logf("%q: %v", part, took.Round(time.Millisecond))
		}
	}
}
