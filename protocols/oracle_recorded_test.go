package protocols

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// recordings are captures of real programs in the folders of protocols, with the protocols whose fields are held
// against tshark's there, and options of tshark. They were recorded with tcpdump between two network namespaces:
// aiosmtpd 1.4.3 and Dovecot 2.3.19 with the clients in Python's library, ngIRCd 26.1 with lines sent by hand, GNU
// inetutils' telnet and telnetd
// 2.4, and vsftpd 3.0.3 with Python's ftplib and curl. Those with TLS hold its secrets.
var recordings = []struct {
	path, protocols string
	options         []string
	except          []int // frames in which remora differs for a reason
}{
	{"smtp/testdata/smtp.pcap", "smtp imf", []string{"-o", "smtp.decryption:TRUE"}, nil},
	{"smtp/testdata/starttls.pcapng", "smtp imf", []string{"-o", "smtp.decryption:TRUE", "-d", "tcp.port==2525,smtp"},
		nil},
	{"pop/testdata/pop.pcap", "pop", nil, nil},
	{"imap/testdata/imap.pcap", "imap", nil, nil},
	{"imap/testdata/starttls.pcapng", "imap pop", nil, nil},
	{"irc/testdata/irc.pcap", "irc", nil, nil},
	{"telnet/testdata/telnet.pcap", "telnet", nil, nil},
	// Made with scapy 2.5. tshark reads past the end of the last attribute where it is padded, and takes any 20 bytes that
	// begin like it for a request; it pairs an answer with the latest request, whatever that asked for.
	{"stun/testdata/classic.pcap", "classicstun", nil, []int{7, 9, 14}},
	{"ntp/testdata/managed.pcap", "ntp", nil, []int{35}},
	// libnfs 4.0.0 and NFS-Ganesha 4.3; remora has nfs.name of listings, too; CLOSE returns a state that counts no longer
	{"rpc/testdata/nfs.pcap", "rpc portmap mount nfs", nil, []int{35, 156}},
	// Made with scapy 2.5: the headers of SIP with their parts, attributes of SDP, packets of RTCP of every kind.
	// tshark joins no answers over TCP,
	{"sip/testdata/headers.pcap", "sip sdp rtp rtpevent", nil, []int{35, 42, 47}},
	// tshark stops within some, or takes lengths otherwise,
	{"rtp/testdata/control.pcap", "rtcp rtp rtsp sdp", nil, []int{4, 11, 12, 19, 20, 46, 53}},
	// tshark does not know connections from ports other than 20, takes what follows PASV for its command, and does not
	// join lines in several segments.
	{"ftp/testdata/ftp.pcap", "ftp ftp-data", nil,
		[]int{56, 58, 63, 78, 80, 85, 124, 128, 131, 137, 144, 194, 196, 201, 227, 229, 231, 236, 263, 267, 271, 273}},
}

// recordedExcept are fields in which remora differs for a reason.
var recordedExcept = map[string]string{
	"smtp.req.command":              "tshark cuts STARTTLS in two",
	"smtp.req.parameter":            "as above",
	"smtp.eom":                      "tshark prints 1 for nodes without a value",
	"imf.mailbox_list.item":         "tshark ends the last item behind the line",
	"imf.address_list.item":         "tshark takes commas within quotes for the end of an address",
	"imf.display_name":              "as above",
	"imf.address":                   "as above",
	"pop.response":                  "tshark prints nothing",
	"pop.request":                   "as above",
	"pop.response.data":             "tshark prints empty lines",
	"imap.request.folder":           "tshark takes what SEARCH looks for for a folder",
	"sip.msg_hdr":                   "tshark gives the body with it, too",
	"sip.call_id_generated":         "tshark gives it to what SIP carries, too",
	"rtcp.xr.chunk.null_terminator": "tshark prints 1 for nodes without a value",
	"telnet.data":                   "tshark prints no NUL",
	"telnet.subcmd":                 "tshark calls what is said of terminal types so too",
	"ntp.padding":                   "tshark has no name for it behind the data of control messages",
	"ntp.ctrl.item":                 "tshark prints nothing",
	"ntp.ctrl.trapmsg":              "tshark takes the answer for variables",
	"ntp.priv.mode7.item":           "tshark prints nothing for some",
	"rpc.array.len":                 "tshark has it in the heading of the groups",
	"frame 31 of irc.pcap":          "tshark does not join lines in several segments",
	"frame 54 of imap.pcap":         "tshark goes on with the message",
	"frame 98 of imap.pcap":         "tshark takes credentials for a tag",
	"frame 58 of smtp.pcap":         "tshark goes on with the parts of the message",
}

// TestOracleRecorded compares every field of these protocols that tshark knows, and the Info column.
func TestOracleRecorded(t *testing.T) {
	needOracle(t)
	names := oracleNames(t)
	for _, r := range recordings {
		t.Run(filepath.Base(r.path), func(t *testing.T) {
			var fields []string
			for _, p := range strings.Fields(r.protocols) {
				fields = append(fields, madeFields(p, names)...)
			}
			want, got := oraclePrint(t, r.path, append([]string{"_ws.col.Info", "_ws.col.Protocol"}, fields...), r.options...),
				ourPrint(t, r.path, fields)
			s := dissecttest.Load(t, All(), r.path)
			for n := range want {
				tree := s.Tree(dissect.FrameNum(n + 1))
				if slices.Contains(r.except, n+1) ||
					recordedExcept[fmt.Sprintf("frame %d of %s", n+1, filepath.Base(r.path))] != "" {
					continue
				}
				if !strings.Contains(" "+r.protocols+" ", " "+tree.Protocol().Name()+" ") {
					continue
				}
				if dissecttest.All(tree, "imf.from") != "" && !strings.Contains(want[n][1], "IMF") {
					continue // tshark reads fewer of the messages that are fetched and stored
				}
				if w, g := words(want[n][0]), words(tree.InfoLine()); w != g {
					t.Errorf("frame %d: the Info column is %q, tshark has %q", n+1, g, w)
				}
				for i, f := range fields {
					if w, g := want[n][i+2], escaped.Replace(got[n][i]); w != g && recordedExcept[f] == "" {
						t.Errorf("frame %d: %s is %q, tshark has %q", n+1, f, g, w)
					}
				}
			}
		})
	}
}

// words are a text's words with single spaces between them.
func words(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, `\000`, "")), " ")
}

// escaped is how tshark writes the ends of lines.
var escaped = strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`)
