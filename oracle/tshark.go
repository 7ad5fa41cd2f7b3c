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

// tsharkRows calls each with what tshark prints for the columns and fields of every frame. Checksums are verified as remora
// does, and names are not looked up; two passes have links forward known.
func tsharkRows(path string, fields []string, each func(row []string) error) error {
	args := []string{"-2", "-n", "-r", path, "-T", "fields", "-E", "separator=/t", "-E", "aggregator=|"}
	for _, o := range []string{"ip.check_checksum:TRUE", "tcp.check_checksum:TRUE", "udp.check_checksum:TRUE"} {
		args = append(args, "-o", o)
	}
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
