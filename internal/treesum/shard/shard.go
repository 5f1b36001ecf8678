// Package shard shares out the names of a manifest among runs that know nothing of each other, and says in a comment
// what part of a manifest a file holds.
//
// A name belongs to shard K of N where the first eight bytes of its SHA-256, taken as a big-endian number, leave K
// when divided by N. So every run comes to the same share, whatever there is besides that name.
package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// A Shard is a share of all names: number Index, from 0, of so many.
type Shard struct{ Index, Of int }

// Whole is all names.
var Whole = Shard{0, 1}

// Number says which of n shards a name belongs to.
func Number(name []byte, n int) int {
	sum := sha256.Sum256(name)
	return int(binary.BigEndian.Uint64(sum[:]) % uint64(n))
}

// Has says whether a name belongs to the shard.
func (s Shard) Has(name []byte) bool { return Number(name, s.Of) == s.Index }

func (s Shard) String() string { return strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Of) }

// Most is how many shards there may be: each part is a file that is open while all are merged.
const Most = 1 << 16

// Variables hold the number of a job among its like: of an Indexed Job of Kubernetes, and of a job array of Slurm.
var variables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"}

// own stands for the number that the environment gives.
const own = "auto"

// Parse reads what --shard says: 3/16, or auto/16, where the environment says which one.
func Parse(flag string, getenv func(string) string) (Shard, error) {
	first, second, ok := strings.Cut(flag, "/")
	of, err := number(second)
	if !ok || err != nil || of < 1 || of > Most {
		return Shard{}, malformed(flag)
	}
	if first == own {
		return fromEnvironment(of, getenv)
	}
	index, err := number(first)
	if err != nil {
		return Shard{}, malformed(flag)
	}
	if index >= of {
		return Shard{}, language.Errorf("%q: shards are counted from 0: the last of %d is %d/%[2]d",
			"%q：分片从 0 起编号：%d 个分片的最后一个是 %d/%[2]d", flag, of, of-1)
	}
	return Shard{index, of}, nil
}

// number reads decimal digits, and no sign.
func number(digits string) (int, error) {
	n, err := strconv.ParseUint(digits, 10, 31)
	return int(n), err
}

func malformed(flag string) error {
	return language.Errorf("%q: say which shard of how many, from 0/16 to 15/16, or auto/16 where %s says which",
		"%q：请给出第几个分片与分片总数，如 0/16 至 15/16；编号由 %s 给出时用 auto/16", flag, choice(" or ", " 或 "))
}

// choice lists the variables.
func choice(en, zh string) language.Text {
	return language.Text{EN: strings.Join(variables, en), ZH: strings.Join(variables, zh)}
}

func fromEnvironment(of int, getenv func(string) string) (Shard, error) {
	var from, value string
	for _, name := range variables {
		v := getenv(name)
		switch {
		case v == "":
		case from == "":
			from, value = name, v
		case v != value:
			return Shard{}, language.Errorf("auto/%d: %s is %q and %s is %q; say which shard, as in 0/%[1]d",
				"auto/%d：%s 为 %q，而 %s 为 %q；请写明分片编号，如 0/%[1]d", of, from, value, name, v)
		}
	}
	if from == "" {
		return Shard{}, language.Errorf("auto/%d: neither %s is set; say which shard, as in 0/%[1]d",
			"auto/%d：%s 均未设置；请写明分片编号，如 0/%[1]d", of, choice(" nor ", "、"))
	}
	index, err := number(value)
	if err != nil || index >= of {
		return Shard{}, language.Errorf("auto/%d: %s is %q; it must be from 0 to %d",
			"auto/%d：%s 为 %q；应在 0 至 %d 之间", of, from, value, of-1)
	}
	return Shard{index, of}, nil
}
