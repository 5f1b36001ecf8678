package sm4

import (
	"crypto/cipher"
	"os"
	"os/exec"
	"runtime"
	"testing"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// TestWithoutCarryless runs the tests of GCM on a processor that doesn't multiply polynomials, where gmsm's
// own GHASH looks up tables.
func TestWithoutCarryless(t *testing.T) {
	const childVariable = "SM4_WITHOUT_CARRYLESS"
	if os.Getenv(childVariable) == "" {
		if runtime.GOARCH != "amd64" || !kernel.Carryless() {
			t.Skip("GODEBUG takes carry-less multiplication away on amd64 only, and only where it is")
		}
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		const tests = "^(TestWithoutCarryless|TestRFC8998|TestAEADRefuses|TestAEADAppends|TestNoAllocations|TestGCMWraps|TestTagsInPlace)$"
		child := exec.Command(self, "-test.run="+tests, "-test.short", "-test.count=1")
		child.Env = append(os.Environ(), childVariable+"=1", "GODEBUG=cpu.pclmulqdq=off")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if kernel.Carryless() {
		t.Error("GODEBUG=cpu.pclmulqdq=off leaves carry-less multiplication")
	}
	c, err := NewWith(make([]byte, KeySize), fallback)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, byGMSM := aead.(*gmsmGCM); byGMSM {
		t.Error("gmsm is given messages, and looks up tables")
	}
	sealed := aead.Seal(nil, make([]byte, 12), make([]byte, 20<<10), make([]byte, 20<<10))
	if _, err := aead.Open(nil, make([]byte, 12), sealed, make([]byte, 20<<10)); err != nil {
		t.Error(err)
	}
}
