package cli

import (
	"context"
	"crypto/rc4"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/preferences"
	"remora/ui/prefer"
)

// A prefScreen is a screen as far as preferences see it.
type prefScreen struct {
	t       *testing.T
	reg     *dissect.Registry
	store   *capture.Store
	s       *dissect.Session
	rules   []dissect.DecodeAs
	letters string
	kept    [2]string
}

func (h *prefScreen) Registry() *dissect.Registry { return h.reg }
func (h *prefScreen) Rules() []dissect.DecodeAs   { return h.rules }
func (h *prefScreen) Profile() string             { return "" }
func (h *prefScreen) Notify(text string)          { h.t.Log(text) }
func (h *prefScreen) Resolve(letters string)      { h.letters = letters }

func (h *prefScreen) Redissect(rules []dissect.DecodeAs) (err error) {
	if h.rules = rules; h.store == nil {
		return nil
	}
	h.s, err = dissect.NewSession(h.reg, h.store, rules...)
	return err
}

func (h *prefScreen) Renew() func() (use func(), err error) {
	return func() (use func(), err error) {
		reg, err := registry()
		if err != nil {
			return nil, err
		}
		reg.Inherit(h.reg)
		return func() {
			h.reg = reg
			if err := h.Redissect(h.rules); err != nil {
				h.t.Error(err)
			}
		}, reg.LoadPreferences()
	}
}

// Keepable keeps a preference at once.
func (h *prefScreen) Keepable(write func() (string, error)) string {
	if _, err := write(); err != nil {
		return "; " + err.Error()
	}
	return ""
}

func (h *prefScreen) Later(_ string, work func(ctx context.Context) (then func())) (stop func()) {
	work(h.t.Context())()
	return func() {}
}

// dump is what is said of all packets, "" without any.
func (h *prefScreen) dump() string {
	if h.s == nil {
		return ""
	}
	h.s.Pass(h.t.Context())
	var b strings.Builder
	for n := range h.s.Store().Len() {
		b.WriteString(dissecttest.Dump(h.s.Tree(dissect.FrameNum(n + 1))))
	}
	return b.String()
}

// holds opens a capture with words of -o; path "" has no packets.
func holds(t *testing.T, path string, words []string) *prefScreen {
	t.Helper()
	h := &prefScreen{t: t}
	var err error
	if h.reg, err = registry(); err != nil {
		t.Fatal(err)
	}
	if h.rules, err = preferences.Set(h.reg, words); err != nil {
		t.Fatal(err)
	}
	o := &options{}
	for _, k := range h.reg.Keys() {
		if k.Preference != nil {
			file := h.reg.Preferred(k.Preference).Text
			o.keys = append(o.keys, keyFile{k, &file})
		}
	}
	if err := o.openKeys(h.reg); err != nil {
		t.Fatal(err)
	}
	if path != "" {
		h.s = dissecttest.LoadOf(t, h.reg, path, h.rules...)
		h.store = h.s.Store()
	}
	return h
}

// A held is a value of a preference, and a capture of which it says something else.
type held struct {
	value, capture string
	with           string // what else is set
}

// sealed writes captures with packets that keys open: ESP that is not encrypted, and a frame in WEP.
func sealed(t *testing.T) (esp, wep string) {
	t.Helper()
	write := func(name string, link int, packet []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, dissecttest.Pcap(link, dissecttest.Packets(packet)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inner := append(dissecttest.UDP(9, 9, []byte("question")), 1, 2, 2, 17)
	esp = write("esp.pcap", 101, dissecttest.IPv4(50, "192.0.2.1", "192.0.2.2",
		append([]byte{0, 0, 1, 0, 0, 0, 0, 1}, inner...)))
	plain := append([]byte{0xaa, 0xaa, 3, 0, 0, 0, 8, 6, 0, 1, 8, 0, 6, 4, 0, 1}, make([]byte, 20)...)
	sum := crc32.ChecksumIEEE(plain)
	plain = append(plain, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
	c, err := rc4.NewCipher([]byte{7, 8, 9, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	c.XORKeyStream(plain, plain)
	frame := append([]byte{8, 0x41, 0, 0}, make([]byte, 20)...)
	wep = write("wep.pcap", 105, append(append(frame, 7, 8, 9, 0), plain...))
	return esp, wep
}

// values has for each preference one other than the usual.
func values(t *testing.T) map[string]held {
	t.Helper()
	esp, wep := sealed(t)
	folder := t.TempDir()
	types := `syntax = "proto3"; package p; message M { string name = 1; bytes raw = 2; int32 n = 3; }`
	keytab := filepath.Join(folder, "keytab")
	other := t.TempDir()
	for path, text := range map[string]string{filepath.Join(folder, "m.proto"): types,
		filepath.Join(other, "m.proto"): strings.ReplaceAll(types, "name", "title"),
		keytab: "\x05\x02\x00\x00\x00\x25\x00\x01\x00\x01R\x00\x01p\x00\x00\x00\x01\x00\x00\x00\x00\x01" +
			"\x00\x17\x00\x10key of sixteen b"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	message := filepath.Join(folder, "m.pcap")
	body := append([]byte("\x0a\x02hi\x12\x02yo"), "\x22\x03abc"...)
	packet := dissecttest.IPv4(17, "192.0.2.1", "192.0.2.2", dissecttest.UDP(4000, 8127, body))
	if err := os.WriteFile(message, dissecttest.Pcap(101, dissecttest.Packets(packet)), 0o600); err != nil {
		t.Fatal(err)
	}
	const key32 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	all, tls := lan("lan.pcapng"), "protocols/tls/testdata/keys.pcap.gz"
	server := "protocols/tls/testdata/server.key"
	paths, port := `"`+folder+`","TRUE"`, `"8127","p.M"`
	typed := "uat:protobuf_search_paths:" + paths + "\x00uat:protobuf_udp_message_types:" + port
	logged := filepath.Join(folder, "keys.log")
	log := "CLIENT_RANDOM 00 11\nLOCAL_STATIC_PRIVATE_KEY=" + key32 + "\n"
	if err := os.WriteFile(logged, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]held{
		"communityid.do_base64": {"FALSE", "", ""}, "communityid.seed": {"1", "", ""},
		"dccp.check_checksum": {"FALSE", "", ""},
		"dtls.keys_list":      {"0.0.0.0,0,data," + server, "", ""}, "dtls.psk": {"00", "", ""},
		"dtlsdecrypttablefile":            {`"","4433","data","` + server + `",""`, "", ""},
		"esp.enable_authentication_check": {"TRUE", "", ""},
		"esp.enable_encryption_decode":    {"TRUE", esp, `uat:esp_sa:"*","*","*","*","NULL","","NULL",""`},
		"esp_sa":                          {`"*","*","*","*","NULL","","NULL",""`, esp, "esp.enable_encryption_decode:TRUE"},
		"grpc.detect_json_automatically":  {"FALSE", "", ""},
		"http.desegment_body":             {"FALSE", lan("http.pcap"), ""},
		"http.desegment_headers":          {"FALSE", "", ""},
		"http2_fake_headers":              {`"80","1","IN","n","v","TRUE"`, "", ""},
		"ikev1_decryption_table":          {`"0011223344556677","00"`, "", ""},
		"ikev2_decryption_table": {`"0011223344556677","0011223344556677","","","NULL [RFC2410]","","","NONE [RFC4306]"`,
			"", ""},
		"ip.check_checksum": {"TRUE", all, ""}, "ip.decode_tos_as_diffserv": {"FALSE", all, ""},
		"ip.defragment":    {"FALSE", lan("fragments.pcap"), ""},
		"ip.security_flag": {"TRUE", all, ""},
		"ipv6.defragment":  {"FALSE", lan("fragments.pcap"), ""},
		"kerberos.decrypt": {"FALSE", "", ""}, "kerberos.file": {keytab, "", ""},
		"maxmind_db_paths":                   {`"` + folder + `"`, "", ""},
		"nameres.dns_pkt_addr_resolution":    {"FALSE", "", "nameres.network_name:TRUE"},
		"nameres.hosts_file_handling":        {"TRUE", "", ""},
		"nameres.mac_name":                   {"FALSE", "", ""},
		"nameres.network_name":               {"TRUE", "", ""},
		"nameres.transport_name":             {"TRUE", "", ""},
		"nameres.use_external_name_resolver": {"TRUE", "", "nameres.network_name:TRUE"},
		"protobuf.add_default_value":         {"all", message, typed},
		"protobuf.bytes_as_string":           {"TRUE", message, typed + "\x00protobuf.pbf_as_hf:TRUE"},
		"protobuf.display_json_mapping":      {"TRUE", message, typed},
		"protobuf.pbf_as_hf":                 {"TRUE", message, typed},
		"protobuf.preload_protos":            {"TRUE", "", ""},
		"protobuf.show_all_types":            {"TRUE", message, typed},
		"protobuf.show_details":              {"TRUE", "", ""},
		"protobuf.try_dissect_as_string":     {"TRUE", message, typed},
		"protobuf.use_utc":                   {"TRUE", "", ""},
		"protobuf_search_paths":              {`"` + other + `","TRUE"`, message, typed},
		"protobuf_udp_message_types":         {port, message, "uat:protobuf_search_paths:" + paths},
		"rsa_keys":                           {`"` + server + `",""`, tls, ""},
		"smb2_seskey_list":                   {`"0011223344556677","00112233445566778899aabbccddeeff","",""`, "", ""},
		"ssh.keylog_file": {"protocols/ssh/testdata/renewed.keys",
			"protocols/ssh/testdata/renewed.pcap", ""},
		"ssl_keys":                           {`"","4433","data","` + server + `",""`, tls, ""},
		"tcp.check_checksum":                 {"TRUE", all, ""},
		"tcp.desegment_tcp_streams":          {"FALSE", lan("http.pcap"), ""},
		"tcp.relative_sequence_numbers":      {"FALSE", all, ""},
		"tls.desegment_ssl_application_data": {"FALSE", "", ""},
		"tls.desegment_ssl_records":          {"FALSE", lan("tls13.pcapng"), ""},
		"tls.keylog_file":                    {logged, "", ""},
		"tls.keys_list":                      {"0.0.0.0,0,data," + server, tls, ""}, "tls.psk": {"00", tls, ""},
		"udp.check_checksum": {"TRUE", all, ""},
		"wg.keylog_file":     {logged, "", ""}, "wg_keys": {`"Public","` + key32 + `"; "Private","` + key32 + `"`, "", ""},
		"wlan.enable_decryption": {"FALSE", wep, `uat:80211_keys:"wep","0102030405"`},
		"80211_keys":             {`"wep","0102030405"`, wep, ""},
		"dns.udp.port":           {"5,7-9", all, ""}, "http.tcp.port": {"5", lan("http.pcap"), ""},
	}
}

// TestPreferencesTakeHoldAtOnce changes each preference on the screen: packets are what they are with -o from the start
// on, and what is kept says the same.
func TestPreferencesTakeHoldAtOnce(t *testing.T) {
	t.Parallel()
	all := values(t)
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range preferences.All(reg) {
		if _, tried := all[f.Name()]; !tried && f != preferences.Columns {
			t.Errorf("%s is not tried", f.Name())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		var with []string
		if c.with != "" {
			with = strings.Split(c.with, "\x00")
		}
		h := holds(t, c.capture, with)
		before := h.dump()
		keep := func(_, name, value string) (string, error) {
			h.kept = [2]string{name, value}
			return "", nil
		}
		says := prefer.Settings(h, keep).Command(name + "=" + c.value)
		now := h.dump()
		if c.capture != "" && now == before {
			t.Errorf("%s=%s changes nothing: %s", name, c.value, says)
		}
		if h.kept[0] != name {
			t.Errorf("%s=%s is not kept: %s", name, c.value, says)
			continue
		}
		want := holds(t, c.capture, append(with, h.kept[0]+":"+h.kept[1]))
		if got := want.dump(); got != now {
			t.Errorf("%s=%s: with -o it is\n%s", name, c.value, firstDifference(got, now))
		}
		if h.letters != "" && h.letters != preferences.Letters(want.reg) {
			t.Errorf("%s: names by the letters %s", name, h.letters)
		}
		for _, f := range preferences.All(reg) {
			if got := f.Format(h.reg.Preferred(f)); got != f.Format(want.reg.Preferred(f)) {
				t.Errorf("%s=%s: %s is %q", name, c.value, f.Name(), got)
			}
		}
	}
}

// TestColumnsOfTheScreen takes the columns of gui.column.format: one that the list does not have ends the program where
// it was typed, and is passed over where it was kept.
func TestColumnsOfTheScreen(t *testing.T) {
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	o := &options{cells: []string{"N", "%m", "TTL", "%Cus:ip.ttl"}}
	if err := o.useCells(reg); err != nil || !slices.Equal(o.screen.Columns, []string{"No. as N", "ip.ttl as TTL"}) {
		t.Errorf("%q, %v", o.screen.Columns, err)
	}
	o = &options{cells: []string{"N", "%y"}}
	if err := o.useCells(reg); err != nil || o.screen.Columns != nil {
		t.Errorf("kept: %q, %v", o.screen.Columns, err)
	}
	o.prefer = []string{`gui.column.format:"N","%y"`}
	if err := o.useCells(reg); err == nil || !isUsage(err) {
		t.Errorf("typed: %v", err)
	}
}
