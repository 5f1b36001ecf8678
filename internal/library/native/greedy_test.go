//go:build linux && (amd64 || arm64)

package native

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

//go:embed testdata/greedy.c
var greedySource string

// greedy builds a library whose functions each write so many bytes behind their outputs.
func greedy(t *testing.T, library string, bytes int) (path string) {
	t.Helper()
	real := planted.Installed(t, library)
	return planted.Compile(t, "lib"+library+".so", greedySource, "-D"+library, fmt.Sprintf("-DBYTES=%d", bytes),
		`-DREAL="`+real+`"`, "-Wl,--no-as-needed", real, "-ldl")
}

// greedyCases are of every kind of output that a library leaves.
func greedyCases() (all []result.Case) {
	for _, text := range []string{"AES-128/CTR/encrypt", "AES-128/CBC/encrypt", "AES-128/CBC/decrypt",
		"AES-128/GCM/encrypt", "AES-128/GCM/decrypt",
		"AES-128/GCM/new+encrypt", "AES-128/ECB/encrypt", "AES-128/CBC+HMAC-SHA-256/encrypt", "HMAC-SHA-256//mac",
		"SHA-256//hash", "HKDF-SHA-256//derive"} {
		all = append(all, caseOf(text, 4096))
	}
	for _, text := range []string{"ECDSA-P-256//sign", "RSA-2048/PSS-SHA-256/sign", "RSA-2048/OAEP-SHA-256/encrypt",
		"RSA-2048/OAEP-SHA-256/decrypt", "X25519//agree"} {
		all = append(all, caseOf(text, 0))
	}
	return all
}

func caseOf(text string, bytes int64) result.Case {
	part := strings.Split(text, "/")
	c := result.Case{Algorithm: part[0], Mode: part[1], Operation: part[2], Bytes: bytes}
	if strings.HasPrefix(c.Mode, "CBC+") {
		c.Parameters = parameter.PKCS7Padding
	}
	return c
}

// TestGreedy: whatever a library writes behind its output, by every way across, it is
// found, and how much it was.
func TestGreedy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const bytes = 24
	for _, library := range Names() {
		t.Run(library, func(t *testing.T) {
			b := Asked{Library: library, Path: greedy(t, library, bytes)}.Bench(provider.Setting{Seed: 1})
			found := 0
			for _, p := range b.Providers {
				for _, c := range greedyCases() {
					if library == "libgcrypt" && c.Operation == "hash" {
						continue // whose digest stays in the library's own memory
					}
					found += greedyCase(t, p, c)
				}
			}
			least := len(call.Paths()) * map[string]int{"openssl": 10, "botan": 10, "libgcrypt": 4}[library]
			if found < least {
				t.Errorf("%d outputs were looked at, less than %d", found, least)
			}
		})
	}
}

// greedyCase runs a case once, and counts it where the library offers it.
func greedyCase(t *testing.T, p provider.Provider, c result.Case) int {
	t.Helper()
	op, err := provider.Prepare(p, c)
	if err == nil {
		defer op.Close()
		if err = provider.Guard(func() error { return op.Run(1) }); err == nil {
			err = op.Check()
		}
	}
	if p.Subject().Implementation != "" && errors.Is(err, errors.ErrUnsupported) {
		return 0 // a workaround, which is not offered
	}
	if errors.Is(err, provider.ErrAbsent) {
		return 0
	}
	want := "wrote 24 bytes past the end of its output of "
	if p.Subject().Library == "openssl" { // behind the room of modes of blocks, which others don't have
		want = " bytes past the end of its output of "
	}
	if !errors.Is(err, provider.ErrIncorrect) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s %s: %v", p.Subject().CallPath, c.Name()+" "+c.Operation, err)
	}
	return 1
}
