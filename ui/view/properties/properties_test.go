package properties

import (
	"path/filepath"
	"testing"

	"remora/capture/pcapfile"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

func sample(t *testing.T, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenSample(t, protocols.All(), w, h)
}

func file(t *testing.T, name string, w, h int) *viewtest.Screen {
	t.Helper()
	return viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/"+name, w, h)
}

// TestPropertiesOfAFile shows the numbers of -z properties and what is found out of the file.
func TestPropertiesOfAFile(t *testing.T) {
	path := filepath.Join("..", "..", "..", "fixtures", "captures", "lan", "dns.pcap")
	info, err := pcapfile.Describe(path)
	if err != nil || info.Format != "nanosecond pcap" || info.SnapLen != 262144 {
		t.Errorf("%+v (%v)", info, err)
	}
	sums, err := pcapfile.Hash(t.Context(), path, nil)
	if err != nil || sums.SHA1 != "79d36f859955e5c3102d8391b8ac1ffcde528f13" {
		t.Errorf("%+v (%v)", sums, err)
	}
	x := file(t, "lan/dns.pcap", 120, 60)
	v := New(x)
	x.Show(v).Has("Properties", "Packets", sums.SHA1, "nanosecond pcap")
	if got, hashes, done := v.file.now(); !done || got == nil || hashes == nil || *hashes != sums {
		t.Errorf("%+v, %+v, %v", got, hashes, done)
	}
	if sheet := v.Sheet(); len(sheet.Rows()) < 10 {
		t.Errorf("%d rows of the sheet", len(sheet.Rows()))
	}
	y := sample(t, 120, 32)
	y.Show(New(y)).Has("Properties", "Packets", "82", "Duration", "Interface #0").Keys("q")
	if y.View != nil {
		t.Error("q does not close the view")
	}
}
