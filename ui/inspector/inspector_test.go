package inspector

import "testing"

func TestMeanings(t *testing.T) {
	for bytes, wants := range map[string][]Interpretation{
		"\xfe\xff\x00\x00": {{"u8", "254", ""}, {"i8", "-2", ""}, {"u16", "65534", "65279"},
			{"i16", "-2", "-257"}, {"u32", "65534", "4278124544"}, {"i32", "65534", "-16842752"}},
		"\x00\x00\xc8\x42":                 {{"f32", "100", "7.1839e-41"}, {"IPv4", "0.0.200.66", ""}},
		"\x18\x2d\x44\x54\xfb\x21\x09\x40": {{"f64", "3.141592653589793", "3.207375630676366e-192"}},
		"\x00\x5e\xd0\x65":                 {{"Unix s", "2024-02-17 07:19:28", ""}},
		"\x80\x16\xd7\xd5\xde\xb1\x9d\x01": {{"FILETIME", "1970-01-01 00:00:01", ""}},
		"\xe9\x7f\x93\x80\x80\x00\x00\x00": {{"NTP", "", "2024-02-20 21:09:20.5"}},
		"\x00\x60\x52\x58":                 {{"DOS", "2024-02-18 12:00:00", ""}},
		"\x02\x00\x00\x00\x00\x01\x00\x00": {{"MAC", "02:00:00:00:00:01", ""}},
		"\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01": {{"IPv6", "2001:db8::1", ""},
			{"GUID", "b80d0120-0000-0000-0000-000000000001", ""}},
		"h\x00\xe9\x00\x00\x00":     {{"UTF-16 LE", `"hé"`, ""}, {"UTF-8", `"h"`, ""}},
		"\x83\x65\x83\x58\x83\x67":  {{"Shift-JIS", `"テスト"`, ""}},
		"\xe9t\xe9":                 {{"CP1252", `"été"`, ""}},
		"\x1b]0;\xe2\x80\xae\x00..": {{"UTF-8", `"\033]0;\u202E"`, ""}},
	} {
		got := Of([]byte(bytes), 0)
		for _, want := range wants {
			found := false
			for _, m := range got {
				if m.Name == want.Name {
					found = m.Low == want.Low && (m.High == want.High || want.High == "")
					if !found {
						t.Errorf("% x as %s is %q, %q; want %q, %q", bytes, m.Name, m.Low, m.High, want.Low, want.High)
						found = true
					}
				}
			}
			if !found {
				t.Errorf("% x is not told as %s", bytes, want.Name)
			}
		}
	}
	for _, m := range Of([]byte("\x01\x02\x03"), 3) {
		if m.Name == "u24" && (m.Low != "197121" || m.High != "66051") {
			t.Errorf("three bytes picked: %+v", m)
		}
	}
}
