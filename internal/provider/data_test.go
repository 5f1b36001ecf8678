package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestDataGolden: the same seed gives the same bytes, on every machine and in
// every version.
func TestDataGolden(t *testing.T) {
	var got strings.Builder
	for _, seed := range []uint64{0, 7} {
		for _, kind := range Kinds() {
			for _, n := range []int{0, 1, 63, 64, 1000, 1 << 20} {
				data := Data(seed, kind, n)
				if len(data) != n || cap(data) != n {
					t.Errorf("%s: %d bytes with room for %d, want %d", kind, len(data), cap(data), n)
				}
				sum := sha256.Sum256(data)
				fmt.Fprintf(&got, "%d %s %d %s\n", seed, kind, n, hex.EncodeToString(sum[:]))
			}
		}
	}
	golden(t, "testdata/data.golden", got.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update rewrites it", file)
	}
}

func TestDataFollowsTheSeed(t *testing.T) {
	for _, kind := range []parameter.Kind{parameter.Random, parameter.Records, parameter.Text} {
		if bytes.Equal(Data(1, kind, 4096), Data(2, kind, 4096)) {
			t.Errorf("%s: two seeds give the same bytes", kind)
		}
		if !bytes.HasPrefix(Data(1, kind, 4096), Data(1, kind, 100)) {
			t.Errorf("%s: a shorter text is not the beginning of a longer one", kind)
		}
	}
}

func TestRecordsHaveFieldsOfABlock(t *testing.T) {
	data := Data(1, parameter.Records, 100*recordSize)
	seen := map[string]bool{}
	for row := range slices.Chunk(data, recordSize) {
		if !bytes.HasPrefix(row, []byte("ACC-")) || seen[string(row[:16])] {
			t.Fatalf("a row begins with %q", row[:16])
		}
		seen[string(row[:16])] = true
	}
}

func TestPlainPictureIsTheDrawing(t *testing.T) {
	data, err := PlainPicture(Data(1, parameter.Bitmap, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != pictureWidth || size.Y != pictureHeight {
		t.Errorf("the picture is %v", size)
	}
	for _, p := range []struct{ x, y, colour int }{{5, 5, wall}, {180, 80, shackle}, {150, 290, body}, {256, 250, dial}, {256, 211, marks}, {280, 195, needle}} {
		if got := palette.Index(img.At(p.x, p.y)); got != p.colour {
			t.Errorf("at %d,%d is colour %d, want %d", p.x, p.y, got, p.colour)
		}
	}
}
