package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// version is the tshark whose output is the measure. Others name some fields in other ways.
const version = "4.0."

// columns are what is compared of the summary line, by tshark's names.
var columns = []string{"_ws.col.Protocol", "_ws.col.Info"}

func checkVersion() error {
	out, err := exec.Command("tshark", "--version").Output()
	if err != nil {
		return fmt.Errorf("tshark cannot be run: %w", err)
	}
	if first, _, _ := strings.Cut(string(out), "\n"); !strings.Contains(first, " "+version) {
		return fmt.Errorf("the measure is tshark %sx, not %s", version, first)
	}
	return nil
}

// tsharkProtocols are the names of the protocols that tshark knows, as filters have them.
func tsharkProtocols() (map[string]bool, error) {
	out, err := exec.Command("tshark", "-G", "protocols").Output()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if p := strings.Split(line, "\t"); len(p) > 2 {
			known[strings.TrimSpace(p[2])] = true
		}
	}
	return known, nil
}

// tsharkFields are the names of all fields of the protocols, with the protocol of each.
func tsharkFields(protocols []string) (map[string]string, error) {
	out, err := exec.Command("tshark", "-G", "fields").Output()
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(out)) {
		p := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		// Labels and notes have no value that could be compared.
		if len(p) > 4 && p[0] == "F" && p[3] != "FT_NONE" && slices.Contains(protocols, p[4]) {
			fields[p[2]] = p[4]
		}
	}
	return fields, nil
}

// tsharkRows calls each with what tshark prints for the columns and fields of every frame. Names are not looked up; two
// passes have links forward known. Fields of checksums are from a run of their own, in which tshark verifies them as
// remora does: it puts no message together of segments whose checksum is wrong, then, and those that a network card has
// yet to fill in are.
func tsharkRows(path string, fields []string, each func(row []string) error) error {
	var sums, rest []int // which of fields
	for i, f := range fields {
		if strings.Contains(f, "checksum") {
			sums = append(sums, i)
		} else {
			rest = append(rest, i)
		}
	}
	var verified [][]string
	if len(sums) > 0 {
		err := tsharkRun(path, pick(fields, sums), verifying, func(row []string) error {
			verified = append(verified, row)
			return nil
		})
		if err != nil {
			return err
		}
	}
	n := 0
	return tsharkRun(path, pick(fields, rest), nil, func(plain []string) error {
		row := make([]string, len(fields))
		if len(plain) != len(rest) {
			return fmt.Errorf("frame %d: tshark prints %d fields, not %d", n+1, len(plain), len(rest))
		}
		for k, i := range rest {
			row[i] = plain[k]
		}
		if n < len(verified) && len(verified[n]) == len(sums) {
			for k, i := range sums {
				row[i] = verified[n][k]
			}
		}
		n++
		return each(row)
	})
}

// verifying has tshark verify checksums.
var verifying = []string{"-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o",
	"udp.check_checksum:TRUE"}

// pick returns those of a list that are at the given places.
func pick(list []string, at []int) []string {
	out := make([]string, len(at))
	for k, i := range at {
		out[k] = list[i]
	}
	return out
}

// tsharkRun runs tshark once and calls each with what it prints of every frame.
func tsharkRun(path string, fields, options []string, each func(row []string) error) error {
	args := []string{"-2", "-n", "-r", path, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=|"}
	args = append(args, options...)
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8")
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if err := each(strings.Split(strings.TrimSuffix(line, "\n"), "\t")); err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return err
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("tshark: %w: %s", err, failed.String())
	}
	return nil
}
