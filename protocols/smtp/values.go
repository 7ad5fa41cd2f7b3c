package smtp

import "remora/dissect"

// codes are the answers of RFC 5321 and its extensions.
var codes = dissect.Values{
	211: "System status, or system help reply",
	214: "Help message",
	220: "<domain> Service ready",
	221: "<domain> Service closing transmission channel",
	235: "Authentication successful",
	250: "Requested mail action okay, completed",
	251: "User not local; will forward to <forward-path>",
	252: "Cannot VRFY user, but will accept message and attempt delivery",
	334: "AUTH input",
	354: "Start mail input; end with <CRLF>.<CRLF>",
	421: "<domain> Service not available, closing transmission channel",
	432: "A password transition is needed",
	450: "Requested mail action not taken: mailbox unavailable",
	451: "Requested action aborted: local error in processing",
	452: "Requested action not taken: insufficient system storage",
	454: "Temporary authentication failed",
	500: "Syntax error, command unrecognized",
	501: "Syntax error in parameters or arguments",
	502: "Command not implemented",
	503: "Bad sequence of commands",
	504: "Command parameter not implemented",
	530: "Authentication required",
	534: "Authentication mechanism is too weak",
	535: "Authentication credentials invalid",
	538: "Encryption required for requested authentication mechanism",
	550: "Requested action not taken: mailbox unavailable",
	551: "User not local; please try <forward-path>",
	552: "Requested mail action aborted: exceeded storage allocation",
	553: "Requested action not taken: mailbox name not allowed",
	554: "Transaction failed",
}

// The commands of RFC 5321 and its extensions, as packet types. Numbers are ours: they start behind the codes.
const (
	other = 1000 + iota
	helo
	ehlo
	mailFrom
	rcpt
	data
	bdat
	rset
	vrfy
	expn
	help
	noop
	quit
	auth
	starttls
	etrn
	content     // a part of a message
	credentials // a line that goes on with AUTH
)

var verbs = map[string]uint16{
	"HELO": helo, "EHLO": ehlo, "MAIL": mailFrom, "RCPT": rcpt, "DATA": data, "BDAT": bdat, "RSET": rset, "VRFY": vrfy,
	"EXPN": expn,
	"HELP": help, "NOOP": noop, "QUIT": quit, "AUTH": auth, "STARTTLS": starttls, "ETRN": etrn,
}

// kinds are the packet types: a code, or a command.
var kinds = func() dissect.Values {
	v := dissect.Values{other: "Command", content: "Message data", credentials: "AUTH credentials"}
	for code, name := range codes {
		v[code] = name
	}
	for name, verb := range verbs {
		v[uint64(verb)] = name
	}
	return v
}()
