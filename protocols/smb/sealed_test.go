package smb

import (
	"encoding/hex"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

// TestUnpack holds the formats against the examples of MS-XCA sections 3.1 to 3.3.
func TestUnpack(t *testing.T) {
	alphabet := "abcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct {
		how       uint64
		packed    string
		want      string
		truncated bool
	}{
		{packLZ77, "3f000000" + hex.EncodeToString([]byte(alphabet)), alphabet, true},
		{packLZ77, "ffffff1f61626317000fff2601", strings.Repeat("abc", 100), true},
		{packLZNT1, "0430" + "6162636465", "abcde", true},
		{packLZNT1, "06b0" + "08616263" + "0f20" + "64", "abc" + strings.Repeat("abc", 6) + "d", false},
	} {
		in, err := hex.DecodeString(c.packed)
		if err != nil {
			t.Fatal(err)
		}
		if got := unpack(c.how, in, len(c.want)); string(got) != c.want {
			t.Errorf("%d %s: %q, want %q", c.how, c.packed, got, c.want)
		}
		for cut := range in {
			if got := unpack(c.how, in[:cut], len(c.want)); c.truncated && got != nil {
				t.Errorf("%d %s: cut after %d bytes it is %q", c.how, c.packed, cut, got)
			}
		}
		for _, size := range []int{-1, 0, len(c.want) - 1, len(c.want) + 1, maxUnpacked + 1} {
			if got := unpack(c.how, in, size); got != nil && size != 0 {
				t.Errorf("%d %s: %d bytes come out where %d are asked for", c.how, c.packed, len(got), size)
			}
		}
	}
}

// TestHuffman unpacks a text of literals and one repetition, packed by hand: 'a' has the code 0, 'b' 10, the end
// 110, and what repeats one byte back, with a length in further bytes, 111.
func TestHuffman(t *testing.T) {
	table := make([]byte, 256)
	set := func(symbol, bits int) { table[symbol/2] |= byte(bits << (symbol % 2 * 4)) }
	set('a', 1)
	set('b', 2)
	set(256, 3)
	set(256+15, 3)
	want := "ab" + strings.Repeat("b", 40) + "a"
	// 0 10 111 0 110 and zeros; the length 40-3-15 stands behind the second number of 16 bits
	code := uint16(0b0_10_111_0_110_000000)
	in := append(table, byte(code), byte(code>>8), 0, 0, 40-3-15)
	if got := unpack(packHuffman, in, len(want)); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
	if unpack(packHuffman, in[:200], len(want)) != nil {
		t.Error("half a table is enough")
	}
}

// TestWrongKeys looks at what is said of keys that cannot be right.
func TestWrongKeys(t *testing.T) {
	key := strings.Repeat("ab", 16)
	for value, want := range map[string]string{
		"1900009c003c0000," + key + `,"",""`: "", `1900009c003c0000,"",` + key + "," + key + key: "",
		"12," + key + `,"",""`: "number of 8 bytes", `1900009c003c0000,"","",""`: "neither",
		"1900009c003c0000," + key + `ff,"",""`: "17 bytes", `1900009c003c0000,xy,"",""`: "hexadecimal",
		`1900009c003c0000,"",ab,""`: "1 bytes", "1900009c003c0000": "4 columns",
	} {
		_, err := pKeys.Parse(value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
	}
}

// message2 is a message of SMB 2 of a session, in the frame of NetBIOS; the body begins at 64.
func message2(cmd, flags byte, body string) string {
	head := "\xfeSMB\x40\x00\x00\x00\x00\x00\x00\x00" + string([]byte{cmd, 0, 1, 0, flags, 0, 0, 0, 0, 0, 0, 0, cmd}) +
		strings.Repeat("\x00", 15) + "\x05" + strings.Repeat("\x00", 23)
	return framed(head + body)
}

func framed(m string) string { return string([]byte{0, 0, 0, byte(len(m))}) + m }

// TestCutSetup says that the setup of a session, with which its keys are made, is not whole, where the capture cut it.
func TestCutSetup(t *testing.T) {
	sealed := "\xfdSMB" + strings.Repeat("s", 32) + "\x08\x00\x00\x00\x00\x00\x01\x00\x05" + strings.Repeat("\x00", 7) +
		"sealed!!"
	for _, cut := range []bool{false, true} {
		packets := dissecttest.Stream(445, "C:"+message2(0, 0, strings.Repeat("\x00", 40)),
			"S:"+message2(0, 1, "\x41\x00\x01\x00\x11\x03"+strings.Repeat("\x00", 60)),
			"C:"+message2(1, 0, "\x19\x00"+strings.Repeat("\x00", 40)),
			"S:"+message2(1, 1, "\x09\x00"+strings.Repeat("\x00", 20)), "C:"+framed(sealed))
		for i := range packets {
			if p := &packets[i]; cut && strings.Contains(string(p.Data), "\x19\x00\x00") {
				p.Len, p.Data = len(p.Data), p.Data[:len(p.Data)-8]
			}
		}
		reg := dissecttest.Registry(t, []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(),
			tcp.Plugin(), Session(), Plugin(), data.Plugin()})
		row, err := pKeys.Parse("0500000000000000," + strings.Repeat("ab", 16) + `,"",""`)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(pKeys, row)
		if err := reg.LoadPreferences(); err != nil {
			t.Fatal(err)
		}
		s := dissecttest.SessionOf(t, reg, 101, packets)
		all := ""
		for n := range s.Passed() {
			all += dissecttest.Dump(s.Tree(dissect.FrameNum(n + 1)))
		}
		want := whys[whyWrong]
		if cut {
			want = whys[whyUnseen]
		}
		if !strings.Contains(all, want) {
			t.Errorf("cut %v: no tree says %q", cut, want)
		}
	}
}
