package dissect

// The handles group what a plugin asks of the engine by topic, so that D itself holds reading and declaring alone. Each
// is D under another name: asking for one costs nothing.
type (
	// InfoColumn is the packet's line in the list: the Info column's text, and what the Protocol column says.
	InfoColumn D
	// Streams are the bytes behind messages: segments of TCP, fragments of datagrams, bytes that are made again.
	Streams D
	// Transcript is what reading a conversation message by message shows: numbers, types, texts, ticks, repeats.
	Transcript D
	// SessionState is what belongs to the capture as a whole: games, what their sides know, secrets.
	SessionState D
	// Names are the names of addresses and ports.
	Names D
	// Ends are the packet's two ends: their addresses, conversation, names and roles, and who owns them.
	Ends D
	// Links join a packet with earlier and later ones: requests with responses, and others.
	Links D
	// InnerLayers finds and enters the protocols inside this one, beside D.Next.
	InnerLayers D
	// PacketRecord is what the capture knows of the packet beside its bytes.
	PacketRecord D
)

// Info is the packet's line in the list.
func (d *D) Info() *InfoColumn { return (*InfoColumn)(d) }

// Stream is the stream or the fragments that the bytes come from.
func (d *D) Stream() *Streams { return (*Streams)(d) }

// Transcript is the message as a reader of the conversation sees it.
func (d *D) Transcript() *Transcript { return (*Transcript)(d) }

// Session is the state of the whole capture.
func (d *D) Session() *SessionState { return (*SessionState)(d) }

// Names are the names of addresses and ports.
func (d *D) Names() *Names { return (*Names)(d) }

// Ends are the packet's two ends and their conversation.
func (d *D) Ends() *Ends { return (*Ends)(d) }

// Links are the packet's links to other packets.
func (d *D) Links() *Links { return (*Links)(d) }

// Inner finds and enters inner protocols.
func (d *D) Inner() *InnerLayers { return (*InnerLayers)(d) }

// Packet is what the capture knows of the packet.
func (d *D) Packet() *PacketRecord { return (*PacketRecord)(d) }
