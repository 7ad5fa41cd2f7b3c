package preferences_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/preferences"
)

var (
	proto = dissect.NewProtocol("tabled", "Tabled", "A protocol with tables.")
	kept  = proto.Rows("tabled_keys", "Keys", "A table that stands in a file.", "ID", "Key")
	bad   = proto.Rows("tabled_bad", "Bad", "A table with an error.", "ID", "Key")
	none  = proto.Rows("tabled_none", "None", "A table without a file.", "ID", "Key")
)

// TestTablesOfFiles reads tables from the first folder that has them, and adds what words say.
func TestTablesOfFiles(t *testing.T) {
	reg, err := dissect.NewRegistry(dissect.Plugin{Protocol: proto, Dissect: func(*dissect.D) {},
		On: []dissect.Key{{Table: dissect.TableRoot}}})
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{t.TempDir(), t.TempDir()}
	for name, text := range map[string]string{
		"1/tabled_keys": "# comment\n0123abcd,\"\"\n", "0/tabled_bad": "1,2,3\n", "1/tabled_bad": "1,2\n",
	} {
		if err := os.WriteFile(filepath.Join(folders[name[0]-'0'], name[2:]), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wrong := preferences.Load(reg, folders)
	if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), folders[0]) || !strings.Contains(wrong[0].Error(), "columns") {
		t.Errorf("what is wrong: %v", wrong)
	}
	words := []string{`uat:tabled_keys:"x","y"`, `uat:tabled_none:a,b`, `uat:tabled_none:c,d`}
	if _, err := preferences.Set(reg, words); err != nil {
		t.Fatal(err)
	}
	for f, want := range map[*dissect.Preference][][]string{
		kept: {{"0123abcd", ""}, {"x", "y"}}, bad: nil, none: {{"a", "b"}, {"c", "d"}},
	} {
		if got := reg.Preferred(f).Rows; !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %v, want %v", f.Name(), got, want)
		}
	}
}
