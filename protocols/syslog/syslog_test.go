package syslog_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds packets put together by hand from the formats of the specifications; the values are what tshark 4.0
// prints for them.
const file = "testdata/syslog.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 42)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "syslog.facility", "4"},
		{1, "syslog.level", "2"},
		{1, "syslog.msg", "Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"},
		{1, "syslog.timestamp_rfc3164", "Oct 11 22:14:15"},
		{1, "syslog.hostname", "mymachine"},
		{1, "syslog.procid", "su"},
		{1, "syslog.msgid", ": 'su root' failed for lonvick on /dev/pts/8"},
		{2, "syslog.version", "1"},
		{2, "syslog.timestamp", "Oct 11, 2003 22:14:15.003000000 UTC"},
		{2, "syslog.hostname", "mymachine.example.com"},
		{2, "syslog.appname", "evntslog"},
		{6, "syslog.timestamp", "Aug 24, 2003 12:14:15.000003000 UTC"},
		{6, "syslog.procid", "8710"},
	} {
		tree := s.Tree(c.frame)
		var all []string
		for i := range tree.Nodes {
			if tree.Field(i).Name() == c.field {
				all = append(all, tree.Show(i))
			}
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
}

func TestInfo(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	for n, want := range map[dissect.FrameNum]string{
		1: "AUTH.CRIT: Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8",
		3: "USER.NOTICE: no time here",
		4: "no priority",
		5: "LOCAL7.DEBUG: 1 - - - - - -",
		6: "LOCAL4.NOTICE: 1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
}
