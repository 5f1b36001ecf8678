//go:build !unix

package worker

import "os"

// EndWith does nothing here: a worker ends when it next reads its input.
func EndWith(*os.File, func()) {}
