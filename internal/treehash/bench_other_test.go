//go:build !linux || !(amd64 || arm64)

package treehash

// openReadClose opens, reads and closes a file.
func openReadClose(p *place, b *batch, e *entry, room []byte) {
	f, err := p.open(b, e)
	if err != nil {
		return
	}
	defer f.close()
	for at := int64(0); ; {
		n, err := f.readAt(room, at)
		if at += int64(n); err != nil || n < len(room) {
			return
		}
	}
}
