package names

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReadHosts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	text := "# none\n192.0.2.1 one uno # first\n192.0.2.1 again\n2001:db8::1\ttwo\nnonsense three\n::ffff:192.0.2.4 " +
		"four\n192.0.2.5\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHosts(path)
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[string]string{"192.0.2.1": "one", "2001:db8::1": "two", "192.0.2.4": "four",
		"192.0.2.5": ""} {
		if got := h[netip.MustParseAddr(addr)]; got != want {
			t.Errorf("%s is %q, want %q", addr, got, want)
		}
	}
	if _, err := ReadHosts(path + "x"); err == nil {
		t.Error("a missing file is no error")
	}
}

// TestLookup asks a resolver of its own: the name is not there at first and later is, one question serves all callers,
// and a failure is an answer too.
func TestLookup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	free, asked := make(chan bool), make(chan string, 16)
	l := newLookup(ctx, func(_ context.Context, addr string) ([]string, error) {
		asked <- addr
		<-free
		if addr == "192.0.2.2" {
			return nil, errors.New("no such host")
		}
		return []string{"one.example."}, nil
	}, time.Minute)
	one, two := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	again := l.Name(one)
	if again != "" || l.Name(one) != "" || l.Name(two) != "" || l.Name(netip.MustParseAddr("224.0.0.1")) != "" {
		t.Error("a name is there before it was answered")
	}
	close(free)
	<-l.wanted(one).done
	<-l.wanted(two).done
	if got := l.Name(one); got != "one.example" || l.Name(two) != "" || l.Changes() != 1 {
		t.Errorf("the name is %q after %d changes", got, l.Changes())
	}
	if len(asked) != 2 {
		t.Errorf("%d questions were asked, want 2", len(asked))
	}
}
