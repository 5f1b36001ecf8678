package access

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	freeTries = 5                // wrong tokens before an address waits
	eachTry   = 10 * time.Second // for one more
	mostKept  = 4096             // addresses that are remembered
)

// tries counts the wrong tokens of addresses. Each may send a few, and one more for each so many seconds that pass.
type tries struct {
	now func() time.Time

	mu   sync.Mutex
	used map[netip.Prefix]time.Time // until when its tries are used up; each wrong one adds to it
}

func newTries(now func() time.Time) *tries {
	return &tries{now: now, used: map[netip.Prefix]time.Time{}}
}

// take uses one of the tries that an address has; it says how long the address has to wait where there is none. The try
// is used before the token is looked at, so that many tokens at once are no way around.
func (t *tries) take(address string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, now := t.place(address), t.now()
	until := t.used[at]
	if until.Before(now) {
		until = now
	}
	if wait = until.Sub(now) - (freeTries-1)*eachTry; wait > 0 {
		return wait
	}
	t.used[at] = until.Add(eachTry)
	return 0
}

// right gives a try back: the token was the right one.
func (t *tries) right(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.place(address)
	t.used[at] = t.used[at].Add(-eachTry)
}

// place is what counts as one address. Where too many are remembered, those that are not share one.
func (t *tries) place(address string) netip.Prefix {
	at := networkOf(address)
	if _, known := t.used[at]; known || len(t.used) < mostKept {
		return at
	}
	for other, until := range t.used {
		if until.Before(t.now()) {
			delete(t.used, other)
		}
	}
	if len(t.used) < mostKept {
		return at
	}
	return netip.Prefix{}
}

// networkOf is an IPv4 address, or the 64 bits of an IPv6 address that one customer is given at least.
func networkOf(address string) netip.Prefix {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	network, _ := ip.Prefix(bits) // which the kind of the address has
	return network
}
