//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// A limit is one line of what the screen is held to: what is measured, what it may be, and what it was.
type limit struct {
	what, target, measured string
	sign                   string // "ok", "ABOVE", or "" where a test holds it
}

// aim notes a measurement.
func (b *bencher) check(what, aim, measured string, ok bool) {
	sign := "ok"
	if !ok {
		sign = "ABOVE"
	}
	b.limits = append(b.limits, limit{what, aim, measured, sign})
}

// heldByTests are the anchors that are no numbers.
var heldByTests = []limit{
	{"all screens at all sizes, ASCII, NO_COLOR, 16 colours", "readable", "ui: TestScreenGolden, TestViewsGolden, " +
		"TestChooserGolden, TestScreenFitsEverySize, TestNoColour, TestColoursCanBeRead", ""},
	{"every key does what help says", "all", "ui: TestHelpIsTrue, TestHelpKeepsItsPromises, TestKeysReachTheirActions, " +
		"TestKeysWhileTyping, TestKeysWhereASourceIsChosen, TestKeysOfAnswers, TestActionsHaveNames, " +
		"TestPaletteListsEverything", ""},
	{"hostile bytes in every text position", "none gets out",
		"ui: TestNothingFromPacketsReachesTheTerminal, TestHostileNames, TestRandomKeys", ""},
	{"kill -9, HUP, TERM, full disk, unplugged interface", "kept, said",
		"TestKilledOnATerminal; capture: TestRecoverAfterKill, TestDiskFull, TestInterfaceVanishes", ""},
	{"the row under the cursor leaves a ring", "said", "ui: TestTheOldestLeaveTheScreen", ""},
	{"users who come from termshark", "no help", "not measured: people, not programs", ""},
}

// printLimits prints the table.
func (b *bencher) printLimits() {
	fmt.Printf("\n%-52s %-20s %s\n", "what the screen is held to", "anchor", "measured")
	for _, a := range append(b.limits, heldByTests...) {
		fmt.Printf("%-52s %-20s %s  %s\n", a.what, a.target, a.measured, a.sign)
	}
}

// measureLimits measures what the walk through the keys does not.
func (b *bencher) measureLimits(dir string, live bool) error {
	for _, measure := range []func(dir string) error{b.startLimit, b.fileLimits, b.ringLimit} {
		if err := measure(dir); err != nil {
			return err
		}
	}
	if live {
		return b.liveLimit(dir)
	}
	return nil
}

func millis(d time.Duration) string { return fmt.Sprintf("%.0f ms", d.Seconds()*1e3) }

// startLimit starts without arguments, until the choice of sources is there.
func (b *bencher) startLimit(dir string) error {
	var all []time.Duration
	for range 7 {
		start := time.Now()
		t, err := seat(filepath.Join(dir, "home"), b.remora)
		if err != nil {
			fmt.Println("not measured:", err)
			return nil
		}
		p, ok := t.until(10*time.Second, func(p picture) bool { return p.has("Choose a capture source") })
		t.leave()
		if !ok {
			return fmt.Errorf("no choice of sources:\n%s", p.text())
		}
		all = append(all, p.at.Sub(start))
	}
	took := percentile(all, 50)
	b.check("start without arguments to the choice of sources", "150 ms",
		millis(took)+fmt.Sprintf(" (worst of 7: %s)", millis(percentile(all, 100))), took <= 150*time.Millisecond)
	return nil
}

var matches = regexp.MustCompile(`([\d ]*\d) (?:of|so far)`)

// matched is how many packets a filter has found, and whether that is all.
func (p picture) matched() (n int, all bool) {
	return number(matches.FindStringSubmatch(p.lines[1])), strings.Contains(p.lines[1], "✓")
}

// fileLimits opens the generated capture, and filters it rightly and wrongly.
func (b *bencher) fileLimits(dir string) error {
	start := time.Now()
	t, err := seat(filepath.Join(dir, "home"), b.remora, b.file)
	if err != nil {
		return nil // was said
	}
	defer t.leave()
	first, ok := t.until(20*time.Second, func(p picture) bool { return p.rows() > 5 })
	last, ok2 := t.until(5*time.Minute, func(p picture) bool { return p.shown() >= b.packets && !p.has("dissected ") })
	if !ok || !ok2 {
		return fmt.Errorf("the capture does not appear:\n%s", last.text())
	}
	t.rest(300*time.Millisecond, time.Minute)
	memory := residentOf(t.cmd.Process.Pid) / 1e6
	name := fmt.Sprintf("%d packets: ", b.packets)
	b.check(name+"first rows", "200 ms", millis(first.at.Sub(start)), first.at.Sub(start) <= 200*time.Millisecond)
	b.check(name+"list complete", "3 s", fmt.Sprintf("%.2f s", last.at.Sub(start).Seconds()),
		last.at.Sub(start) <= 3*time.Second)
	b.check(name+"memory", "300 MB", fmt.Sprintf("%d MB", memory), memory <= 300)
	b.filterLimits(t, name)
	return nil
}

// filterLimits applies filters of several kinds; the slowest counts.
func (b *bencher) filterLimits(t *terminalSession, name string) {
	var hundred, whole time.Duration
	for _, f := range []string{"touhou.type == GAME_INPUT", "udp.length > 140", "tcp.flags.syn == 1 || dns",
		`dns.qry.name contains "a"`} {
		t.write("gg/\x15" + f)
		t.until(2*time.Second, func(p picture) bool { return strings.Contains(p.lines[1], f) })
		t.rest(200*time.Millisecond, time.Second)
		some, early, ok := t.press("\r", func(p picture) bool { n, all := p.matched(); return n >= 100 || all })
		hundred = max(hundred, some)
		if _, all := early.matched(); ok && !all {
			p, _ := t.until(time.Minute, func(p picture) bool { _, all := p.matched(); return all })
			some += p.at.Sub(early.at)
		}
		whole = max(whole, some)
		t.write("\x1b")
		t.rest(200*time.Millisecond, 2*time.Second)
	}
	b.check(name+"first 100 matches of a filter", "100 ms", millis(hundred), hundred <= filterLimit)
	b.check(name+"all matches of a filter", "2 s", fmt.Sprintf("%.2f s", whole.Seconds()), whole <= 2*time.Second)
	var all []time.Duration
	for range 5 {
		t.write("/\x15tcp.por")
		t.rest(200*time.Millisecond, time.Second)
		took, _, ok := t.press("x", func(p picture) bool { return strings.Contains(p.lines[2], "neither a field") })
		if ok {
			all = append(all, took)
		}
		t.write("\x1b")
		t.rest(200*time.Millisecond, time.Second)
	}
	worst := percentile(all, 100)
	b.check("a filter typed wrong: its place and the reason", "next picture (33 ms)",
		fmt.Sprintf("%s at worst, %d of 5 seen", millis(worst), len(all)), len(all) == 5 && worst <= keyLimit)
}

func (t *terminalSession) write(keys string) { t.tty.WriteString(keys) }

// ringLimit pours the capture into a screen that keeps a quarter of it, again and again: the memory must not follow.
func (b *bencher) ringLimit(dir string) error {
	pipe := filepath.Join(dir, "ring")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		return err
	}
	data, err := os.ReadFile(b.file)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	t, err := seat(filepath.Join(dir, "home"), b.remora, "--keep", "32 MiB", "-r", pipe)
	if err != nil {
		return nil
	}
	defer t.leave()
	stop := make(chan struct{})
	defer close(stop)
	writeUnless(out, data[:24], stop)
	memory := func(rounds, upTo int) int64 {
		for range rounds {
			writeUnless(out, data[24:], stop)
		}
		t.until(3*time.Minute, func(p picture) bool { return p.shown() >= upTo })
		return residentOf(t.cmd.Process.Pid) / 1e6
	}
	before := memory(2, 2*b.packets)
	after := memory(6, 8*b.packets)
	b.check(fmt.Sprintf("memory with a ring of 32 MiB, %d to %d packets", 2*b.packets, 8*b.packets), "flat",
		fmt.Sprintf("%d MB, then %d MB", before, after), after <= before+before/4+16)
	return nil
}

// The calm stream of the live anchor.
const (
	calmRate    = 5000
	calmSeconds = 10
)

var dropped = regexp.MustCompile(`([\d ]*\d) dropped`)

// liveLimit captures a steady stream with the screen open: are all panes of the same packet, is every one counted, and
// what does it cost?
func (b *bencher) liveLimit(dir string) error {
	if os.Geteuid() != 0 {
		fmt.Println("\nlive anchor: not measured (needs root)")
		return nil
	}
	space := namespace + "-calm"
	if out, err := exec.Command("ip", "netns", "add", space).CombinedOutput(); err != nil {
		fmt.Printf("\nlive anchor: not measured (%s)\n", strings.TrimSpace(string(out)))
		return nil
	}
	defer exec.Command("ip", "netns", "del", space).Run()
	if err := exec.Command("ip", "-n", space, "link", "set", "lo", "up").Run(); err != nil {
		return err
	}
	t, err := seat(filepath.Join(dir, "home"), "ip", "netns", "exec", space, b.remora, "-i", "lo", "udp port 40000")
	if err != nil {
		return nil
	}
	defer t.leave()
	t.until(10*time.Second, func(p picture) bool { return p.has("LIVE") })
	used, began := processCPU(t.cmd.Process.Pid), time.Now()
	sender := exec.Command("ip", "netns", "exec", space, os.Args[0], "-child", "send", "-", itoa(calmRate),
		itoa(calmSeconds))
	result := make(chan string, 1)
	go func() { out, _ := sender.Output(); result <- string(out) }()
	behind, sent, cpu := 0, 0, 0.0
	last, _ := t.until((calmSeconds+20)*time.Second, func(p picture) bool {
		if p.packet() > 0 && p.shown() > 0 {
			behind = max(behind, p.shown()-p.packet())
		}
		select {
		case out := <-result:
			fmt.Sscan(out, &sent)
			cpu = (processCPU(t.cmd.Process.Pid) - used) / time.Since(began).Seconds() * 100
		default:
		}
		return sent > 0 && p.shown() >= sent
	})
	name := fmt.Sprintf("live %d packets a second: ", calmRate)
	b.check(name+"stale panes", "none",
		fmt.Sprintf("%d pictures of two packets, the newest shown at most %d behind", t.torn, behind), t.torn == 0)
	lost := number(dropped.FindStringSubmatch(last.text()))
	b.check(name+"losses told", "exact", fmt.Sprintf("%d sent, %d shown, %d told as dropped", sent, last.shown(), lost),
		sent > 0 && last.shown()+lost == sent)
	b.check(name+"one core", "25 %", fmt.Sprintf("%.0f %%", cpu), cpu > 0 && cpu <= 25)
	return nil
}
