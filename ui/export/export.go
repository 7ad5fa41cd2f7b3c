// Package export writes what views show for other programs.
package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"remora/capture/pcapfile"
	"remora/internal/broker"
)

// A Sheet is what a view shows, as rows for other programs. Numbers stay numbers: their columns have no units and no
// spaces between digits.
type Sheet struct {
	Name string // of a file for it, without an ending
	Head []string
	Rows func() [][]any // worked out beside the screen
}

// New is a sheet with the titles of its columns.
func New(name string, head []string, rows func() [][]any) Sheet { return Sheet{name, head, rows} }

// Write writes the sheet to a file: an array of objects when the file is called .json, else CSV. It returns the number
// of rows.
func (s *Sheet) Write(path string, replace bool) (n int, err error) {
	err = File(path, replace, func(w io.Writer) (err error) {
		rows := s.Rows()
		n = len(rows)
		if strings.EqualFold(filepath.Ext(path), ".json") {
			return writeJSON(w, s.Head, rows)
		}
		return writeCSV(w, s.Head, rows)
	})
	return n, err
}

// ErrExist is that a file is there already.
type ErrExist struct{ Path string }

func (e ErrExist) Error() string { return e.Path + " is there already; choose another name" }
func (e ErrExist) Unwrap() error { return fs.ErrExist }

// wrote are the paths of the files that were made since the program began.
var wrote sync.Map

// MayReplace tells whether a file may be replaced: behind a broker only what was written by this screen.
func MayReplace(path string) bool {
	_, own := wrote.Load(path)
	return own || broker.Gone() == nil
}

// File makes a file; one that is there stays as it is unless it is to be replaced.
func File(path string, replace bool, write func(w io.Writer) error) error {
	kind := broker.Export
	if replace {
		kind = broker.Replacing
	}
	f, err := broker.Create(path, kind)
	if err == nil {
		w := bufio.NewWriter(f)
		if err = write(w); err == nil {
			err = w.Flush()
		}
		if err == nil {
			if err = f.Keep(); err == nil {
				wrote.Store(path, true)
			}
		} else {
			f.Drop()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return ErrExist{path}
	}
	return pcapfile.CannotSave(path, err)
}

func writeCSV(to io.Writer, head []string, rows [][]any) error {
	w := csv.NewWriter(to)
	if err := w.Write(head); err != nil {
		return err
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = cellText(v)
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// cellText is a value as CSV has it. Text that table programs would take for a formula gets a quote in front: it may
// come from packets.
func cellText(v any) string {
	switch x := v.(type) {
	case string:
		if x != "" && strings.IndexByte("=+-@", x[0]) >= 0 {
			if _, err := strconv.ParseFloat(x, 64); err != nil {
				return "'" + x
			}
		}
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// writeJSON keeps the columns in their order, which a map would not.
func writeJSON(w io.Writer, head []string, rows [][]any) error {
	if _, err := io.WriteString(w, "["); err != nil {
		return err
	}
	sep := "\n"
	for _, row := range rows {
		line := sep + "  {"
		for i, v := range row {
			b, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if i > 0 {
				line += ", "
			}
			line += strconv.Quote(head[i]) + ": " + string(b)
		}
		if _, err := io.WriteString(w, line+"}"); err != nil {
			return err
		}
		sep = ",\n"
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}

// Done says that something was saved to a path, or why it was not.
func Done(path, what string, err error) string {
	if err != nil {
		return "not saved: " + err.Error()
	}
	return what + " saved to " + path
}
