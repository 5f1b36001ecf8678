package parameter

import (
	"maps"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/result"
)

// spelled are cases' parameters as run files have held them since the first release.
// They must stay readable, and be written the same.
var spelled = map[string]string{
	"goroutines=8,holding=shared,request=512": Join(Goroutines.Is(8), Holding.Is(Shared), Request.Is(512)),
	"goroutines=8,holding=own,request=1":      Join(Request.Is(1), Holding.Is(Own), Goroutines.Is(8)),
	"goroutines=8,holding=new,request=1":      Join(Goroutines.Is(8), Holding.Is(PerCall), Request.Is(1)),
	"goroutines=8,holding=pool,request=1":     Join(Goroutines.Is(8), Holding.Is(Pooled), Request.Is(1)),
	"load=80,request=512":                     Join(Load.Is(80), Request.Is(512)),
	"load=80,messages=64,request=4,sizes=mix": With(Join(Load.Is(80), Request.Is(4)), Messages.Is(64), Sizes.Is(Mix)),
	"rate=20000":                                   Rate.Is(20000),
	"messages=1000,way=channel,workers=2":          Join(Messages.Is(1000), Way.Is(Channel), Workers.Is(2)),
	"batch=16,messages=1000,way=channel,workers=2": Join(Messages.Is(1000), Way.Is(Channel), Workers.Is(2), Batch.Is(16)),
	"keys=64,messages=64,way=lanes":                Join(Keys.Is(64), Messages.Is(64), Way.Is(Lanes)),
	"batch=64":                                     Batch.Is(64),
	"call=1024,way=update":                         Join(Call.Is(1024), Way.Is(Update)),
	"buffer=io.Copy,chunk=32768":                   Join(Chunk.Is(32768), Buffer.Is(CopyLoop)),
	"chunk=65536,io=memory":                        Join(Chunk.Is(65536), IO.Is(Memory)),
	"chunk=65536,compress=zstd,data=text,io=file":  Join(Chunk.Is(65536), IO.Is(File), Data.Is(Text), Compress.Is(Zstd)),
	"buffers=fresh,heap=268435456":                 Join(Buffers.Is(Fresh), Heap.Is(256<<20)),
	"buffers=pool,heap=0":                          Join(Buffers.Is(Recycled), Heap.Is(0)),
	"resumed=no,transport=memory":                  Join(Transport.Is(InMemory), Resumed.Is(No)),
	"connections=resumed":                          Connections.Is(ResumedOnes),
	"connections=kept,suite=AES-256-GCM":           Join(Connections.Is(KeptOnes), Suite.Is(algorithm.AES256GCM)),
	"transport=tcp":                                Transport.Is(TCP),
	"key=reused":                                   ReusedKey,
	"padding=pkcs7":                                PKCS7Padding,
	"crt=no":                                       WithoutCRT,
	"precomputed=no":                               NotComputed,
	"za=precomputed":                               PrecomputedZA,
	"draws=6":                                      Draws.Is(6),
	"message=0":                                    Message.Is(0),
	"busy=4":                                       Busy.Is(4),
	"sessions=4":                                   Sessions.Is(4),
	"count=1000000":                                Count.Is(1_000_000),
	"steps=16384":                                  Steps.Is(16384),
	"calls=1":                                      Calls.Is(1),
	"cost=12":                                      Cost.Is(12),
	"iterations=600000":                            Iterations.Is(600_000),
	"n=131072,p=1,r=8":                             Join(N.Is(1<<17), R.Is(8), P.Is(1)),
	"each=64,opened=first,secrets=1000":            Join(Secrets.Is(1000), Each.Is(64), Opened.Is(OnFirst)),
	"m=65536,p=4,t=3":                              Join(M.Is(64<<10), T.Is(3), P.Is(4)),
}

func TestCanonicalStrings(t *testing.T) {
	used := map[string]bool{}
	for want, got := range spelled {
		if got != want {
			t.Errorf("%q is written, want %q", got, want)
		}
		p, err := result.ParseParameters(want)
		if err != nil || p.String() != want {
			t.Errorf("%q is not canonical for package result: %v", want, err)
		}
		for name := range p {
			used[name] = true
		}
	}
	for _, k := range Cases() {
		if !used[k.Name()] {
			t.Errorf("how %s is spelled is not held fast by this test", k.Name())
		}
		delete(used, k.Name())
	}
	if len(used) > 0 {
		t.Errorf("Cases lacks %v", slices.Sorted(maps.Keys(used)))
	}
}

// roundTrip is a codec that writes a value and reads it again.
type roundTrip interface{ roundTrips(t *testing.T) }

func (p Number[N]) roundTrips(t *testing.T) {
	for _, n := range []N{p.Least, p.Least + 1, p.Least + (p.Most-p.Least)/2, p.Most - 1, p.Most} {
		if got, ok := p.Read(beside(p.Is(n), p.separator)); !ok || got != n {
			t.Errorf("%s is read as %d, %v", p.Is(n), got, ok)
		}
	}
	for _, wrong := range []string{p.text + "=", p.text, p.text + "=x", p.text + "=-1", p.text + "=+1", p.text + "=01",
		p.text + "=1.0", p.text + "=9223372036854775808", "", "x" + p.text + "=1", p.text + "x=1"} {
		if got, ok := p.Read(wrong); ok {
			t.Errorf("%q is read as %d", wrong, got)
		}
	}
	if p.Most < p.Most+1 {
		if _, ok := p.Read(p.Is(p.Most + 1)); ok {
			t.Errorf("%s=%d is read, more than may be", p.text, p.Most+1)
		}
	}
	if _, ok := p.Read(p.Is(p.Least - 1)); ok {
		t.Errorf("%s=%d is read, less than may be", p.text, p.Least-1)
	}
}

func (p Word[W]) roundTrips(t *testing.T) {
	for _, w := range p.Words {
		if got := p.In(beside(p.Is(w), p.separator)); got != w {
			t.Errorf("%s is read as %q", p.Is(w), got)
		}
		if slices.Index(p.Words, w) != slices.Index(slices.Clone(p.Words), w) || w == "" {
			t.Errorf("%s: %q", p.text, w)
		}
	}
	for _, wrong := range []string{p.text + "=", p.text, p.text + "=no such word", "", "x" + p.Is(p.Words[0])} {
		if got := p.In(wrong); got != "" {
			t.Errorf("%q is read as %q", wrong, got)
		}
	}
}

// Cases lists the parameters that a case may have.
func Cases() []Key {
	return []Key{Goroutines, Holding, Request, Load, Rate, Messages, Sizes, Way, Workers, Batch, Keys, Buffer, Chunk, IO, Data, Compress,
		Buffers, Heap, Call, Transport, Resumed, Connections, Suite, ContentKey, Padding, CRT, Precomputed, ZA, Draws, Message, Busy, Sessions, Count, Steps, Calls,
		Cost, Iterations, N, R, P, M, T, Secrets, Each, Opened}
}

// beside puts a parameter between others.
func beside(p, separator string) string { return "a=1" + separator + p + separator + "zz=2" }

func TestRoundTrips(t *testing.T) {
	for _, k := range append(Cases(), GOGC, GOMAXPROCS) {
		k.(roundTrip).roundTrips(t)
		if k.Has("a=1") || !k.Has(beside(k.Name()+"=x", separatorOf(k))) {
			t.Errorf("whether %s is set is not seen", k.Name())
		}
	}
}

func separatorOf(k Key) string {
	if k == Key(GOGC) || k == Key(GOMAXPROCS) {
		return " "
	}
	return ","
}

func TestSets(t *testing.T) {
	both := Join(Load.Is(80), Request.Is(4))
	if got := With(both, Load.Is(50), Chunk.Is(1)); got != "chunk=1,load=50,request=4" {
		t.Error(got)
	}
	if got := Without(both, Load, Chunk); got != "request=4" {
		t.Error(got)
	}
	if got := Without(both, Load, Request); got != "" {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		text string
		keys []Key
		are  bool
	}{
		{"", nil, true}, {both, []Key{Request, Load}, true}, {both, []Key{Load}, false}, {both, []Key{Load, Request, Chunk}, false},
		{"", []Key{Load}, false}, {"request=4,load=80", []Key{Load, Request}, false}, {"load=80,load=80", []Key{Load, Request}, false},
		{"load=80,", []Key{Load}, false}, {"load", []Key{Load}, false},
	} {
		if got := Are(c.text, c.keys...); got != c.are {
			t.Errorf("%q has just %v: %v", c.text, c.keys, got)
		}
	}
}

func TestBeyond(t *testing.T) {
	for text, want := range map[string]string{"": "", "chunk=1,io=file": "", "chunk=x,io=file": "chunk=x", "chunk=1,io=": "io=",
		"chunk=1,load=1": "load=1", "chunk": "chunk", "chunk=1,chunk=2": "chunk=2"} {
		if got := Beyond(text, Chunk, IO); got != want {
			t.Errorf("%q: %q is beyond chunk and io, want %q", text, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	const two = "GODEBUG=cpu.aes=off,cpu.avx=off GOGC=50"
	if got := GOGC.In(two); got != 50 {
		t.Errorf("GOGC is read as %d", got)
	}
	if got := GOMAXPROCS.In("GOMAXPROCS=2"); got != 2 || GOMAXPROCS.Has(two) {
		t.Errorf("GOMAXPROCS is read as %d", got)
	}
	for value, want := range map[string]string{"": "", "tlsmlkem=0": "0", "a=1,tlsmlkem=1,tlsmlkem=0": "0", "xtlsmlkem=0": ""} {
		if got := Setting(value, NoMLKEM); got != want {
			t.Errorf("tlsmlkem in %q is read as %q", value, got)
		}
	}
	if WithoutAES != "GODEBUG=cpu.aes=off" || RepeatableDraws != "GODEBUG=cryptocustomrand=1" {
		t.Error("run files hold these as they were:", WithoutAES, RepeatableDraws)
	}
}

// FuzzParameters: whatever stands in a run file is read without a panic, and what the
// codecs and package result make of it is the same.
func FuzzParameters(f *testing.F) {
	for s := range spelled {
		f.Add(s)
	}
	for _, s := range []string{"=", ",", "a==b", "load=80,load=90", "load=99999999999999999999", "chunk=-1", " load=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		keys := Cases()
		for _, k := range keys {
			if n, ok := k.(Number[int64]); ok {
				if v, ok := n.Read(s); ok && !Are(Without(With(s, n.Is(v)), slices.DeleteFunc(Cases(), func(o Key) bool { return o.Name() == n.Name() })...), n) &&
					!foreign(s) {
					t.Errorf("%q: %s=%d does not come back", s, n.Name(), v)
				}
			}
		}
		p, err := result.ParseParameters(s)
		if err != nil || p.String() != s {
			return
		}
		for _, k := range keys {
			if _, there := p[k.Name()]; k.Has(s) != there {
				t.Errorf("%q: whether %s is set: %v", s, k.Name(), !there)
			}
			delete(p, k.Name())
		}
		if got := Without(s, keys...); got != p.String() {
			t.Errorf("%q without all that is known: %q, want %q", s, got, p.String())
		}
	})
}

// foreign says whether a text holds parameters that no codec is for.
func foreign(s string) bool { return Without(s, Cases()...) != "" }
