package cli

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/internal/preferences"
)

// TestMistakesInTables has rows with a mistake for each table of preferences: too few columns, a word that is none of
// those that there are, digits that are none, a file that is missing. Each is told in one line, which names the table.
func TestMistakesInTables(t *testing.T) {
	t.Parallel()
	mistakes := map[string][][2]string{
		"ssl_keys": {{`"127.0.0.1","443"`, "5 columns"}, {`"a","443","http","/nowhere.pem",""`, "/nowhere.pem"},
			{`"a","x","http","go.mod",""`, "port"}, {`"a","443","http","go.mod",""`, "no RSA key"}},
		"rsa_keys": {{`"go.mod"`, "2 columns"}, {`"go.mod",""`, "no RSA key"}, {`"/nowhere.p12","x"`, "/nowhere.p12"}},
		"dtlsdecrypttablefile": {{`"127.0.0.1"`, "5 columns"}, {`"a","443","http","/nowhere.pem",""`, "/nowhere.pem"},
			{`"a","x","http","go.mod",""`, "port"}},
		"ikev1_decryption_table": {{`0011223344556677`, "columns"}, {`xx,00`, `"xx"`}, {`00,00`, "8 bytes"},
			{`0011223344556677,zz`, `"zz"`}},
		"ikev2_decryption_table": {{`00`, "8 columns"},
			{`0011223344556677,0011223344556677,xx,00,"NULL [RFC2410]",00,00,"NONE [RFC4306]"`, `"xx"`},
			{`0011223344556677,0011223344556677,00,00,"ROT13",00,00,"NONE [RFC4306]"`, `"ROT13" is no encryption`},
			{`0011223344556677,0011223344556677,,,"NULL [RFC2410]",,,"CRC"`, `"CRC"`}},
		"esp_sa": {{`"IPv4","*","*"`, "columns"}, {`"IPv9","*","*","*","NULL","","NULL",""`, "IPv9"},
			{`"IPv4","*","*","*","ROT13","","NULL",""`, "ROT13"}, {`"IPv4","*","*","*","NULL","0xzz","NULL",""`, "0xzz"},
			{`"IPv4","*","*","*","NULL","","CRC",""`, "CRC"}},
		"wg_keys": {{`"Public"`, "2 columns"}, {`"Public","zz"`, "32 bytes in Base64"},
			{`"Own","AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="`, "Public or Private"}},
		"80211_keys": {{`"wep"`, "2 columns"}, {`"wpa-foo","00"`, "wpa-psk"}, {`"wpa-psk","zz"`, "hexadecimal"},
			{`"tk","01"`, "16 or 32 bytes"}},
		"smb2_seskey_list": {{`00`, "4 columns"}, {`zz,00,,`, "8 bytes"}, {`0011223344556677,zz,,`, "hexadecimal"}},
		"http2_fake_headers": {{`"80"`, "6 columns"}, {`"x","1","IN","n","v","TRUE"`, "port"},
			{`"80","1","UP","n","v","TRUE"`, "IN or OUT"}},
		"protobuf_search_paths": {{`"/nowhere"`, "2 columns"}, {`"/nowhere","TRUE"`, "/nowhere"},
			{`"docs","MAYBE"`, "TRUE or FALSE"}},
		"maxmind_db_paths":           {{`"a","b"`, "1 columns"}, {`"/nowhere"`, "/nowhere"}},
		"protobuf_udp_message_types": {{`"1"`, "2 columns"}, {`"x","a.B"`, "ports"}},
	}
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reg.Preferences() {
		if f.Kind() == dissect.Rows && len(mistakes[f.Name()]) == 0 {
			t.Errorf("no mistakes of %s are tried", f.Name())
		}
	}
	for table, rows := range mistakes {
		for _, row := range rows {
			reg, err := registry()
			if err != nil {
				t.Fatal(err)
			}
			if _, err = preferences.Set(reg, []string{"uat:" + table + ":" + row[0]}); err == nil {
				err = reg.LoadPreferences()
			}
			if err == nil || !strings.Contains(err.Error(), row[1]) || strings.Contains(err.Error(), "\n") ||
				!strings.Contains(err.Error(), table) {
				t.Errorf("%s:%s: %v, want it to name %s", table, row[0], err, row[1])
			}
		}
	}
	r := remora(t, nil, "-r", lan("dns.pcap"), "-o", `uat:wg_keys:"Public","zz"`)
	if r.code != 2 || strings.Count(r.err, "\n") != 2 || r.out != "" { // with the line that says where to read on
		t.Errorf("code %d: %s", r.code, r.err)
	}
}
