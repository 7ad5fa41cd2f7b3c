package ui

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"remora/capture"
	"remora/internal/home"
	"remora/ui/amount"
	"remora/ui/source"
)

// A sheet is what a view shows, as rows for other programs. Numbers stay numbers: their columns have no units and no spaces
// between digits.
type sheet struct {
	name string // of a file for it, without an ending
	head []string
	rows func() [][]any // worked out beside the screen
}

// A sheeter is a view whose numbers can be saved. What sheet returns is asked beside the screen, and reads nothing that the
// screen changes.
type sheeter interface{ sheet(m *model) sheet }

// startExport asks where the numbers of the view go.
func (m *model) startExport() {
	v, ok := m.view().(sheeter)
	if !ok {
		m.notice = "e saves the numbers of types, talkers, notes and the other views that count; w saves packets"
		return
	}
	m.startEdit(editSheet, v.sheet(m).name+".csv")
}

// exportSheet writes what the view shows to a file: an array of objects when the file is called .json, else CSV.
func (m *model) exportSheet(path string) {
	v, ok := m.view().(sheeter)
	if !ok || path == "" {
		return
	}
	s := v.sheet(m)
	path = source.ExpandHome(path)
	m.notice = "saving to " + path
	m.pending = append(m.pending, func() any {
		defer m.guard("saving")
		n := 0
		err := writeFile(path, func(w io.Writer) (err error) {
			rows := s.rows()
			n = len(rows)
			if strings.EqualFold(filepath.Ext(path), ".json") {
				return writeJSON(w, s.head, rows)
			}
			return writeCSV(w, s.head, rows)
		})
		return exported{path, amount.Group(n) + " lines", err}
	})
}

// writeFile makes a new file; one that is there stays as it is.
func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // a file for others to read, where its owner wants it
	if os.IsExist(err) {
		return fmt.Errorf("%s is there already; choose another name", path)
	}
	if err != nil {
		return capture.CannotSave(path, err)
	}
	home.HandOver(f)
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		os.Remove(path) // half of it is of no use, and would be in the way of the next attempt
	}
	return capture.CannotSave(path, err)
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

// cellText is a value as CSV has it. Text that table programs would take for a formula gets a quote in front: it may come
// from packets.
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
