package machine

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Key names the kind of machine for baselines: figures of machines with equal
// keys may be compared. It is made of letters, digits, points and hyphens:
// architecture, vendor, model, a hash of the exact model and its features, CPUs.
// Kernel, microcode and memory are left out, since a baseline should survive
// their updates and show what they change.
func Key(f Facts) string {
	exact := fmt.Sprintf("%s|%s|%d|%d|%d|%s", f.CPU.Vendor, f.CPU.Model,
		f.CPU.Family, f.CPU.ModelNumber, f.CPU.Stepping, strings.Join(f.CPU.Features, " "))
	sum := sha256.Sum256([]byte(exact))
	cpus := strconv.FormatFloat(math.Round(f.CPUs()*100)/100, 'f', -1, 64)
	return fmt.Sprintf("%s-%s-%s-%x-%scpu", slug(f.Arch), slug(f.CPU.Vendor), slug(f.CPU.Model), sum[:4], cpus)
}

// slug keeps a key short and fit for a file name.
func slug(text string) string {
	const most = 40
	name := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), ".")
	return cmp.Or(strings.TrimSuffix(name[:min(len(name), most)], "."), "unknown")
}
