package provider

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
)

// The kinds of input data are parameters of cases. Their bytes follow from the seed,
// the kind and the length alone, and a shorter text is the beginning of a longer one
// but for parameter.Bitmap, which is a picture of the size asked for.

func Kinds() []parameter.Kind {
	return []parameter.Kind{parameter.Records, parameter.Text, parameter.Zeros, parameter.Bitmap, parameter.Random}
}

// Data returns n bytes of a kind. Its capacity is its length: a library that
// appends to its input can't write into what others share.
func Data(seed uint64, kind parameter.Kind, n int) []byte {
	source := seeded.Source(seed, "data/"+string(kind))
	var data []byte
	switch kind {
	case parameter.Random:
		data = make([]byte, n)
		_, _ = source.Read(data) // never fails
	case parameter.Records:
		data = records(rand.New(source), n)
	case parameter.Text:
		data = text(rand.New(source), n)
	case parameter.Zeros:
		data = make([]byte, n)
	case parameter.Bitmap:
		data = bitmap(n)
	default:
		panic(fmt.Sprintf("provider: internal error: no data of kind %q", kind))
	}
	return slices.Clip(data[:n])
}

const recordSize = 64

// records draws rows of fixed layout. Of the four 16-byte fields the first is
// unique and the others repeat, as they do in any table; a field starts where a
// cipher's block starts, as it does in any database page.
func records(r *rand.Rand, n int) []byte {
	data := make([]byte, 0, n+recordSize)
	for id := uint64(1); len(data) < n; id++ {
		data = append(data, "ACC-"...)
		data = fmt.Appendf(data, "%012d", id)
		data = fmt.Appendf(data, "%-16s", cities[min(r.IntN(len(cities)), r.IntN(len(cities)))])
		data = fmt.Appendf(data, "%-8s%-8s", states[min(r.IntN(len(states)), r.IntN(len(states)))], currencies[r.IntN(len(currencies))])
		data = binary.BigEndian.AppendUint64(data, uint64(r.IntN(500))*100) // whole amounts, in cents
		data = append(data, 0, 0, 0, 0, 0, 0, 0, 0)                         // reserved
	}
	return data
}

var (
	cities = []string{"Beijing", "Shanghai", "Guangzhou", "Shenzhen", "Chengdu", "Hangzhou", "Wuhan", "Nanjing",
		"Berlin", "Paris", "London", "New York", "Tokyo", "Singapore", "Nairobi", "Lima"}
	states     = []string{"ACTIVE", "CLOSED", "FROZEN", "PENDING"}
	currencies = []string{"CNY", "EUR", "USD"}
)

func text(r *rand.Rand, n int) []byte {
	data := make([]byte, 0, n+128)
	for len(data) < n {
		sentence := len(data)
		for word := range 6 + r.IntN(10) {
			if word > 0 {
				data = append(data, ' ')
			}
			data = append(data, words[min(r.IntN(len(words)), r.IntN(len(words)))]...)
		}
		data[sentence] -= 'a' - 'A'
		data = append(data, '.', " \n"[r.IntN(2)])
	}
	return data
}

var words = []string{"the", "of", "and", "a", "to", "in", "is", "that", "for", "it", "was", "on", "are", "as", "with",
	"be", "by", "at", "this", "have", "from", "or", "one", "had", "not", "but", "what", "all", "were", "when", "we",
	"there", "can", "an", "your", "which", "their", "said", "if", "each", "key", "block", "cipher", "message",
	"measure", "clock", "sample", "machine", "between", "because", "another", "nothing", "question", "answer"}
