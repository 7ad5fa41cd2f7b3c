// Package syslog dissects syslog messages: those of BSD (RFC 3164) and those with structure (RFC 5424).
package syslog

import (
	"bytes"
	"time"

	"remora/dissect"
)

var proto = dissect.NewProtocol("syslog", "Syslog", "Syslog: what programs report.").
	Summary("Syslog message:[ {level.word}:] {msg}").Color(dissect.HueCyan)

var facilities = dissect.Values{
	0: "KERN - kernel messages", 1: "USER - random user-level messages", 2: "MAIL - mail system",
	3: "DAEMON - system daemons",
	4: "AUTH - security/authorization messages", 5: "SYSLOG - messages generated internally by syslogd",
	6: "LPR - line printer subsystem",
	7: "NEWS - network news subsystem", 8: "UUCP - UUCP subsystem", 9: "CRON - clock daemon (BSD, Linux)",
	10: "AUTHPRIV - security/authorization messages (private)", 11: "FTP - ftp daemon", 12: "NTP - ntp subsystem",
	13: "LOGAUDIT - log audit",
	14: "LOGALERT - log alert", 15: "CRON - clock daemon (Solaris)", 16: "LOCAL0 - reserved for local use",
	17: "LOCAL1 - reserved for local use",
	18: "LOCAL2 - reserved for local use", 19: "LOCAL3 - reserved for local use", 20: "LOCAL4 - reserved for local use",
	21: "LOCAL5 - reserved for local use", 22: "LOCAL6 - reserved for local use", 23: "LOCAL7 - reserved for local use",
}

var levels = dissect.Values{
	0: "EMERG - system is unusable", 1: "ALERT - action must be taken immediately", 2: "CRIT - critical conditions",
	3: "ERR - error conditions",
	4: "WARNING - warning conditions", 5: "NOTICE - normal but significant condition", 6: "INFO - informational",
	7: "DEBUG - debug-level messages",
}

var (
	fFacility = proto.Uint8("facility", "Facility", "Which part of the system reports.").Named(facilities)
	fLevel    = proto.Kind("level", "Level", levels, "How grave it is.").Dec().Derived().Wordless()
	fWord     = proto.String("level.word", "Priority", "Facility and level in short.").Derived().Hidden()
	fPriority = proto.String("priority", "Priority", "Facility and level as one number, in angle brackets.").Hidden()
	fMessage  = proto.String("msg", "Message", "What is reported.")
	fVersion  = proto.String("version", "Syslog version", "Version of the format.")
	fStamp    = proto.Time("timestamp", "Syslog timestamp", "When it happened.")
	fOldStamp = proto.String("timestamp_rfc3164", "Syslog timestamp (RFC3164)", "When it happened, without the year.")
	fHost     = proto.String("hostname", "Syslog hostname", "Where it happened.")
	fApp      = proto.String("appname", "Syslog app name", "The program.")
	fProcess  = proto.String("procid", "Syslog process id", "The process.")
	fID       = proto.String("msgid", "Syslog message id", "Which sort of report it is, and what follows.")
)

// Plugin attaches syslog to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{514}, Fits: fits}
}

// The short words of facilities and levels.
var (
	facilityWords = [...]string{"KERN", "USER", "MAIL", "DAEMON", "AUTH", "SYSLOG", "LPR", "NEWS", "UUCP", "CRON",
		"AUTHPRIV", "FTP", "NTP", "LOGAUDIT", "LOGALERT", "CRON", "LOCAL0", "LOCAL1", "LOCAL2", "LOCAL3", "LOCAL4", "LOCAL5",
		"LOCAL6", "LOCAL7"}
	levelWords = [...]string{"EMERG", "ALERT", "CRIT", "ERR", "WARNING", "NOTICE", "INFO", "DEBUG"}
)

// fits knows a message by its priority, or takes what is text.
func fits(d *dissect.D) bool {
	_, _, ok := priority(d.Data())
	return ok || dissect.IsText(d.Data())
}

func message(d *dissect.D) {
	if n, v, ok := priority(d.Data()); ok {
		at := d.Pos()
		d.Put(fPriority, 0, at, n)
		d.Put(fFacility, v>>3, at, n)
		d.SetKind(fLevel, v&7)
		word := "UNKNOWN"
		if v>>3 < uint64(len(facilityWords)) {
			word = facilityWords[v>>3]
		}
		word += "." + levelWords[v&7]
		d.SetText(fWord, word)
		if d.Info().Wanted() {
			d.Info().Setf("%s:", word)
		}
		d.Skip(n)
	}
	b, at := d.Data(), d.Pos()
	if len(b) == 0 {
		return
	}
	d.Put(fMessage, 0, at, len(b))
	if d.Info().Wanted() {
		d.Info().Setf("%s", bytes.TrimRight(b, "\r\n\x00"))
	}
	d.Below(func() {
		if len(b) > 2 && b[0] == '1' && b[1] == ' ' {
			structured(d, b, at)
		} else {
			old(d, b, at)
		}
	})
	d.Skip(len(b))
}

// priority reads the number in angle brackets that a message begins with.
func priority(b []byte) (n int, v uint64, ok bool) {
	if len(b) < 3 || b[0] != '<' {
		return 0, 0, false
	}
	for n = 1; n < len(b) && n < 5; n++ {
		switch c := b[n]; {
		case c == '>' && n > 1:
			return n + 1, v, true
		case c < '0' || c > '9':
			return 0, 0, false
		default:
			v = v*10 + uint64(c-'0')
		}
	}
	return 0, 0, false
}

// structured shows the words of an RFC 5424 header.
func structured(d *dissect.D, b []byte, at int) {
	pos := 0
	word := func(f *dissect.Field) {
		n := bytes.IndexByte(b[pos:], ' ')
		if n < 0 {
			n = len(b) - pos
		}
		if n > 0 && f != fStamp {
			d.Put(f, 0, at+pos, n)
		}
		if f == fStamp && n <= 64 && d.Wanted(f) {
			if t, err := time.Parse(time.RFC3339Nano, string(b[pos:pos+n])); err == nil {
				d.Put(f, uint64(t.UnixNano()), at+pos, n)
			}
		}
		pos = min(pos+n+1, len(b))
	}
	for _, f := range [...]*dissect.Field{fVersion, fStamp, fHost, fApp, fProcess} {
		word(f)
	}
	if pos < len(b) {
		d.Put(fID, 0, at+pos, len(b)-pos)
	}
}

// old shows the parts of an RFC 3164 message: "Oct 11 22:14:15 host process: text".
func old(d *dissect.D, b []byte, at int) {
	if len(b) < 16 || b[3] != ' ' || b[6] != ' ' || b[9] != ':' || b[12] != ':' || b[15] != ' ' {
		return
	}
	d.Put(fOldStamp, 0, at, 15)
	pos := 16
	n := bytes.IndexByte(b[pos:], ' ')
	if n <= 0 {
		return
	}
	d.Put(fHost, 0, at+pos, n)
	pos += n + 1
	n = bytes.IndexAny(b[pos:], "[: ")
	if n <= 0 {
		return
	}
	d.Put(fProcess, 0, at+pos, n)
	if pos += n; pos < len(b) {
		d.Put(fID, 0, at+pos, len(b)-pos)
	}
}
