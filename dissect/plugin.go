package dissect

// A Table is a place where one protocol hands on to the next by a number: the EtherType, the UDP port.
// The names are Wireshark's, so that "-d udp.port==7000,touhou" reads the same.
type Table string

// The tables. A plugin may use others; a table exists once a plugin is attached to it.
const (
	TableRoot  Table = "root"       // key 0: the frame itself
	TableLink  Table = "wtap_encap" // link type, as in pcap files (LINKTYPE_)
	TableEther Table = "ethertype"
	TableLLC   Table = "llc.dsap"
	TableIP    Table = "ip.proto"
	TableUDP   Table = "udp.port"
	TableTCP   Table = "tcp.port"
)

// A Key is one number in a table.
type Key struct {
	Table Table
	Value uint32
}

// Confidence is what a plugin's Guess says of a datagram or the start of a stream.
type Confidence uint8

// The confidences. Weak claims only a conversation one end of which the protocol already owns, or one on the
// protocol's own port, as long as the next datagrams fit, too; Likely needs two in a row, or the port; Strong claims at
// once.
const (
	No Confidence = iota
	Weak
	Likely
	Strong
)

// A Reason says why a layer was dissected as it was.
type Reason uint8

// The reasons, from the outside (a number in the packet) to the inside (what it looks like).
const (
	ByTable Reason = iota
	ByPort
	ByDecodeAs
	ByGuess
	ByRepetition
	ByEndpoint
	ByFallback
	ByStream
	ByAnnouncement
)

var reasonNames = [...]string{"number in the packet", "port", "decode as", "handshake", "two packets in a row",
	"endpoint already known", "fallback", "stream", "announced by another conversation"}

// String says the reason in a few words.
func (r Reason) String() string { return reasonNames[r] }

// A Plugin dissects one protocol. Packages in protocols/ return it from a function Plugin().
type Plugin struct {
	Protocol *Protocol
	Dissect  func(d *D) // reads the packet; state only through Stores

	On       []Key    // the numbers under which the protocol is found
	UDP, TCP []uint16 // short for keys in udp.port and tcp.port
	Choices  []Key    // numbers that decode-as may give a table of the plugin's own, in which no others mean anything
	Fallback []Table  // tables whose unmatched numbers the plugin takes

	// Guess looks at d.Data() without reading and says whether it is the protocol's. It is asked for conversations
	// nobody claimed, and on the plugin's own ports before the first packet is taken.
	Guess func(d *D) Confidence
	// Fits is for a protocol that is looked for on its own ports alone: it tells whether d.Data(), a datagram or the start
	// of a stream, can be the protocol's. What is none is data, and the tree says so.
	Fits func(d *D) bool
	// Evidence says in a few words what in d.Data() makes it the protocol's, as "3 messages fit exactly", or nothing. It
	// is for the tree of what was recognised, and asks no state.
	Evidence func(d *D) string
	GuessTCP bool // ask for TCP streams instead of datagrams
	GuessAll bool // ask for both
	// Special lets a strong guess win against the ports of other protocols: for what looks like something within
	// another protocol's form and lives on its port.
	Special bool
	// Shared says that the plugin's datagrams stand among those of other protocols between the same ports. Each is asked
	// for alone: a strong guess takes the one, and the conversation stays whose it is. GuessTCP asks for streams besides.
	Shared bool
	// Endpoints makes a strong guess claim both addresses and ports: whatever else they talk to is this protocol too.
	Endpoints bool

	// Heuristics tell, by the table of their transport, whether a packet is the protocol's, of the conversations that
	// nobody claims: each of them is asked for alone. They are for dissectors made at run time, and asked last.
	Heuristics map[Table]func(d *D) bool
	// OwnNode says that Dissect records the node of its protocol itself (see Recorder.Record), or none.
	OwnNode bool
	// Post has the plugin dissect each frame once more, from its start, when all other layers are known.
	Post bool
	// Off leaves a plugin with Post out, unless Registry.Enable asks for it.
	Off bool

	// Recorded says that the outermost layer shows the record of the packet, and reads none of its bytes.
	Recorded bool
	// Counts are the fields of such a layer that the index of packets tells, or nil.
	Counts *CountFields
	// Empty says that datagrams without a payload mean something, too: those of the plugin's conversations and ends are
	// dissected, with nothing to read.
	Empty bool

	// Message cuts messages from a TCP stream: given the bytes from a message's start on, it returns the message's
	// length; 0 when more bytes are needed to say; -n when the first n bytes are none of a message. Without it
	// every segment is dissected as it came.
	Message func(b []byte) int
	// Cut is Message for a protocol in which earlier messages tell where one ends, as an answer to HEAD has no body. It is
	// called in the first pass alone and may look at state with Store.Peek. Where a plugin has both, Message serves
	// streams that are not a conversation's own.
	Cut func(d *D, b []byte) int
	// Joins is the preference by which messages are put together of several segments, and JoinsBody, where that is
	// another one, the rest of those of which it is known how long they are. Without a preference all are.
	Joins, JoinsBody *Preference

	// Begun is what the Info column says, in place of what the transport does, of a segment whose message waits for more:
	// it is followed by "[TCP segment of a reassembled PDU]". b is what the message's first segment has of it, 8 KiB at
	// most; not ok is that it does not tell. The segment with the message's beginning says it, and others that came
	// before its length was known, or where again is true.
	Begun func(b []byte) (text string, again, ok bool)

	// Remainder makes a message of what waits when its direction of the stream ends: for what ends with the connection,
	// and for what broke off.
	Remainder bool
	// Closed asks Dissect once more when a direction of the stream ends, with nothing to read: d.Left is 0. It may tell
	// what the end means, or Reject when it has nothing to say.
	Closed bool

	// Make makes bytes again that the plugin showed by FromMade. It is called in re-dissections, too, and reads Lists
	// alone.
	Make func(d *D, recipe uint32) []byte

	// Stateful says that the plugin keeps state, for one that a number of a table finds to which protocols hand on lazily
	// (see InnerLayers.Lazily): its layers are dissected in the first pass, too.
	Stateful bool

	Statistics []Statistic     // its -z
	Logins     *LoginFields    // where it tells who logs in, or nil
	Flow       *FlowGraph      // its arrows in flow graphs, or nil
	Follow     []FollowMode    // what can be read of a conversation that carries it
	Objects    *Objects        // the files that it carries, or nil
	Keys       *Keys           // what it is decrypted with, or nil
	Game       *GameFields     // how the games run that it tells of, or nil
	Calls      *CallFields     // the calls that it sets up, or nil
	Media      *MediaFields    // the streams of sound and pictures that it carries, or nil
	Segments   *SegmentNumbers // how it numbers the bytes of streams, or nil
	Transport  *Transport      // of a protocol with ports that conversations are followed by, or nil
	Tag        *Field          // of a layer that calls Ends.Tag: what it says there
	Ends       *EndLayer       // the conversations and endpoints that tables count by it, or nil
	Repeats    *RepeatedHeader // what of its header tells what is behind, or nil: each is read
}

// framed tells whether the plugin cuts messages from a stream.
func (p *Plugin) framed() bool { return p.Message != nil || p.Cut != nil }

// length is what cuts them.
func (p *Plugin) length(d *D) func(b []byte) int {
	if p.Cut == nil {
		return p.Message
	}
	return func(b []byte) int { return p.Cut(d, b) }
}

// CountFields are what the index of packets has of each, in their order in the tree.
type CountFields struct{ Number, Length, Captured *Field }

// step is one layer of a frame: which plugin, and why.
type step struct {
	plugin uint16
	reason Reason
}
