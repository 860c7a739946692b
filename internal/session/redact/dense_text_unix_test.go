//go:build unix

package redact

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/slowtest"
)

// denseTexts have on every line what calls for a closer look.
var denseTexts = []string{
	"curl -u a:b", "curl -u a:b \\\n", "curl -u \"a:b\",\n", "password=", "password=\n", "password = \"", "kind: Secret", "kind: Secret\n", "kind: Secret\ndata:\n", "kind: Secret\ndata:\n  a: b\n",
	`{"kind":"Secret","data":{"a":"b"}}`, "stringData:\n a: b\n", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----", "private key ",
	`"kty"`, `{"kty":"RSA","d":"`, "https://a:b@c ", "postgres://a:b/", "://", "Authorization: Basic YTpi\n", "Cookie: a=b; ", "Set-Cookie: a=b\n", "token ", "token: ", "secret\\\"", "key: {",
	"\x1b[0mpassword=", "\x1b]password", "\u200bpassword=", "\x00TOKEN=", "auth=(\"a\", ", "getConnection(a,", "mnemonic abandon ability ", "mnemonic: a", "echo a | chpasswd", "password: |\n", "password:\n  ",
	"Private-Lines: 1\nAAAAAAAAAAAAAAAAAAAAAAAAA\n", "$ANSIBLE_VAULT;1.1;AES256\n", "\"password\": {\"default\"", "htpasswd -b a b ", "mc alias set a b ", "\"username\": \"a\", ", "db:5432:", "docker login ", "mysql -p ", "insert into a (password) values ('a'), ", "insert into a (password) values ", "密码：", "echo a | passwd ", "PRAGMA key = 'a", "vault kv put a=b ", "echo a | gh secret set A\n", "jwt.sign({a, b}, ", "hmac.new([]byte(a, ", "curl -b 'a=b' ", "password:\n  value: ", "sk-", "eyJ.eyJ.", "ghp_", "xoxb-", "\\\\\\\\\"password\\\\\\\\\"",
}

// maxGrowth limits how much longer a text of four times the length takes. It is 4 where the
// time is proportional to the length, and 16 where every name is compared with the rest of
// the text. Times below minCPUTime are too short to compare.
const (
	maxGrowth  = 10
	minCPUTime = time.Second
)

// TestDenseText_TakesLinearTime measures CPU time, because a busy machine stretches any
// other, and compares two lengths, because machines and the race detector differ.
func TestDenseText_TakesLinearTime(t *testing.T) {
	slowtest.SkipIfShort(t)
	for _, part := range sampletest.Cases(denseTexts) {
		short := findCPUTime(t, strings.Repeat(part, 256<<10/len(part)))
		long := findCPUTime(t, strings.Repeat(part, 1<<20/len(part)))
		if long > minCPUTime && long > maxGrowth*short {
			t.Errorf("%q: 256 KB take %v, 1 MB %v", part, short, long)
		} else {
			t.Logf("%q: %v", part, long.Round(time.Millisecond))
		}
	}
}

func findCPUTime(t *testing.T, text string) time.Duration {
	t.Helper()
	start := processCPUTime(t)
	dana.Find(text)
	return processCPUTime(t) - start
}

// processCPUTime returns the CPU time that this process has used.
func processCPUTime(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
