package decide

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// ReadFile reads a workload file, and the histograms that it names beside it.
func ReadFile(name string) (*Workload, error) {
	const most = 1 << 20
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(Needs, Need(name)) {
		return nil, language.Errorf("%s: there is no such file; the need is --%s", "%s：没有这个文件；需要请写作 --%s", name, name)
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if len(data) > most {
		return nil, language.Errorf("%s: a workload is a file of at most 1 MiB", "%s：工作负载文件最大 1 MiB", name)
	}
	return Parse(name, data, func(sizes string) ([]result.SizeShare, error) {
		if !filepath.IsAbs(sizes) {
			sizes = filepath.Join(filepath.Dir(name), sizes)
		}
		return OpenSizes(sizes)
	})
}

// OpenSizes reads the histogram of sizes in a file.
func OpenSizes(name string) ([]result.SizeShare, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, language.Errorf("sizes @%s: %w", "sizes @%s：%s", name, err)
	}
	defer file.Close()
	return plan.ReadHistogram(name, file)
}
