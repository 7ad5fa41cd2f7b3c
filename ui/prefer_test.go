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
	x.keys("<esc>:set ip.check_checksum=TRUE<enter>").has(":keep keeps it in the settings")
	x.keys(":keep<enter>").has("kept in config.toml")
	if kept != "ip.check_checksum=TRUE" {
		t.Errorf("kept %q", kept)
	}
	x.hasNot(" 0 of 82")
	x.keys(":set ip.check_checksum=perhaps<enter>").has("may be TRUE, FALSE")
}

// TestPreferencesInAList changes sequence numbers, ports and keys where all settings are listed.
func TestPreferencesInAList(t *testing.T) {
	kept := ""
	cfg := Config{}
	cfg.Source.KeepPreference = func(_, name, value string) (string, error) {
		kept = name + "=" + value
		return "config.toml", nil
	}
	x := open(t, 120, 36, cfg)
	x.keys(":preferences relative<enter>").has("Settings and preferences", "tcp.relative_sequence_numbers", "TRUE")
	x.keys("<enter>").has(":keep keeps it in the settings")
	x.keys(":keep<enter>").has("FALSE")
	if kept != "tcp.relative_sequence_numbers=FALSE" {
		t.Errorf("kept %q", kept)
	}
	x.keys("<enter>:keep<enter>").has("tcp.relative_sequence_numbers          TRUE")
	x.keys("<esc>q")
	x.keys(":filter udp.port==53 && dns<enter>").hasNot(" 0 of 82")
	x.keys(":preferences dns.udp<enter>").has("Ports of dns over UDP")
	x.keys("<enter><ctrl+u>5353<enter>").has(":keep keeps it in the settings")
	x.keys(":keep<enter>").has("kept in config.toml")
	if kept != "dns.udp.port=5353" {
		t.Errorf("kept %q", kept)
	}
	x.keys("<esc>q").has(" 0 of 82")
}
