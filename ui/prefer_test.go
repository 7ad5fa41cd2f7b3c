package ui

import "testing"

// TestPreferencesOnTheScreen sets one, sees that packets are dissected by it, and has it kept.
func TestPreferencesOnTheScreen(t *testing.T) {
	kept := ""
	cfg := Config{}
	cfg.Source.KeepPreference = func(profile, name, value string) (string, error) {
		kept = profile + name + "=" + value
		return "config.toml", nil
	}
	x := open(t, 120, 36, cfg)
	for _, f := range x.m.cfg.Registry.Preferences() { // tests have it on
		x.m.cfg.Registry.SetPreference(f, f.Usual())
	}
	x.keys(":set ip.check_checksum=FALSE<enter><esc>")
	x.keys(":filter ip.checksum.status == 0<enter>").has(" 0 of 82")
	x.keys(":set ip.check_chec").has("ip.check_checksum=TRUE")
	x.keys("<esc>:set ip.check_checksum=TRUE<enter>").has("Keep it?")
	x.keys("k").has("kept in config.toml")
	if kept != "ip.check_checksum=TRUE" {
		t.Errorf("kept %q", kept)
	}
	x.hasNot(" 0 of 82")
	x.keys(":set ip.check_checksum=perhaps<enter>").has("may be TRUE, FALSE")
}
