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
// compressed.
const mostPictureBytes = 32 << 10

// mostPixels keeps a file of few bytes from claiming all memory.
const mostPixels = 1 << 24

// smaller takes every second pixel of a large PNG, both ways, which is about what the page
// has room for. Blocks that were equal stay equal.
func smaller(data []byte) []byte {
	if size, err := png.DecodeConfig(bytes.NewReader(data)); len(data) <= mostPictureBytes || err != nil || size.Width*size.Height > mostPixels {
		return data
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return data // shown as it is, or not at all, by the browser
	}
	from, ok := whole.(*image.Paletted)
	if !ok {
		return data
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
		return data
	}
	return b.Bytes()
}
