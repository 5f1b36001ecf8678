package library

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// streams are cases of every kind of end, data and length: less than a chunk, a
// short last chunk, whole units, and chunks that do not divide a unit.
func streams(name, mode string) (cs []result.Case) {
	for _, s := range []streaming.Shape{
		{Bytes: 1, Chunk: 4096},
		{Bytes: 4097, Chunk: 4096},
		{Bytes: 1 << 20, Chunk: 4096},
		{Bytes: 2 * streaming.UnitOf(5000), Chunk: 5000},
		{Bytes: 2 << 20, Chunk: 2 << 20},
		{Bytes: 100_000, Chunk: 16 << 10, Compress: true, Data: parameter.Text},
		{Bytes: 1 << 20, Chunk: 256 << 10, Compress: true, Data: parameter.Random},
	} {
		for _, s.File = range []bool{false, true} {
			cs = append(cs, result.Case{Algorithm: name, Mode: mode, Operation: algorithm.Stream, Bytes: s.Bytes, Parameters: s.Parameters()})
		}
	}
	return append(cs, result.Case{Algorithm: name, Mode: mode, Operation: algorithm.Stream, Bytes: 1024})
}

func TestStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	setting := provider.Setting{Seed: 1, Dir: t.TempDir()}
	tests := map[int][]result.Case{0: streams("AES-256", "GCM"), 1: streams("ChaCha20-Poly1305", ""), 2: streams("SM4", "GCM"), established: streams("SM4", "GCM")}
	for i, cs := range tests {
		t.Run(withCiphers(judge.New(setting))[i].Subject().Library, func(t *testing.T) {
			open, judge := library(i), judge.New(setting)
			providertest.Run(t, open(judge), cs)
			for _, c := range cs {
				if c.Bytes > 1<<20 {
					continue
				}
				if err := providertest.Sensitive(open, judge, c); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestStreamRefusals(t *testing.T) {
	all := withCiphers(judge.New(provider.Setting{Seed: 1}))
	for _, c := range []result.Case{
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 1 << 20, Parameters: "chunk=512"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 1<<20 + 1, Parameters: "chunk=4096"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 1 << 20, Parameters: "chunk=04096"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 1 << 20, Parameters: "chunk=4096,io=pipe"},
		{Algorithm: "AES-256", Mode: "CTR", Operation: algorithm.Stream, Bytes: 1 << 20},
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream},
	} {
		if err := providertest.Verify(all[0], c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v: %v, want unsupported", c, err)
		}
	}
	missing := provider.Setting{Seed: 1, Dir: "/nowhere/at/all"}
	c := result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 1 << 20, Parameters: "chunk=4096,io=file"}
	_, err := provider.Prepare(withCiphers(judge.New(missing))[0], c)
	if want := "making a file in /nowhere/at/all: no such file or directory"; err == nil || fmt.Sprint(err) != want {
		t.Errorf("%v, want %q", err, want)
	}
}
