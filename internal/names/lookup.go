package names

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"remora/internal/broker"
)

// The bounds of asking: how many questions are under way and wait, how long one may take, how many answers are kept.
const (
	askers     = 8
	maxWaiting = 1024
	maxKept    = 1 << 17
)

// A Lookup asks the Domain Name System for the names of addresses, beside what the program does otherwise. It is safe
// for use by several goroutines.
type Lookup struct {
	// Patience is how long Name waits for an answer it does not have yet. Zero is right for screens: the name comes later.
	Patience time.Duration

	ask     func(ctx context.Context, addr string) ([]string, error)
	timeout time.Duration
	queue   chan netip.Addr
	changes atomic.Uint64
	pending atomic.Int64

	mu    sync.Mutex
	known map[netip.Addr]*answer
}

// An answer is what came back; done is closed when it has.
type answer struct {
	name string
	done chan struct{}
}

// NewLookup starts asking the system's resolver, until ctx ends.
func NewLookup(ctx context.Context) *Lookup {
	return newLookup(ctx, askSystem, patience)
}

// patience is how long a question may take.
const patience = 5 * time.Second

// askSystem asks the system's resolver, for as long as ctx says here.
func askSystem(ctx context.Context, addr string) ([]string, error) {
	type answer struct {
		names []string
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		names, _, err := addressNames.Ask(addr)
		done <- answer{names, err}
	}()
	select {
	case a := <-done:
		return a.names, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// addressNames asks for the names of an address, hostAddresses for the addresses of a name.
var (
	addressNames = broker.New("names", func(addr string, _ []*os.File) ([]string, []*os.File, error) {
		a, err := netip.ParseAddr(addr)
		if err != nil {
			return nil, nil, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		names, err := net.DefaultResolver.LookupAddr(ctx, a.String())
		return names, nil, err
	}).Slowly()
	hostAddresses = broker.New("addresses", func(name string, _ []*os.File) ([]netip.Addr, []*os.File, error) {
		if !isHost(name) {
			return nil, nil, errors.New("it is no name of a host")
		}
		ctx, cancel := context.WithTimeout(context.Background(), hostPatience)
		defer cancel()
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		return found, nil, err
	}).Slowly()
)

// hostPatience is how long the question for a host in a filter may take: the filter waits for it.
const hostPatience = 2 * time.Second

// isHost tells whether a text can be the name of a host.
func isHost(name string) bool {
	return name != "" && len(name) < 254 && !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || r != '-' && r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// Addresses asks the system's resolver for the addresses of a host. It waits no longer than the resolver should take,
// also where the broker does not answer: the screen waits for it.
func Addresses(name string) []netip.Addr {
	answer := make(chan []netip.Addr, 1)
	go func() {
		found, _, err := hostAddresses.Ask(name)
		if err != nil {
			found = nil
		}
		answer <- found
	}()
	select {
	case found := <-answer:
		return found
	case <-time.After(hostPatience + time.Second):
		return nil
	}
}

// Lent is what a screen that may not use the network needs of this package.
func Lent() []broker.Service { return []broker.Service{addressNames, hostAddresses} }

func newLookup(ctx context.Context, ask func(context.Context, string) ([]string, error),
	timeout time.Duration) *Lookup {
	l := &Lookup{ask: ask, timeout: timeout, queue: make(chan netip.Addr, maxWaiting), known: map[netip.Addr]*answer{}}
	for range askers {
		go l.work(ctx)
	}
	return l
}

// Changes counts the names that came in so far: when it grows, what shows names is worth drawing again.
func (l *Lookup) Changes() uint64 { return l.changes.Load() }

// Busy tells whether answers are on their way.
func (l *Lookup) Busy() bool { return l.pending.Load() > 0 }

// Name is the name of an address, or "" while it is not known. The first call for an address asks for it.
func (l *Lookup) Name(a netip.Addr) string {
	if !a.IsValid() || a.IsMulticast() || a.IsUnspecified() {
		return ""
	}
	ans := l.wanted(a.Unmap())
	if ans == nil {
		return ""
	}
	if l.Patience > 0 {
		select {
		case <-ans.done:
		case <-time.After(l.Patience):
		}
	}
	select {
	case <-ans.done:
		return ans.name
	default:
		return ""
	}
}

// wanted is the answer for an address, asked for if it was not before; nil when too many wait.
func (l *Lookup) wanted(a netip.Addr) *answer {
	l.mu.Lock()
	defer l.mu.Unlock()
	ans := l.known[a]
	if ans != nil || len(l.known) >= maxKept {
		return ans
	}
	select {
	case l.queue <- a:
		ans = &answer{done: make(chan struct{})}
		l.known[a] = ans
		l.pending.Add(1)
	default: // it is asked for again when it is shown again
	}
	return ans
}

func (l *Lookup) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-l.queue:
			l.answer(ctx, a)
		}
	}
}

func (l *Lookup) answer(ctx context.Context, a netip.Addr) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	found, err := l.ask(ctx, a.String())
	l.mu.Lock()
	ans := l.known[a]
	l.mu.Unlock()
	if err == nil && len(found) > 0 {
		ans.name = strings.TrimSuffix(found[0], ".")
		l.changes.Add(1)
	}
	close(ans.done)
	l.pending.Add(-1)
}
