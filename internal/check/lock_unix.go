//go:build unix

package check

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// lock keeps a second check away while one measures: each would be the other's
// noise. It ends with the process, however that ends. Where the directory can't
// be written to, as with a baseline kept in a repository, there is no lock.
func lock(dir string) (unlock func(), err error) {
	_ = os.MkdirAll(dir, 0o755)
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}, nil
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		f.Close()
		return nil, language.Errorf("another check is measuring on this machine, and would be noise to this one: let it end first",
			"本机正有另一次检查在测量，会干扰此次检查：请等它结束")
	}
	return func() { f.Close() }, nil
}
