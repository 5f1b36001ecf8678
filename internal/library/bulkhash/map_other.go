//go:build !unix

package bulkhash

import (
	"crypto/md5"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

func mapped(*os.File, int64, int64) (digest [md5.Size]byte, err error) {
	return digest, provider.Unsupported("mmap")
}
