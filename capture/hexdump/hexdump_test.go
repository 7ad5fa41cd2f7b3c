package hexdump

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dumps are texts and the options that they are read with.
var dumps = []struct{ options, text string }{
	{"", "0000 01 02 03 04\n0004 05 06\n0000 ff fe\n"},
	{"", "# a comment\nsome text\n000000 00 0e b6 00 00 02 00 0e  text beside it\r\n000008 b6 00 00 01 08 00 45 00\r\n"},
	{"", "> 0000 01 02\n>0000 03 04\n0002: 05\n"},                   // forwarded mails, colons
	{"", "0000 01 02 03\n0002 aa bb\n0009 cc\n0000 11\n"},           // offsets that fall back, and jump
	{"", "0000 01 02 zz 03\n0002 04\n00 05\n0000\n0000 06"},         // texts in between, an empty packet, no newline
	{"", "0010 01 02\n0000 41 42 43 20 44\n"},                       // does not begin with 0
	{"", "0000  41 42 43 44 ABCD\n0004  61 62 20 ab \n"},            // text that looks like bytes, and is taken for some
	{"-a", "0000  41 42 43 44 ABCD\n0004  61 62 20 ab \n0006 01\n"}, // and is not
	{"-a", "0000  61 62 63 64 65 66 67 ab cd ef\n0007  30 31 32 33 0123\n0000 31\n"},
	{"-o oct", "0000 01 02 03 04 05 06 07 08\n0010 09\n"},
	{"-o dec", "0000 01 02 03 04 05 06 07 08 09 0a\n0010 0b\n"},
	{"-o none", "01 02 03 04\n05 06\n"},
	{"-t %H:%M:%S.%f", "10:15:14.5476\n0000 01 02\n11:00:00.000001\n0000 03\nno time\n0000 04\n"},
	{"-t %Y-%m-%dT%T.%f", "2021-05-06T01:02:03.25\n0000 01\n"},
	{"-t ISO", "2021-05-06T01:02:03.25Z\n0000 01\n"},
	{"-t %s.%f", "1620000000.125\n0000 01\n"},
	{"-e 0x806", "0000 00 01 08 00\n"},
	{"-i 46", "0000 10 01 00 00\n"},
	{"-u 1000,69", "0000 00 01 66 6f 6f 00\n0000 00\n"},
	{"-4 192.0.2.1,192.0.2.2 -u 1000,53 -l 101", "0000 00 01 66 6f 6f\n"},
	{"-l 147", "0000 01 02 03\n"},
}

// TestAsText2pcap: text2pcap makes the same packets of each dump, at the same times where it is told to read them.
func TestAsText2pcap(t *testing.T) {
	text2pcap, err := exec.LookPath("text2pcap")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, d := range dumps {
		in, theirs, ours := filepath.Join(dir, "in"), filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
		if err := os.WriteFile(in, []byte(d.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(text2pcap, append(append([]string{"-F", "nsecpcap"}, strings.Fields(d.options)...), in,
			theirs)...).CombinedOutput(); err != nil {
			t.Fatalf("text2pcap %s: %v: %s", d.options, err, out)
		}
		o, err := Parse(d.options)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Pcap([]byte(d.text), o)
		if err != nil {
			t.Fatalf("%q: %v", d.text, err)
		}
		if err := os.WriteFile(ours, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if want, got := packets(t, theirs, o.Time != ""), packets(t, ours, o.Time != ""); got != want {
			t.Errorf("%q %q:\n%s\ntext2pcap has\n%s", d.options, d.text, got, want)
		}
	}
}

// packets are those of a file: link type, bytes and time.
func packets(t *testing.T, path string, times bool) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 24 {
		t.Fatalf("%s has %d bytes (%v)", path, len(b), err)
	}
	out := fmt.Sprintf("%x, link type %d\n", b[:4], binary.LittleEndian.Uint32(b[20:]))
	for b = b[24:]; len(b) >= 16; {
		n := binary.LittleEndian.Uint32(b[8:])
		if times {
			out += fmt.Sprintf("%d.%09d ", binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]))
		}
		out += fmt.Sprintf("%x\n", b[16:16+n])
		b = b[16+n:]
	}
	return out
}

// TestFaultsAreSaid: options that are none, and a file without a packet.
func TestFaultsAreSaid(t *testing.T) {
	for words, want := range map[string]string{"-Q 1": "is no option here", "-u 1": "is not what", "-o": "takes a value",
		"-4 ::1,::2": "is not what", "-o roman": "is not what"} {
		if _, err := Parse(words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", words, err)
		}
	}
	if _, err := Pcap([]byte("no dump\n"), Options{Base: 16, Link: 1, Now: time.Now()}); err == nil {
		t.Error("a text without packets is a capture")
	}
}

// TestRecognize: dumps are known by their beginning, also behind some text, and nothing else is taken for one.
func TestRecognize(t *testing.T) {
	for text, want := range map[string]bool{
		"0000  45 00 00 1c":                        true,
		"Frame 1:\r\n\r\n000000: 45 00\r\n":        true,
		"# made by hand\n10:00:00.5\n0000 45 00\n": true,
		"> 000 45 00\n":                            false,
		"0010  45 00\n":                            false,
		"0000  45\n":                               false,
		"00  45 00 00 1c\n":                        false,
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3":  false,
		"user:x:1000:1000::/home/user:/bin/sh\n":   false,
		"":                                         false,
		strings.Repeat("text\n", 1000) + "0000 45 00\n": false,
	} {
		if got := Recognize(strings.NewReader(text), int64(len(text))); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}
