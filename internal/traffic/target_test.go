package traffic

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// TestBodies: a body is right that is the one wanted, or that repeats it to its length, however it comes in pieces.
func TestBodies(t *testing.T) {
	const piece = "abcdefg"
	long := strings.Repeat(piece, 10_000)
	for _, test := range []struct {
		body    string
		repeats int64
		right   bool
	}{
		{piece, 0, true}, {piece[:6], 0, false}, {piece + "a", 0, false}, {"abcdefx", 0, false}, {"", 0, false},
		{long, int64(len(long)), true}, {long[:len(long)-3], int64(len(long)) - 3, true}, {piece[:3], 3, true},
		{long, int64(len(long)) - 1, false}, {long[:len(long)-1], int64(len(long)), false},
		{long[:50_000] + "x" + long[50_001:], int64(len(long)), false}, {long[1:] + "a", int64(len(long)), false},
	} {
		for _, come := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.OneByteReader} {
			j := newJudge(&Target{Want: []byte(piece), Repeats: test.repeats})
			answer := &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(come(strings.NewReader(test.body)))}
			n, err := j.read(answer)
			if (err == nil) != test.right || err != nil && KindOf(err) != WrongBody || n != int64(len(test.body)) {
				t.Errorf("%d bytes of %d: %d, %v", len(test.body), test.repeats, n, err)
			}
		}
	}
}

// TestOpenedBodies: what a body holds is compared once it is opened, and what can't be opened is wrong.
func TestOpenedBodies(t *testing.T) {
	open := func(dst, body []byte) ([]byte, error) {
		inside, found := bytes.CutPrefix(body, []byte("sealed "))
		if !found {
			return nil, errors.New("it is not sealed")
		}
		return append(dst, inside...), nil
	}
	for body, right := range map[string]bool{"sealed abc": true, "sealed abd": false, "abc": false, "": false, "sealed ": false} {
		j := newJudge(&Target{Want: []byte("abc"), Open: open})
		for range 2 { // the room of the first is used again
			answer := &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}
			_, err := j.read(answer)
			if (err == nil) != right || err != nil && KindOf(err) != WrongBody {
				t.Errorf("%q: %v", body, err)
			}
			if string(j.whole) != body {
				t.Errorf("%q is kept of %q", j.whole, body)
			}
		}
	}
}
