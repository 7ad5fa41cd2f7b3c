package decode

import (
	"errors"
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

// screen remembers what decoding did.
type screen struct {
	*viewtest.Screen
	rules   []dissect.DecodeAs
	broken  bool // nothing can be dissected anew
	command string
	keep    func() (string, error)
}

func (x *screen) Rules() []dissect.DecodeAs                { return x.rules }
func (x *screen) Profile() string                          { return "lan" }
func (x *screen) Command(text string)                      { x.command = text }
func (x *screen) Keepable(w func() (string, error)) string { x.keep = w; return "; keep?" }
func (x *screen) Redissect(rules []dissect.DecodeAs) error {
	if x.broken {
		return errors.New("no such table")
	}
	x.rules = rules
	return nil
}

func parse(words []string) ([]dissect.DecodeAs, error) {
	if words[0] == "nonsense" {
		return nil, errors.New("that is no rule")
	}
	return []dissect.DecodeAs{{Table: dissect.TableUDP, Value: 6000, Protocol: words[0]}}, nil
}

func TestDecodeAs(t *testing.T) {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 80, 24)}
	kept := ""
	d := New(x, parse, func(profile, word string) (string, error) {
		kept = profile + " " + word
		return "lan.toml", nil
	})
	x.GoTo(4)
	if d.Ask(); x.command != "decode-as udp.port==6000," {
		t.Errorf("asked for %q", x.command)
	}
	if d.Command("nonsense"); x.Notice != "that is no rule" || len(x.rules) > 0 {
		t.Errorf("%q, with %v", x.Notice, x.rules)
	}
	x.broken = true
	if d.Command("dns"); x.Notice != "no such table" || x.keep != nil {
		t.Errorf("%q is said where nothing can be dissected", x.Notice)
	}
	x.broken = false
	d.Command("dns")
	if len(x.rules) != 1 || x.Notice != "Decoding as dns; keep?" {
		t.Fatalf("%v: %s", x.rules, x.Notice)
	}
	if file, err := x.keep(); kept != "lan dns" || file != "lan.toml" || err != nil {
		t.Errorf("kept %q in %s: %v", kept, file, err)
	}
	if New(x, nil, nil).Command("dns"); x.Notice != "there is no decode-as here" {
		t.Error(x.Notice)
	}
}

// TestOutcome: once packets are decoded as a protocol, it says how many are of it and how many do not parse.
func TestOutcome(t *testing.T) {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 80, 24)}
	for _, c := range []struct {
		port  uint32
		as    string
		wants string
	}{{53, "dns", "DNS: 2 packets, all of them parse"}, {6000, "tftp", "TFTP: 40 packets, 40 do not parse as it"},
		{1, "tftp", "TFTP: no packets; is it the right port?"}} {
		d := New(x, func([]string) ([]dissect.DecodeAs, error) {
			return []dissect.DecodeAs{{Table: dissect.TableUDP, Value: c.port, Protocol: c.as}}, nil
		}, nil)
		d.Command("whatever")
		if x.Settle(); x.Notice != c.wants {
			t.Errorf("%s at %d: %s", c.as, c.port, x.Notice)
		}
	}
	if got := outcome(x.Scope().Session.Registry().Protocol("dns"), 400, 12); !strings.Contains(got, "400 packets, 12 ") {
		t.Error(got)
	}
}

func TestWhatMayFollow(t *testing.T) {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 80, 24)}
	d := New(x, parse, nil)
	if got := d.Offers("udp"); len(got) == 0 || got[0].Text != "udp.port==" {
		t.Errorf("tables are %v", got)
	}
	if got := d.Offers("udp.port==7"); got != nil {
		t.Errorf("behind a number there is %v", got)
	}
	got := d.Offers("udp.port==7,dn")
	if len(got) == 0 || got[0].Text != "dns" || got[0].From != len("udp.port==7,") {
		t.Errorf("protocols are %v", got)
	}
}
