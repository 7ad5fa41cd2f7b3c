package decodeas

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
)

func registry(t *testing.T) *dissect.Registry {
	t.Helper()
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func TestParse(t *testing.T) {
	reg := registry(t)
	for word, want := range map[string][2]uint32{
		"udp.port==7000,touhou":      {7000, 7000},
		"udp.port=7000-7001,touhou":  {7000, 7001},
		"udp.port==7000-7003,touhou": {7000, 7003},
		"udp.port==7000:4,touhou":    {7000, 7003},
		"udp.port==0x10,touhou":      {16, 16},
		"udp.port==0-65535,touhou":   {0, 65535},

		"kaillera.charset==1251,kaillera": {1251, 1251},
	} {
		as, err := Parse(reg, []string{word})
		if err != nil || len(as) != int(want[1]-want[0])+1 || as[0].Value != want[0] || as[len(as)-1].Value != want[1] ||
			as[0].Protocol != word[strings.Index(word, ",")+1:] || string(as[0].Table) != word[:strings.Index(word, "=")] {
			t.Errorf("%s: %v %v", word, as, err)
		}
	}
}

func TestWrongWords(t *testing.T) {
	reg := registry(t)
	for word, want := range map[string]string{
		"udp.port":                 "it takes TABLE==NUMBER,PROTOCOL",
		"udp.port==1":              "it takes TABLE==NUMBER,PROTOCOL",
		"udp.port==1,tohou":        `there is no protocol called "tohou"; did you mean touhou?`,
		"udp.prt==1,touhou":        `there is no table called "udp.prt"; did you mean udp.port?`,
		"udp.port==x,touhou":       `"x" is not a number or range`,
		"udp.port==5-4,touhou":     "is not a number or range",
		"udp.port==5:0,touhou":     "is not a number or range",
		"udp.port==0-65536,touhou": "is not a number or range",
		"udp.port==-1,touhou":      "is not a number or range",

		"kaillera.charset==99,kaillera":      "99 is none of kaillera.charset's: it takes 932 949 936 1251 1252",
		"kaillera.charset==932-933,kaillera": "933 is none of kaillera.charset's",
	} {
		if _, err := Parse(reg, []string{word}); err == nil || !strings.HasPrefix(err.Error(), word+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", word, err, want)
		}
	}
}
