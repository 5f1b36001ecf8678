package sm4

import (
	"encoding/binary"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// EncryptSector is Encrypt with the number of a sector as its tweak, the lowest byte first.
func (x *XTS) EncryptSector(dst, src []byte, sector uint64) {
	t := sectorTweak(sector)
	x.Encrypt(dst, src, t[:])
}

// DecryptSector is the inverse of EncryptSector.
func (x *XTS) DecryptSector(dst, src []byte, sector uint64) {
	t := sectorTweak(sector)
	x.Decrypt(dst, src, t[:])
}

func sectorTweak(sector uint64) (t [BlockSize]byte) {
	binary.LittleEndian.PutUint64(t[:], sector)
	return t
}

// EncryptSectors encrypts sectors of size bytes each, one behind the other, into dst, which may be the same, as
// EncryptSector does each: number is that of the first one, and they count on modulo 2⁶⁴. A sector has 16 bytes or
// more. It panics where src isn't whole sectors, lengths don't fit or buffers overlap.
func (x *XTS) EncryptSectors(dst, src []byte, number uint64, size int) {
	checkSectors(dst, src, size)
	x.sectors(encrypt, dst[:len(src)], src, number, size)
}

// DecryptSectors is the inverse of EncryptSectors.
func (x *XTS) DecryptSectors(dst, src []byte, number uint64, size int) {
	checkSectors(dst, src, size)
	x.sectors(decrypt, dst[:len(src)], src, number, size)
}

func checkSectors(dst, src []byte, size int) {
	if size < BlockSize {
		panic("sm4: XTS sector shorter than a block")
	}
	if len(src)%size != 0 {
		panic("sm4: XTS input not full sectors")
	}
	buffers.Check(dst, src)
}

const (
	// sectorsAtOnce is how many sectors' tweaks are encrypted at once.
	sectorsAtOnce = 32
	// mostJoined is the longest sector that is encrypted together with others: what is longer fills the kernels.
	mostJoined = scratchText / 2
)

func (x *XTS) sectors(d direction, dst, src []byte, number uint64, size int) {
	join := size <= mostJoined && size%BlockSize == 0
	var places [sectorsAtOnce * BlockSize]byte
	for len(src) > 0 {
		n := min(len(src)/size, sectorsAtOnce)
		units := places[:n*BlockSize]
		x.encryptPlaces(units, number)
		number += uint64(n)
		switch all := n * size; {
		case join && n > 1:
			x.data.joined(d, dst[:all], src[:all], units, x.order)
		default:
			x.data.units(d, dst[:all], src[:all], units, x.order)
		}
		dst, src = dst[n*size:], src[n*size:]
	}
}

// encryptPlaces fills units with the tweaks, encrypted, of the sectors from number on.
func (x *XTS) encryptPlaces(units []byte, number uint64) {
	for i := 0; i < len(units); i += BlockSize {
		binary.LittleEndian.PutUint64(units[i:], number)
		binary.LittleEndian.PutUint64(units[i+8:], 0)
		number++
	}
	if x.tweak.kernel != kernel.None {
		x.tweak.kernel.ECB(&x.tweak.enc, units, units)
		return
	}
	for i := 0; i < len(units); i += BlockSize {
		x.tweak.one((*[BlockSize]byte)(units[i:]), units[i:])
	}
}

// units encrypts or decrypts as many data units of one length as there are tweaks, which are encrypted.
func (c *Cipher) units(d direction, dst, src, tweaks []byte, o bitOrder) {
	size := len(src) / (len(tweaks) / BlockSize)
	for ; len(src) > 0; tweaks = tweaks[BlockSize:] {
		t := [BlockSize]byte(tweaks)
		if d == encrypt {
			c.encryptUnit(dst[:size], src[:size], &t, o)
		} else {
			c.decryptUnit(dst[:size], src[:size], &t, o)
		}
		dst, src = dst[size:], src[size:]
	}
}

// joined is units for units of whole blocks that are too short to fill the kernels one by one.
func (c *Cipher) joined(d direction, dst, src, units []byte, o bitOrder) {
	size := len(src) / (len(units) / BlockSize)
	at := scratchText / size * size
	s := scratches.Get().(*scratch)
	defer s.release(at)
	for len(src) > 0 {
		n := min(len(src), at)
		in, mask := s.in[:n], s.mask[:n]
		for i := 0; i < n; i += size {
			t := [BlockSize]byte(units)
			tweaks(mask[i:i+size], &t, o)
			units = units[BlockSize:]
		}
		c.masked(d, dst[:n], src[:n], in, mask)
		dst, src = dst[n:], src[n:]
	}
}
