//go:build !linux || !(amd64 || arm64)

package treehash

// openReadClose opens, reads and closes a file, with or without a look at it.
func openReadClose(p *place, b *batch, e *entry, room []byte, look bool) {
	f, err := p.open(b, e)
	if err != nil {
		return
	}
	defer f.close()
	for at := int64(0); ; {
		n, err := f.readAt(room, at)
		if at += int64(n); err != nil || n < len(room) {
			break
		}
	}
	if look {
		_, _ = f.look()
	}
}
