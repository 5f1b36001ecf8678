package library

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/multibuffer"
	"github.com/cryptogauge/cryptogauge/result"
)

// hashesOnly says whether a provider does nothing but hash many messages.
func hashesOnly(p provider.Provider) bool {
	s := p.Subject()
	return s.Library == "md5-simd" || s.Library == "blake3" ||
		s.Library == "cryptogauge" && slices.Contains(multibuffer.Implementations(), s.Implementation)
}

// manyShapes are the ways with numbers of messages that divide by nothing.
func manyShapes() (shapes []bulkhash.Shape) {
	for _, way := range []parameter.Manner{parameter.New, parameter.Sum, parameter.Pool, parameter.PoolBuffer, parameter.StringCopy, parameter.StringView, parameter.Spawn, parameter.Lanes} {
		shapes = append(shapes, bulkhash.Shape{Way: way})
	}
	for _, workers := range []int{1, 7} {
		shapes = append(shapes, bulkhash.Shape{Way: parameter.Split, Workers: workers}, bulkhash.Shape{Way: parameter.Counter, Workers: workers},
			bulkhash.Shape{Way: parameter.Channel, Workers: workers, Batch: 1}, bulkhash.Shape{Way: parameter.Channel, Workers: workers, Batch: 16})
	}
	return shapes
}

func manyCases(algorithms []string, messages, size int64) (cs []result.Case) {
	for _, a := range algorithms {
		for _, s := range manyShapes() {
			s.Messages = messages
			cs = append(cs, result.Case{Algorithm: a, Operation: algorithm.HashMany, Bytes: messages * size, Parameters: s.Parameters()})
		}
	}
	return cs
}

// offersMany says which library does what of them.
func offersMany(p provider.Provider, c result.Case) bool {
	way, s := parameter.Way.In(c.Parameters), p.Subject()
	serial := !slices.Contains([]parameter.Manner{parameter.New, parameter.Pool, parameter.PoolBuffer, parameter.StringCopy, parameter.StringView, parameter.Lanes}, way)
	switch {
	case s.Library == "go":
		return c.Algorithm == "MD5" && way != parameter.Lanes || c.Algorithm == "SHA-256" && serial
	case s.Library == "gmsm":
		return c.Algorithm == "SM3" && serial
	case s.Library == "md5-simd":
		return c.Algorithm == "MD5" && way == parameter.Counter
	case s.Library == "blake3":
		return c.Algorithm == "BLAKE3" && serial
	case !hashesOnly(p):
		return false
	}
	switch {
	case way == parameter.Counter:
		return (c.Algorithm == "MD5" || c.Algorithm == "SM3") && s.Implementation == multibuffer.New().Implementation()
	case way != parameter.Lanes && way != parameter.Split:
		return false
	}
	return c.Algorithm == "MD5" || c.Algorithm == "SM3" || c.Algorithm == "SHA-256" && s.Implementation != "avx2"
}

// TestManyHashes: every way of every library hashes every message rightly, reads its
// input, and what a library lacks is absent.
func TestManyHashes(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	algorithms := []string{"MD5", "SHA-256", "SM3", "BLAKE3"}
	for i, p := range Go(judge) {
		var opened []result.Case
		for _, c := range slices.Concat(manyCases(algorithms, 67, 64), manyCases(algorithms, 1, 1), manyCases(algorithms, 5, 1500)) {
			err := providertest.Verify(p, c)
			if !offersMany(p, c) {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %s %s: %v, want absent", p.Subject().Library, c.Name(), c.Parameters, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s %s: %v", p.Subject().Library, c.Name(), c.Parameters, err)
				continue
			}
			opened = append(opened, c)
			if err := providertest.Sensitive(func(v provider.Vectors) provider.Provider { return Go(v)[i] }, judge, c); err != nil {
				t.Error(err)
			}
		}
		if err := providertest.SideBySide(p, opened); err != nil {
			t.Error(err)
		}
	}
}

// TestHashersDoNothingElse: what only hashes calls all other cases absent.
func TestHashersDoNothingElse(t *testing.T) {
	for _, p := range Go(judge.New(provider.Setting{Seed: 1})) {
		if !hashesOnly(p) {
			continue
		}
		for _, c := range slices.Concat(primitives(64), publicOfGo, cases(onlySM4, modesOfSM4, bothWays, 64), []result.Case{fileOf("pool", 4096), startOf("count=10")}) {
			if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %s %s: %v, want absent", p.Subject().Library, c.Name(), c.Operation, err)
			}
			if _, err := provider.PrepareScenario(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %s %s as a scenario: %v, want absent", p.Subject().Library, c.Name(), c.Operation, err)
			}
		}
	}
}

// TestManyDigestsAreTheReferences: each digest of the vector is the reference's of its
// message, whether it computed them or a fast library whose digest is proven.
func TestManyDigestsAreTheReferences(t *testing.T) {
	c := result.Case{Algorithm: "MD5", Operation: algorithm.HashMany, Bytes: 300 * 100, Parameters: "messages=300,way=sum"}
	first := judge.New(provider.Setting{Seed: 9})
	v, err := first.Vector(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if want := reference.MD5(v.Plaintext[i*100 : (i+1)*100]); string(v.Digest[i*16:(i+1)*16]) != string(want) {
			t.Fatalf("digest %d is not the reference's", i)
		}
	}
	proof, ok := first.Digest(c)
	if !ok {
		t.Fatal("the judge does not know the digest of what it computed")
	}
	for _, test := range []struct{ what, digest string }{{"proven", proof}, {"a lie", strings.Repeat("00", 32)}} {
		again := judge.New(provider.Setting{Seed: 9})
		c.Parameters = "messages=300,way=lanes" // another way, the same messages
		if err := again.Prove(c, test.digest); err != nil {
			t.Fatal(err)
		}
		if w, err := again.Vector(c); err != nil || string(w.Digest) != string(v.Digest) {
			t.Errorf("%s: other digests, %v", test.what, err)
		}
	}
}

func fileOf(buffer parameter.Reading, chunk int64) result.Case {
	return result.Case{Algorithm: "MD5", Operation: algorithm.HashFile, Bytes: 300_001,
		Parameters: parameter.Join(parameter.Buffer.Is(buffer), parameter.Chunk.Is(chunk))}
}

func startOf(parameters string) result.Case {
	return result.Case{Algorithm: algorithm.Goroutine, Operation: algorithm.Start, Parameters: parameters}
}

// TestFileHashes: a file is hashed rightly with every buffer, at sizes that end within
// a chunk, and its content is read.
func TestFileHashes(t *testing.T) {
	setting := provider.Setting{Seed: 1, Dir: t.TempDir()}
	judge := judge.New(setting)
	var cs []result.Case
	for _, chunk := range []int64{4 << 10, 64 << 10, 128 << 10, 8 << 20} {
		for _, buffer := range []parameter.Reading{parameter.PerFile, parameter.FromPool, parameter.MemoryMap} {
			cs = append(cs, fileOf(buffer, chunk))
		}
	}
	for _, chunk := range bulkhash.StackChunks() {
		cs = append(cs, fileOf(parameter.OnStack, chunk))
	}
	cs = append(cs, fileOf(parameter.CopyLoop, 32<<10))
	providertest.Run(t, library(0)(judge), cs)
	for _, c := range cs {
		if err := providertest.Verify(library(0)(judge), c); err != nil {
			t.Errorf("%s: %v", c.Parameters, err)
		}
		if err := providertest.Sensitive(library(0), judge, c); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []result.Case{fileOf(parameter.OnStack, 8<<20), fileOf(parameter.CopyLoop, 4096)} {
		if _, err := provider.Prepare(library(0)(judge), c); !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%s: %v, want unsupported", c.Parameters, err)
		}
	}
}

// TestGoroutinesAreStarted: the scenario is the standard library's, and refuses what
// memory can't hold in one line.
func TestGoroutinesAreStarted(t *testing.T) {
	s, err := provider.PrepareScenario(library(0)(judge.New(provider.Setting{Seed: 1})), startOf("count=1000"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err == nil {
		t.Error("a check before any passes")
	}
	budget := provider.Budget{Sample: func(f func() (int64, error)) (sample result.Sample, err error) {
		sample.Calls, err = f()
		return sample, err
	}}
	r, err := s.Measure(context.Background(), budget)
	if err != nil || len(r.Samples) != 1 || r.Samples[0].Calls != 1000 || len(r.Histograms) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Check(); err == nil {
		t.Error("a second check passes")
	}
	budget.Room = func() int64 { return 1 << 20 }
	_, err = s.Measure(context.Background(), budget)
	if !errors.Is(err, errors.ErrUnsupported) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "1000 goroutines take about 2 MiB, and 1 MiB of memory are available") {
		t.Errorf("without room: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for _, parameters := range []string{"", "count=0", "count=10000001", "count=5,x=1", "count=05"} {
		if _, err := provider.PrepareScenario(library(0)(judge.New(provider.Setting{Seed: 1})), startOf(parameters)); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%q: %v, want absent", parameters, err)
		}
	}
}
