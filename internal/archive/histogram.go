package archive

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// digits are the significant digits with which histograms are kept: those with which they were recorded, so that
// nothing is lost.
const digits = 3

// encodeHistogram is a distribution in HdrHistogram's V2 compressed form (Base64 of zlib); nil where it holds what
// that can't, such as a value below zero.
func encodeHistogram(buckets [][2]int64) []byte {
	highest := int64(2)
	for _, b := range buckets {
		if b[0] < 0 || b[1] < 0 || b[0] > math.MaxInt64/4 {
			return nil
		}
		highest = max(highest, b[0])
	}
	h := hdrhistogram.New(1, highest, digits)
	for _, b := range buckets {
		if h.RecordValues(b[0], b[1]) != nil {
			return nil
		}
	}
	encoded, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil || h.TotalCount() == 0 {
		return nil
	}
	return encoded
}
