package workarounds

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// frame stands around the lines for a caller of Botan in C: the interface, and what the lines
// find there.
const frame = `#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define BOTAN_CIPHER_UPDATE_FLAG_FINAL 1
typedef struct c *botan_cipher_t;
typedef struct b *botan_block_cipher_t;
int botan_cipher_start(botan_cipher_t, const uint8_t *, size_t);
int botan_cipher_update(botan_cipher_t, uint32_t, uint8_t *, size_t, size_t *, const uint8_t *, size_t, size_t *);
int botan_block_cipher_encrypt_blocks(botan_block_cipher_t, const uint8_t *, uint8_t *, size_t);
int lines(botan_cipher_t cipher, botan_block_cipher_t bc, uint64_t hi, uint64_t lo, const uint8_t *nonce, uint8_t *out, const uint8_t *in, size_t len);
int lines(botan_cipher_t cipher, botan_block_cipher_t bc, uint64_t hi, uint64_t lo, const uint8_t *nonce, uint8_t *out, const uint8_t *in, size_t len) {
	size_t written = 0, consumed = 0, used = 0;
	uint8_t buffer[4096];
	(void)cipher, (void)bc, (void)hi, (void)lo, (void)nonce, (void)out, (void)in, (void)len, (void)written, (void)consumed, (void)used, (void)buffer;
`

// TestLines: what the report tells people to write compiles.
func TestLines(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if n := len(All()); n != 4 {
		t.Fatalf("%d workarounds", n)
	}
	for _, l := range All() {
		if l.C == "" || l.Go == "" {
			t.Errorf("%s: %+v", l.Implementation, l)
		}
		if code := l.C + l.Go; strings.Contains(code, "//") || strings.Contains(code, "/*") {
			t.Errorf("%s has a comment, which is in one language: the report says it beside the code", l.Implementation)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc lines() error {\n"+l.Go+"}\n", 0); err != nil {
			t.Errorf("%s in Go: %v", l.Implementation, err)
		}
		if compiler == "" {
			continue
		}
		result := "\treturn 0;\n}\n"
		if strings.HasPrefix(l.C, "int rc") || strings.Contains(l.C, "\nint rc") {
			result = "\treturn rc;\n}\n"
		}
		source := filepath.Join(t.TempDir(), "lines.c")
		if err := os.WriteFile(source, []byte(frame+l.C+result), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", "-o", source+".o", source).CombinedOutput(); err != nil {
			t.Errorf("%s in C: %v: %s", l.Implementation, err, out)
		}
	}
}
