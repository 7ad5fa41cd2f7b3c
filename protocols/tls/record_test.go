package tls

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/http"
	"remora/protocols/internal/keylog"
	"remora/protocols/internal/tables"
	"remora/protocols/ip"
	"remora/protocols/tcp"
)

// toy is a protocol that lives in TLS: a byte of length, then so many bytes.
var (
	toy      = dissect.NewProtocol("toy", "Toy", "A protocol for tests.")
	fToyText = toy.String("text", "Text", "What it says.")
)

func toyPlugin() dissect.Plugin {
	return dissect.Plugin{Protocol: toy,
		On:      []dissect.Key{{Table: tables.TLSALPN, Value: dissect.Word("toy")}, {Table: tables.TLSPort, Value: 4433}},
		Message: func(b []byte) int { return 1 + int(b[0]) }, Remainder: true,
		Dissect: func(d *dissect.D) {
			d.Skip(1)
			d.Rest(fToyText)
			d.Info().Set("Toy {text}")
		}}
}

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), ip.Plugin(), tcp.Plugin(), Plugin(), Certificate(), Names(),
		Texts(), Extensions(),
		toyPlugin(), http.Plugin(), data.Plugin()}
}

// A tap records what goes through a connection as the segments of a capture.
type tap struct {
	net.Conn
	mu      sync.Mutex
	port    uint16
	from    uint16 // what the client's port is above 50000
	seq     [2]uint32
	packets []dissecttest.Packet
}

func (c *tap) Write(b []byte) (int, error) {
	c.record(0, b)
	return c.Conn.Write(b)
}

func (c *tap) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.record(1, b[:n])
	}
	return n, err
}

// record adds segments; way 0 is from the client.
func (c *tap) record(way int, payload []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(payload) > 0 {
		n := min(len(payload), 1400)
		c.segment(way, 0x18, payload[:n])
		payload = payload[n:]
	}
}

func (c *tap) segment(way int, flags byte, payload []byte) {
	from, to, sport, dport := "192.0.2.1", "192.0.2.2", 50000+c.from, c.port
	if way == 1 {
		from, to, sport, dport = to, from, dport, sport
	}
	tcp := dissecttest.TCP(sport, dport, 1000+c.seq[way], 1000+c.seq[1-way], flags, payload)
	c.seq[way] += uint32(len(payload))
	frame := dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolTCP, from, to, tcp))
	c.packets = append(c.packets, dissecttest.Packet{Data: frame})
}

// issue makes a certificate with so many names.
func issue(t *testing.T, names int) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(0x1234),
		Subject:   pkix.Name{Country: []string{"JP"}, Organization: []string{"Gensokyo"}, CommonName: "www.example.test"},
		NotBefore: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), NotAfter: time.Date(2051, 1, 2, 3, 4, 5, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IPAddresses:           []net.IP{net.IPv4(192, 0, 2, 1).To4()}, DNSNames: []string{"www.example.test"}}
	for i := range names - 1 {
		c.DNSNames = append(c.DNSNames, fmt.Sprintf("host-%05d.example.test", i))
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// A play is a session of crypto/tls to be recorded.
type play struct {
	name           string
	version, suite uint16
	alpn           string
	port           uint16
	names          int // in the server's certificate
	client         bool
	say, answer    [][]byte // in one Write each
	open           bool     // the end is not announced
	cache          tls.ClientSessionCache
	cert           tls.Certificate
	from           uint16
}

// record plays a session and returns its segments and secrets.
func (p *play) record(t *testing.T) (*tap, []byte) {
	t.Helper()
	var log bytes.Buffer
	a, b := net.Pipe()
	c := &tap{Conn: a, port: p.port, from: p.from}
	c.segment(0, 2, nil)
	c.seq[0]++
	cfg := &tls.Config{InsecureSkipVerify: true, ServerName: "www.example.test", MinVersion: p.version,
		MaxVersion: p.version, KeyLogWriter: &log, ClientSessionCache: p.cache}
	if p.cert.PrivateKey == nil {
		p.cert = issue(t, max(1, p.names))
	}
	srv := &tls.Config{Certificates: []tls.Certificate{p.cert}, MinVersion: p.version, MaxVersion: p.version}
	srv.SetSessionTicketKeys([][32]byte{{1}})
	if p.suite != 0 {
		cfg.CipherSuites = []uint16{p.suite}
		srv.CipherSuites = cfg.CipherSuites
	}
	if p.alpn != "" {
		cfg.NextProtos, srv.NextProtos = []string{p.alpn}, []string{p.alpn}
	}
	if p.client {
		cfg.Certificates = []tls.Certificate{issue(t, 1)}
		srv.ClientAuth = tls.RequireAnyClientCert
	}
	done := make(chan error, 1)
	go func() { done <- p.serve(tls.Server(b, srv)) }()
	conn := tls.Client(c, cfg)
	for _, m := range p.say {
		if _, err := conn.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	want := 0
	for _, m := range p.answer {
		want += len(m)
	}
	if _, err := io.ReadFull(conn, make([]byte, want)); err != nil {
		t.Fatal(err)
	}
	if !p.open {
		go io.Copy(io.Discard, conn) // the server says goodbye too
		conn.CloseWrite()
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	a.Close()
	c.segment(1, 0x11, nil)
	c.segment(0, 0x11, nil)
	return c, log.Bytes()
}

func (p *play) serve(conn *tls.Conn) error {
	want := 0
	for _, m := range p.say {
		want += len(m)
	}
	if _, err := io.ReadFull(conn, make([]byte, want)); err != nil {
		return err
	}
	for _, m := range p.answer {
		if _, err := conn.Write(m); err != nil {
			return err
		}
	}
	if p.open {
		return nil
	}
	_, err := conn.Read(make([]byte, 1))
	if err == io.EOF {
		err = nil
	}
	return err
}

// passed passes over what was recorded, with the secrets or without.
func passed(t *testing.T, c *tap, secrets []byte) *dissect.Session {
	t.Helper()
	reg := dissecttest.Registry(t, plugins())
	if secrets != nil {
		reg.SetSecrets(keylog.TLS, keylog.New(secrets))
	}
	return dissecttest.SessionOf(t, reg, 1, c.packets)
}

// every joins the values of a field in all frames.
func every(s *dissect.Session, field string) (out string) {
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if v := dissecttest.All(l.Tree(n), field); v != "" {
			if out != "" {
				out += ","
			}
			out += v
		}
	}
	return out
}
