package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
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
		data = fmt.Appendf(data, "ACC-%012d%-16s", id, cities[min(r.IntN(len(cities)), r.IntN(len(cities)))])
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

// A picture is an uncompressed bitmap of 32-bit pixels, as screens and .bmp files
// hold them. What is drawn is a padlock with a gauge on its body: large flat
// areas, whose blocks repeat under ECB, and edges that stay visible because of it.

const (
	pixelSize     = 4
	pictureWidth  = 512 // of the drawn artifact; with pictureHeight, the middle of the 1 MiB bitmap
	pictureHeight = 320
)

// The colours of the drawing, as indices into palette.
const (
	wall = iota
	shackle
	body
	dial
	needle
	marks
)

// palette has 16 colours, so that a PNG takes 4 bits a pixel. The first six are
// the drawing's; encrypted pixels use all.
var palette = color.Palette{
	rgb(0xf4, 0xf1, 0xe8), rgb(0x6b, 0x72, 0x80), rgb(0xd9, 0x8e, 0x04), rgb(0xff, 0xff, 0xff),
	rgb(0xb9, 0x1c, 0x1c), rgb(0x1f, 0x29, 0x37), rgb(0x3b, 0x82, 0xf6), rgb(0x10, 0xb9, 0x81),
	rgb(0xec, 0x48, 0x99), rgb(0x8b, 0x5c, 0xf6), rgb(0x06, 0xb6, 0xd4), rgb(0x84, 0xcc, 0x16),
	rgb(0xfb, 0x92, 0x3c), rgb(0x4b, 0x55, 0x63), rgb(0xfd, 0xe6, 0x8a), rgb(0x1e, 0x3a, 0x8a),
}

func rgb(r, g, b uint8) color.Color { return color.RGBA{r, g, b, 0xff} }

func bitmap(n int) []byte {
	width := 16
	for (2*width)*(2*width)*pixelSize <= n {
		width *= 2
	}
	height := (n + width*pixelSize - 1) / (width * pixelSize)
	data := make([]byte, 0, width*height*pixelSize)
	for y := range height {
		for x := range width {
			// Coordinates from −1 to 1 over the width, the origin in the middle.
			u := (2*float64(x)+1)/float64(width) - 1
			v := (2*float64(y) + 1 - float64(height)) / float64(width)
			r, g, b, _ := palette[colourAt(u, v)].RGBA()
			data = append(data, byte(b>>8), byte(g>>8), byte(r>>8), 0xff)
		}
	}
	return data
}

func colourAt(u, v float64) int {
	bow := math.Hypot(u, v+0.20)
	rim := math.Hypot(u, v-0.20)
	switch {
	case rim < 0.30: // the gauge
		return gaugeAt(u, v-0.20, rim)
	case math.Abs(u) < 0.48 && v > -0.14 && v < 0.54:
		return body
	case v <= -0.20 && bow < 0.36 && bow > 0.24, v > -0.20 && v <= -0.14 && math.Abs(u) < 0.36 && math.Abs(u) > 0.24:
		return shackle
	}
	return wall
}

// gaugeAt draws a round dial with ticks from eight to four o'clock and a needle at two.
func gaugeAt(u, v, r float64) int {
	angle := math.Atan2(v, u)
	tick := math.Abs(math.Remainder(angle, math.Pi/6))
	along, aside := u*math.Cos(-0.6)+v*math.Sin(-0.6), math.Abs(v*math.Cos(-0.6)-u*math.Sin(-0.6))
	switch {
	case r > 0.275 || r < 0.035:
		return marks
	case along > 0 && along < 0.24 && aside < 0.016:
		return needle
	case r > 0.22 && tick*r < 0.010 && (v < 0.14):
		return marks
	}
	return dial
}

func PlainPicture(pixels []byte) ([]byte, error) {
	return picture(pixels, func(p []byte) uint8 { return uint8(palette.Index(rgb(p[2], p[1], p[0]))) })
}

// EncryptedPicture shows the same part of its ciphertext. Four bits of each
// pixel choose the colour: enough to see what repeats, and a small file.
func EncryptedPicture(pixels []byte) ([]byte, error) {
	return picture(pixels, func(p []byte) uint8 { return p[0] >> 4 })
}

func picture(pixels []byte, colour func(pixel []byte) uint8) ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, pictureWidth, pictureHeight), palette)
	height := len(pixels) / (pictureWidth * pixelSize)
	first := (height - pictureHeight) / 2 * pictureWidth * pixelSize
	for i := range img.Pix {
		img.Pix[i] = colour(pixels[first+i*pixelSize:][:pixelSize])
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(&out, img)
	return out.Bytes(), err
}

// MostOwn is how many bytes of their own users may give: each worker reads them whenever it starts.
const MostOwn = 16 << 20

// Own is data of the user's: as many bytes as a case has, from the beginning on, again and again where it has more.
type Own struct {
	result.OwnData
	// File holds them and is read and never written: it has no place in any folder, or none that matters.
	File *os.File
}

// ReadOwn reads the data of a file once, to say how many there are and which.
func ReadOwn(f *os.File) (*Own, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(f, 0, MostOwn+1))
	return &Own{result.OwnData{Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, f}, err
}

// Known is what a run file says of the data; nil where there are none.
func (o *Own) Known() *result.OwnData {
	if o == nil {
		return nil
	}
	return &o.OwnData
}

// Fill overwrites a text with the data.
func (o *Own) Fill(text []byte) error {
	first := text[:min(int64(len(text)), o.Bytes)]
	if _, err := o.File.ReadAt(first, 0); err != nil {
		return fmt.Errorf("reading the user's data: %w", err)
	}
	for n := len(first); n < len(text); n *= 2 {
		copy(text[n:], text[:n])
	}
	return nil
}
