package dissect

// A Severity ranks expert infos as Wireshark does.
type Severity uint8

// The severities.
const (
	Silent Severity = iota
	Comment
	Chat // the usual workflow
	Hint // worth a look ("Note" in Wireshark)
	Warn
	Error
)

var severityNames = [...]string{"", "Comment", "Chat", "Note", "Warning", "Error"}

// String is Wireshark's word for the severity.
func (s Severity) String() string { return severityNames[s] }

// Number is the severity as Wireshark writes it.
func (s Severity) Number() uint64 {
	return [...]uint64{0, 1 << 20, 2 << 20, 4 << 20, 6 << 20, 8 << 20}[s]
}

// An ExpertGroup is what an expert info is about, by Wireshark's numbers.
type ExpertGroup uint8

// The groups that dissectors ask for.
const (
	AboutChecksum   ExpertGroup = 1
	AboutSequence   ExpertGroup = 2
	AboutResponse   ExpertGroup = 3
	AboutUndecoded  ExpertGroup = 5
	AboutMalformed  ExpertGroup = 7
	AboutProtocol   ExpertGroup = 9 // where nothing else is said
	AboutSecurity   ExpertGroup = 10
	AboutComment    ExpertGroup = 11
	AboutDecryption ExpertGroup = 12
	AboutDeprecated ExpertGroup = 14
)

var groupNames = [...]string{"", "Checksum", "Sequence", "Response", "Request", "Undecoded", "Reassemble", "Malformed",
	"Debug", "Protocol", "Security", "Comment", "Decryption", "Assumption", "Deprecated"}

// String is Wireshark's word for the group.
func (g ExpertGroup) String() string { return groupNames[g] }

// Number is the group as Wireshark writes it.
func (g ExpertGroup) Number() uint64 { return uint64(g) << 24 }

// expertValues are the names of severities or groups from the first on, by Wireshark's numbers.
func expertValues[T interface {
	~uint8
	String() string
	Number() uint64
}](last T) Values {
	v := Values{}
	for i := T(1); i <= last; i++ {
		v[i.Number()] = i.String()
	}
	return v
}
