package render

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/png"
	"slices"
)

// pictureTypes are the media types that are embedded: pictures, which an img
// element shows without running anything.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"}

// Source embeds an artifact of the run; it is empty where the run does not hold it.
func (s *htmlSection) Source(name string) template.URL {
	if s.doc.Run == nil {
		return ""
	}
	for _, a := range s.doc.Run.Artifacts {
		if a.Name == name && slices.Contains(pictureTypes, a.MediaType) {
			return template.URL("data:" + a.MediaType + ";base64," + base64.StdEncoding.EncodeToString(smaller(a.Data)))
		}
	}
	return ""
}

// mostPictureBytes is more than a picture takes unless it looks like noise, which can't be
// compressed, and looks like noise with fewer pixels too.
const mostPictureBytes = 8 << 10

// mostPixels keeps a file of few bytes from claiming all memory.
const mostPixels = 1 << 24

// smaller takes every second pixel of a large PNG, both ways, until it is no longer large.
// Blocks that were equal stay equal.
func smaller(data []byte) []byte {
	for len(data) > mostPictureBytes {
		half := halved(data)
		if half == nil || len(half) >= len(data) {
			break // shown as it is, or not at all, by the browser
		}
		data = half
	}
	return data
}

// halved has every second pixel of a PNG with a palette; nil of anything else.
func halved(data []byte) []byte {
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width*size.Height > mostPixels {
		return nil
	}
	whole, _ := png.Decode(bytes.NewReader(data)) // nil where it is no picture
	from, ok := whole.(*image.Paletted)
	if !ok {
		return nil
	}
	at := from.Bounds()
	to := image.NewPaletted(image.Rect(0, 0, at.Dx()/2, at.Dy()/2), from.Palette)
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			to.SetColorIndex(x, y, from.ColorIndexAt(at.Min.X+2*x, at.Min.Y+2*y))
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if encoder.Encode(&b, to) != nil {
		return nil
	}
	return b.Bytes()
}
