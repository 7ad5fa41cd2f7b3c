package kaillera

import (
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	plaindata "remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

func listPlugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), List(), plaindata.Plugin()}
}

// A flow is a connection to port 80 over raw IPv4.
type flow struct {
	next    [2]uint32
	packets []dissecttest.Packet
}

// say adds a segment of one side: 0 is the client.
func (f *flow) say(from int, flags byte, text string) dissect.FrameNum {
	ends, ports := [2]string{"10.0.0.1", "10.0.0.2"}, [2]uint16{50000, 80}
	tcp := dissecttest.TCP(ports[from], ports[1-from], f.next[from], f.next[1-from], flags, []byte(text))
	f.next[from] += uint32(len(text)) + uint32(flags&1) + uint32(flags>>1&1)
	packet := dissecttest.IPv4(dissecttest.ProtocolTCP, ends[from], ends[1-from], tcp)
	f.packets = append(f.packets, dissecttest.Packet{Data: packet})
	return dissect.FrameNum(len(f.packets))
}

func talkHTTP(parts ...string) *flow {
	f := &flow{next: [2]uint32{100, 900}}
	f.say(0, 2, "")
	f.say(1, 18, "")
	for i, p := range parts {
		f.say(i%2, 24, p)
	}
	return f
}

func wantList(t *testing.T, s *dissect.Session, n dissect.FrameNum, fields ...string) {
	t.Helper()
	tree := s.Tree(n)
	for i := 0; i < len(fields); i += 2 {
		if got := dissecttest.All(tree, "kailleralist."+fields[i]); got != fields[i+1] {
			t.Errorf("frame %d: %s is %q, want %q", n, fields[i], got, fields[i+1])
		}
	}
	if t.Failed() {
		t.Log(dissecttest.Dump(tree))
	}
}

const httpOK = "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n"

// TestList asks for servers and the games that wait, and gets entries of both lengths.
func TestList(t *testing.T) {
	body := "Chess|192.0.2.1:27888|amy|Emu 1.0|1/2|First|Paris|Go|192.0.2.2:27888|bob|Emu " +
		"2|1/4|Second|Rome|\nFirst\n192.0.2.1:27888;3/100;2;0.86;Paris\nSecond\n192.0.2.2:27888;1/50;0.9;Rome\n"
	f := talkHTTP("GET /raw_server_list2.php?wg=1&version=0.9 HTTP/1.1\r\nHost: list.example\r\n\r\n",
		httpOK+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))+body)
	s := dissecttest.Session(t, listPlugins(), 101, f.packets)
	wantList(t, s, 3, "type", "LIST_REQUEST", "waiting", "1", "server.version", "0.9", "header", "Host: list.example,",
		"answered_in", "4", "line", "GET /raw_server_list2.php,HTTP/1.1")
	wantList(t, s, 4, "type", "LIST", "request_in", "3", "game.name", "Chess,Go", "game.owner", "amy,bob", "game.emulator",
		"Emu 1.0,Emu 2", "game.players", "1/2,1/4",
		"server.name", "First,Second,First,Second", "server.address",
		"192.0.2.1:27888,192.0.2.2:27888,192.0.2.1:27888,192.0.2.2:27888", "server.users", "3/100,1/50",
		"server.games", "2", "server.version", "0.86,0.9", "server.location", "Paris,Rome,Paris,Rome", "rest", "", "break",
		"0a")
	if line := s.Tree(4).InfoLine(); line != "LIST 2 servers" {
		t.Errorf("info %q", line)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
}

// TestListToTheEnd gets a list without a length: it ends with the connection.
func TestListToTheEnd(t *testing.T) {
	f := talkHTTP("GET /raw_server_list.php HTTP/1.0\r\n\r\n", httpOK+"\r\nFirst\n192.0.2.1:27888;3/100;2;0.86;Paris\n")
	n := f.say(1, 17, "")
	s := dissecttest.Session(t, listPlugins(), 101, f.packets)
	wantList(t, s, n, "type", "LIST", "server.name", "First", "server.location", "Paris")
}

// TestRegistration reads both kinds of registration.
func TestRegistration(t *testing.T) {
	f := talkHTTP("GET /touch_server.php?servername=My+Server&port=27888&nbusers=3&maxconn=100&version=0.86&nbgames=1&lo"+
		"cation=Paris&ip=192.0.2.1&url=http%3A%2F%2Fx HTTP/1.0\r\nKaillera-games: Chess|Go|\r\nKaillera-wgames: "+
		"17|Chess|amy|Emu|1/2|\r\n\r\n",
		httpOK+"Content-Length: 2\r\n\r\nok",
		"GET /touch_list.php?serverName=Two&ipAddress=192.0.2.2&location=Rome&website=x&port=27888&numUsers=1&maxUsers=2&nu"+
			"mGames=3&maxGames=4&version=E&odd=1 HTTP/1.0\r\nWaiting-games: Go|bob|Emu|1/4|\r\n\r\n")
	s := dissecttest.Session(t, listPlugins(), 101, f.packets)
	wantList(t, s, 3, "type", "REGISTER", "server.name", "My Server", "server.port", "27888", "server.users", "3",
		"server.maxusers", "100", "server.version", "0.86", "server.games", "1",
		"server.location", "Paris", "server.address", "192.0.2.1", "server.url", "http://x", "game.name", "Chess,Go,Chess",
		"game.id", "17", "game.owner", "amy", "game.emulator", "Emu", "game.players", "1/2")
	wantList(t, s, 4, "type", "REGISTERED", "request_in", "3")
	wantList(t, s, 5, "server.name", "Two", "server.maxgames", "4", "param", "odd=1", "game.name", "Go", "game.owner",
		"bob", "game.players", "1/4")
	if line := s.Tree(3).InfoLine(); line != "REGISTER My Server" {
		t.Errorf("info %q", line)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, listPlugins(), s)
}

// TestOtherHTTP leaves all other requests alone.
func TestOtherHTTP(t *testing.T) {
	f := talkHTTP("GET /index.html HTTP/1.0\r\n\r\n", httpOK+"\r\nhello")
	s := dissecttest.Session(t, listPlugins(), 101, f.packets)
	if s.Tree(3).Protocol() == listProto {
		t.Error("a request for a page is taken for the list")
	}
}

// TestListInChunks gets a list as servers of HTTP/1.1 send it: in chunks that end anywhere.
func TestListInChunks(t *testing.T) {
	body := "First\n192.0.2.1:27888;3/100;2;0.86;Paris\nSecond\n192.0.2.2:27888;1/50;0.9;Rome\n"
	f := talkHTTP("GET /raw_server_list.php HTTP/1.1\r\n\r\n",
		strings.Replace(httpOK, "1.0", "1.1", 1)+
			fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n11\r\n%s\r\n%x;a=b\r\n%s\r\n0\r\n\r\n", body[:17], len(body)-17,
				body[17:]),
		"GET /raw_server_list.php HTTP/1.1\r\n\r\n")
	s := dissecttest.Session(t, listPlugins(), 101, f.packets)
	wantList(t, s, 4, "type", "LIST", "server.name", "First,Second", "server.location", "Paris,Rome", "rest", "",
		"server.games", "2")
	wantList(t, s, 5, "type", "LIST_REQUEST")
	if got := len(s.Tree(4).Sources()); got != 2 {
		t.Errorf("%d data sources", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Truncations(t, listPlugins(), s)
}
