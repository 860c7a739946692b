package serve

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func TestShareBaseURL(t *testing.T) {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	o := &Options{}
	if got := o.shareBaseURL(nil); got != "" {
		t.Errorf("without a listener: %q", got)
	}
	u, err := url.Parse(o.shareBaseURL([]net.Listener{l}))
	if err != nil || u.Scheme != "http" || u.Hostname() == "0.0.0.0" || u.Hostname() == "" || u.Port() != strconv.Itoa(port) {
		t.Errorf("on every address: %v, %v", u, err)
	}
	o.cert = "x"
	if got := o.shareBaseURL([]net.Listener{l}); !strings.HasPrefix(got, "https://") {
		t.Errorf("over TLS: %s", got)
	}
}
