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
	if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), folders[0]) ||
		!strings.Contains(wrong[0].Error(), "columns") {
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

// TestLoaded reads what files hold that preferences name: of what -o says a fault is told, of a table in a folder too,
// and that table is left out. A protocol may be called what it was before.
func TestLoaded(t *testing.T) {
	old := dissect.NewProtocol("modernized", "Modernized", "").Formerly("ancient")
	loaded := old.Text("file", "", "").Loads(func(s dissect.Setting) (any, error) { return os.ReadFile(s.Text) })
	table := old.Rows("loaded_table", "", "", "File").Loads(func(s dissect.Setting) (any, error) {
		return os.ReadFile(s.Rows[0][0])
	})
	reg, err := dissect.NewRegistry(dissect.Plugin{Protocol: old, Dissect: func(*dissect.D) {},
		On: []dissect.Key{{Table: dissect.TableRoot}}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "loaded_table")
	if err := os.WriteFile(path, []byte(`"`+dir+`/missing"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if bad := preferences.Load(reg, []string{dir}); len(bad) != 1 || !strings.Contains(bad[0].Error(), "missing") ||
		len(reg.Preferred(table).Rows) > 0 {
		t.Errorf("of a table with a missing file it says %v", bad)
	}
	for name, fine := range map[string]bool{path: true, dir + "/missing": false} {
		if _, err := preferences.Set(reg, []string{"ancient.file: " + name}); err != nil {
			t.Fatal(err)
		}
		if err := reg.LoadPreferences(); (err == nil) != fine || reg.Preferred(loaded).Text != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
