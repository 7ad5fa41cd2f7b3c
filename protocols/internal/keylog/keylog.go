// Package keylog reads the secrets of TLS sessions from files in the format that NSS made
// (https://firefox-source-docs.mozilla.org/security/nss/legacy/key_log_format), as browsers and many programs write
// them when SSLKEYLOGFILE names a file.
package keylog

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"remora/dissect"
	"remora/internal/textfile"
)

// TLS are the secrets of TLS, and of what encrypts as it does.
var TLS = &dissect.Keys{
	Flag: "keylog", Env: "SSLKEYLOGFILE", Block: 0x544c534b, Sort: "tls",
	Help: "read TLS and DTLS with the secrets of `FILE` (in the form of SSLKEYLOGFILE)",
	Preference: dissect.NewPreference(dissect.Text, "tls.keylog_file", "(Pre)-Master-Secret log filename",
		"The file of secrets that TLS, DTLS and QUIC are read with.", dissect.Setting{}).Begins(Begins(nil)),
	Open: func(path string) (dissect.Secrets, error) { return Open(path) },
	New:  func() dissect.GrowingSecrets { return New(nil) },
}

// A Log is one key log. Where it has a file, the file may still grow: what is not known is looked for in what was
// added. It may be asked from several goroutines.
type Log struct {
	mu      sync.Mutex
	path    string
	read    int64  // bytes of the file read so far
	rest    []byte // the unfinished last line
	looked  time.Time
	secrets map[string][]byte
	parse   func(keep Keep, line string) // nil for the format of NSS
	other   bool                         // a line is neither a comment nor one with a secret
}

// Keep takes a secret under a label and what tells it from others of the label.
type Keep func(label string, id, secret []byte)

// Limits of what is kept of a log.
const (
	maxLine    = 4096
	maxSecrets = 1 << 20
	maxSize    = 256 << 20             // bytes of a file: as many secrets as are kept, and as much again of comments
	pause      = 50 * time.Millisecond // between looks at a file that may have grown
)

// ErrOther means that a file has lines, none of which has a secret.
var ErrOther = errors.New("no line of it has a secret")

// Open reads the file. One that does not exist yet may appear later, and one without lines may get some; one whose
// lines are something else is refused.
func Open(path string) (*Log, error) { return OpenOf(nil, path) }

// OpenOf is Open for lines of another form, each of which read takes apart.
func OpenOf(read func(keep Keep, line string), path string) (*Log, error) {
	l := &Log{path: path, secrets: map[string][]byte{}, parse: read}
	if err := l.grow(); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if l.other && len(l.secrets) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrOther)
	}
	return l, nil
}

// Begins tells of a file whether a line that it begins with has a secret, for lines that read takes apart.
func Begins(read func(keep Keep, line string)) func(start []byte) bool {
	return func(start []byte) bool { return len(NewOf(read, start).secrets) > 0 }
}

// New is a log of lines that are there already.
func New(lines []byte) *Log { return NewOf(nil, lines) }

// NewOf is New for lines of another form, each of which read takes apart.
func NewOf(read func(keep Keep, line string), lines []byte) *Log {
	l := &Log{secrets: map[string][]byte{}, parse: read}
	l.add(lines)
	return l
}

// Secret is the secret under a label, such as "CLIENT_RANDOM", of the session with that random; nil if the log has
// none.
func (l *Log) Secret(label string, id []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := label + string(id)
	if s := l.secrets[key]; s != nil || l.path == "" || time.Since(l.looked) < pause {
		return s
	}
	if l.grow() != nil {
		return nil
	}
	return l.secrets[key]
}

// grow reads what was added to the file. A file that became shorter is read from its start.
func (l *Log) grow() error {
	l.looked = time.Now()
	f, err := textfile.Open(l.path, maxSize)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == l.read {
		return nil
	}
	if info.Size() < l.read {
		l.read, l.rest = 0, nil
	}
	if _, err := f.Seek(l.read, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(grown{l}, f)
	return err
}

// grown takes what was added to the file of a log.
type grown struct{ *Log }

func (l grown) Write(b []byte) (int, error) {
	l.read += int64(len(b))
	l.add(b)
	return len(b), nil
}

// Add takes whole lines, and a last one that may lack its end.
func (l *Log) Add(lines []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(lines)
	l.rest = nil
}

// add takes lines, the last of which may be unfinished.
func (l *Log) add(b []byte) {
	b = append(l.rest, b...)
	l.rest = nil
	for line := range bytes.Lines(b) {
		if l.path == "" || line[len(line)-1] == '\n' {
			l.line(string(line))
		} else if len(line) <= maxLine { // what follows it may be added
			l.rest = bytes.Clone(line)
			if l.parse != nil || mayBeWhole(string(line)) {
				l.line(string(line))
			}
		}
	}
}

// mayBeWhole tells whether a line that lacks its end has a secret of full length: files need not end in one. What is
// added may still show that it had not.
func mayBeWhole(line string) bool {
	words := strings.Fields(line)
	if len(words) != 3 {
		return false
	}
	const sha256, sha384 = 2 * 32, 2 * 48 // in hexadecimal digits; master secrets have as many as the longer
	n := len(words[2])
	return n == sha384 || n == sha256 && words[0] != "CLIENT_RANDOM"
}

// digits are those in hexadecimal that a word begins with: some programs leave a backslash behind them.
func digits(word string) string {
	if end := strings.IndexFunc(word,
		func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }); end > 0 {
		return word[:end]
	}
	return word
}

// line takes one line.
func (l *Log) line(s string) {
	before := len(l.secrets)
	if l.parse != nil {
		l.parse(l.keep, s)
	} else {
		l.ofNSS(s)
	}
	if s = strings.TrimSpace(s); len(l.secrets) == before && s != "" && s[0] != '#' {
		l.other = true
	}
}

// ofNSS takes one line: a label, an identifier and a secret, both in hexadecimal. Others are comments.
func (l *Log) ofNSS(s string) {
	words := strings.Fields(s)
	if len(words) != 3 || strings.HasPrefix(s, "#") || len(l.secrets) >= maxSecrets {
		return
	}
	id, err := hex.DecodeString(words[1])
	if err != nil {
		return
	}
	if secret, err := hex.DecodeString(digits(words[2])); err == nil && len(secret) > 0 {
		l.secrets[words[0]+string(id)] = secret
	}
}

// keep takes a secret that is not kept yet.
func (l *Log) keep(label string, id, secret []byte) {
	if key := label + string(id); len(l.secrets) < maxSecrets && l.secrets[key] == nil {
		l.secrets[key] = secret
	}
}
