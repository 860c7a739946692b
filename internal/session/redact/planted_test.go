package redact

import (
	"encoding/base64"
	"strings"
)

// planted is a secret within a text.
type planted struct{ kind, before, secret, after string }

func plantedSecrets() []planted {
	return []planted{
		{"anthropic key", "use ", "sk-ant-" + "api03-" + made(letter, 93) + "AA", " for it"},
		{"anthropic key", "(", "sk-ant-" + "api03-" + made(letter, 93) + "AA", "), he said"},
		{"anthropic token", "", "sk-ant-" + "oat01-" + made(letter, 80), "."},
		{"openai project key", "key=", "sk-" + "proj-" + made(letter, 120), ""},
		{"openai style key", `"`, "sk-" + made(letter, 48), `"`},
		{"openai project key", "", "sk-" + "or-v1-" + made(hexes, 64), ","},
		{"github token", "https://x:", "ghp" + "_" + made(letter, 36), "/"},
		{"github fine grained token", "", "github" + "_pat_" + made(letter, 82), ""},
		{"gitlab token", "", "glpat" + "-" + made(letter, 20), ""},
		{"aws access token", "id: ", "AKIA" + made(upper, 16), ""},
		{"aws secret key", "aws_secret_access_key = ", made(letter, 40), "\n"},
		{"gcp key", "?key=", "AIza" + made(letter, 35), "&x"},
		{"google oauth token", "", "ya29" + "." + made(letter, 60), ""},
		{"slack token", "", "xox" + "b-" + made("123456789", 12) + "-" + made("123456789", 12) + "-" + made(letter, 24), ""},
		{"stripe key", "", "sk" + "_live_" + made(letter, 24), ";"},
		{"npm access token", "//registry/:_authToken=", "npm" + "_" + made(lower, 36), ""},
		{"huggingface access token", "", "hf" + "_" + made("abcdefghijklmnopqrstuvwxyz", 34), ""},
		{"groq key", "", "gsk" + "_" + made(letter, 52), ""},
		{"twilio key", "", "SK" + made(hexes, 32), ""},
		{"vault service token old", "token ", "s" + "." + made(letter, 24), "\n"},
		{"sourcegraph access token", "", "sgp" + "_" + made(hexes, 40), ""},
		{"jwt", "Cookie: t=", token(), ";"},
		{"private key", "file:\n", pem("RSA PRIVATE KEY", 24, true), "\nend"},
		{"private key", "", pem("OPENSSH PRIVATE KEY", 900, true), ""},
		{"private key", "head -3:\n", strings.TrimSuffix(pem("PRIVATE KEY", 3, false), "\n"), "\n$ "},
		{"private key", `{"k":"`, strings.ReplaceAll(pem("PRIVATE KEY", 20, true), "\n", `\n`), `\n"}`},
		{"connection string", "postgres://app:", made(letter, 12), "@db.internal:5432/app"},
		{"connection string", "mongodb+srv://app:", made(letter, 20), "@cluster0.example.net"},
		{"connection string", "redis://:", made(letter, 20), "@cache:6379"},
		{"password", "Server=db;User=sa;Password=", made(letter, 14), ";Encrypt=true"},
		{"credentials", "Authorization: Bearer ", made(letter, 40), "'"},
		{"credentials", `"authorization": "Basic `, base64.StdEncoding.EncodeToString([]byte("someone:" + made(letter, 14))), `"`},
		{"credentials", "curl -s -u ", "someone:" + made(letter, 12), " https://x"},
		{"key", "curl -H 'Accept: x' -H 'X-Api-Key: ", made(letter, 20), "' https://x"},
		{"secret", "PORT=80\nSESSION_SECRET=", made(letter, 24), "\nX=1"},
		{"password", "export DB_PASSWORD='", made(letter, 12), "'"},
		{"token", "-e PGPASSWORD=x ADMIN_TOKEN=", made(hexes, 32), " run"},
		{"heroku key", "HEROKU_API_KEY=", made(hexes, 8) + "-1234-4321-8765-" + made(hexes, 12), ""},
	}
}
