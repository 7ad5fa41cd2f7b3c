package tls

// The tests of follow need all protocols.
//
//testrun:alone

import (
	"strings"
	"testing"

	"remora/dissect/follow"
)

// TestFollowed reads what the sessions carried, without handshakes and alerts: nothing of it without the secrets.
func TestFollowed(t *testing.T) {
	for _, p := range plays {
		c, secrets := p.record(t)
		s := passed(t, c, secrets)
		if !follow.Carries(s, 1, "tls") {
			t.Errorf("%s: no TLS in it", p.name)
		}
		f := follow.NewOf(s, 1, "tls")
		f.CollectPassed()
		var said [2]strings.Builder
		for i := range f.Len() {
			u := f.Unit(i)
			said[u.Dir].Write(u.Data)
		}
		want, answer := "", ""
		for _, b := range p.say {
			want += string(b)
		}
		for _, b := range p.answer {
			answer += string(b)
		}
		if said[0].String() != want || said[1].String() != answer {
			t.Errorf("%s: %q and %q were said, want %q and %q", p.name, said[0].String(), said[1].String(), want, answer)
		}
		f = follow.NewOf(passed(t, c, nil), 1, "tls")
		if f.CollectPassed(); f.Len() > 0 {
			t.Errorf("%s: without secrets %q was said", p.name, f.Unit(0).Data)
		}
	}
}
