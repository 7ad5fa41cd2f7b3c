package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/sharing"
	"remora/internal/textfile"
)

// secretOptions say which secrets go into the file that is written, and where those go that were used.
type secretOptions struct {
	inject   []string // TYPE,FILE
	discard  bool
	export   string
	injected []pcapfile.Secret
	file     *os.File // of export
}

func (o *options) secretFlags(f *pflag.FlagSet) {
	s := &o.secrets
	f.StringArrayVar(&s.inject, "inject-secrets", nil,
		"write secrets into the pcapng file of -w: `TYPE,FILE` (repeatable; help lists the types)")
	f.BoolVar(&s.discard, "discard-all-secrets", false, "leave out of -w the secrets that the file read holds")
	f.StringVar(&s.export, "export-tls-session-keys", "",
		"write the secrets that TLS, DTLS and QUIC were read with to `FILE`, in the form of SSLKEYLOGFILE")
}

// secretTypes are the sorts of secrets that a capture may hold.
func secretTypes() (names []string, sorts []uint32) {
	for _, k := range dissect.KeysOf(plugins()) {
		if k.Sort != "" {
			names, sorts = append(names, k.Sort), append(sorts, k.Block)
		}
	}
	return names, sorts
}

// maxInjected bounds a file of secrets.
const maxInjected = 256 << 20

// settleSecrets checks the flags, and reads what is to be written.
func (o *options) settleSecrets() error {
	s := &o.secrets
	if (len(s.inject) > 0 || s.discard) && (o.write == "" || o.read == "" || o.writesPcap() || o.anonymise) {
		return usage("--inject-secrets and --discard-all-secrets are about the pcapng file that -w makes of that of -r, " +
			"and do not go with --anonymise")
	}
	names, sorts := secretTypes()
	for _, words := range s.inject {
		name, path, _ := strings.Cut(words, ",")
		sort := uint32(0)
		for i, n := range names {
			if n == name {
				sort = sorts[i]
			}
		}
		if sort == 0 || path == "" {
			return usage("--inject-secrets %s: it takes TYPE,FILE; TYPE is %s", dissect.Escape(words),
				strings.Join(names, ", "))
		}
		b, err := textfile.Read(path, maxInjected)
		if err != nil {
			return usage("--inject-secrets: %w", err)
		}
		if len(b) == 0 {
			return usage("--inject-secrets: %s is empty", dissect.Escape(path))
		}
		if text := string(b[:min(len(b), 11)]); name == "tls" && (text == "-----BEGIN " || text[0] == '0') {
			return usage("--inject-secrets: %s is a private key, not a key log", dissect.Escape(path))
		}
		s.injected = append(s.injected, pcapfile.Secret{Sort: sort, Data: b})
	}
	return nil
}

// openSecrets makes the file of the secrets that were used. It comes in front of what locks the process.
func (o *options) openSecrets() (err error) {
	if path := o.secrets.export; path != "" {
		if o.secrets.file, err = o.replacing(path, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// replacing opens a file to write into, in place of one that is there only where it may be replaced.
func (o *options) replacing(path string, mode os.FileMode) (*os.File, error) {
	if !o.live.Replace {
		if err := pcapfile.MayCreate(path); err != nil {
			return nil, err
		}
	}
	f, err := sharing.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, pcapfile.CannotWrite(path, err)
	}
	return f, nil
}

// writeSecrets ends the file of the secrets that were used.
func (o *options) writeSecrets(s *dissect.Session) error {
	f := o.secrets.file
	if f == nil {
		return nil
	}
	w := bufio.NewWriter(f)
	for _, k := range s.Registry().Keys() {
		if k.Sort != "tls" {
			continue
		}
		for _, u := range s.UsedSecrets(k) {
			fmt.Fprintf(w, "%s %x %x\n", u.Label, u.ID, u.Secret)
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return pcapfile.CannotWrite(o.secrets.export, err)
	}
	return nil
}
