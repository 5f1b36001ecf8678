package sm4

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	gmcipher "github.com/emmansun/gmsm/cipher"
	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// otherModes are those that take neither blocks one by one nor additional data. Their judges are gmsm's modes over
// gmsm's cipher, and for the streams the standard library's over gmsm's single blocks.
var otherModes = []operation{
	{"ctr at", false, 0, 0,
		func(c *Cipher, in input, dst []byte) error {
			c.NewCTR(in.iv).(*CTR).XORKeyStreamAt(dst, in.src, placeOf(in))
			return nil
		},
		func(b cipher.Block, in input, dst []byte) error {
			counter := new(big.Int).SetBytes(in.iv)
			counter.Add(counter, new(big.Int).SetUint64(placeOf(in)/BlockSize))
			iv := make([]byte, BlockSize)
			counter.And(counter, new(big.Int).SetBytes(bytes.Repeat([]byte{0xff}, BlockSize))).FillBytes(iv)
			s := cipher.NewCTR(b, iv)
			skipped := make([]byte, placeOf(in)%BlockSize)
			s.XORKeyStream(skipped, skipped)
			s.XORKeyStream(dst, in.src)
			return nil
		}},
	{"cfb encrypt", false, 0, 0, stream((*Cipher).NewCFBEncrypter), streamJudge(cfbEncrypter)},
	{"cfb decrypt", false, 0, 0, stream((*Cipher).NewCFBDecrypter), streamJudge(cfbDecrypter)},
	{"ofb", false, 0, 0, stream((*Cipher).NewOFB), streamJudge(ofb)},
	{"bc encrypt", true, 0, 0, blockMode((*Cipher).NewBCEncrypter), blockModeJudge(gmcipher.NewBCEncrypter)},
	{"bc decrypt", true, 0, 0, blockMode((*Cipher).NewBCDecrypter), blockModeJudge(gmcipher.NewBCDecrypter)},
	{"ofbnlf encrypt", true, 0, 0, blockMode((*Cipher).NewOFBNLFEncrypter), ofbnlfJudge(gmcipher.NewOFBNLFEncrypter)},
	{"ofbnlf decrypt", true, 0, 0, blockMode((*Cipher).NewOFBNLFDecrypter), ofbnlfJudge(gmcipher.NewOFBNLFDecrypter)},
	{"hctr encrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			h, err := c.NewHCTR(xtsKey(in)[KeySize:])
			if err == nil {
				h.Encrypt(dst, in.src, in.iv)
			}
			return err
		}, hctrJudge(gmcipher.LengthPreservingMode.EncryptBytes, cipher.Block.Encrypt)},
	{"hctr decrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			h, err := c.NewHCTR(xtsKey(in)[KeySize:])
			if err == nil {
				h.Decrypt(dst, in.src, in.iv)
			}
			return err
		}, hctrJudge(gmcipher.LengthPreservingMode.DecryptBytes, cipher.Block.Decrypt)},
	// GCM-SIV: seal and open find each other by the first four letters.
	{"gsiv seal", false, 0, 16,
		func(c *Cipher, in input, dst []byte) error {
			a, err := c.NewGCMSIV(nil, in.key)
			return seal(a, err, in.iv[:12], dst, in)
		},
		func(_ cipher.Block, in input, dst []byte) error {
			a, err := gmcipher.NewGCMSIV(gmsm.NewCipher, in.key)
			return seal(a, err, in.iv[:12], dst, in)
		}},
	{"gsiv open", false, 0, -16,
		func(c *Cipher, in input, dst []byte) error {
			a, err := c.NewGCMSIV(nil, in.key)
			return open(a, err, in.iv[:12], dst, in)
		},
		func(_ cipher.Block, in input, dst []byte) error {
			a, err := gmcipher.NewGCMSIV(gmsm.NewCipher, in.key)
			return open(a, err, in.iv[:12], dst, in)
		}},
	{"gb xts encrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			x, err := NewGBXTSWith(xtsKey(in), c.Implementation())
			if err == nil {
				x.Encrypt(dst, in.src, in.iv)
			}
			return err
		},
		func(_ cipher.Block, in input, dst []byte) error {
			return xtsJudge(gmcipher.NewGBXTSEncrypter, in, dst)
		}},
	{"gb xts decrypt", false, 16, 0,
		func(c *Cipher, in input, dst []byte) error {
			x, err := NewGBXTSWith(xtsKey(in), c.Implementation())
			if err == nil {
				x.Decrypt(dst, in.src, in.iv)
			}
			return err
		},
		func(_ cipher.Block, in input, dst []byte) error {
			return xtsJudge(gmcipher.NewGBXTSDecrypter, in, dst)
		}},
	{"xts sectors encrypt", false, 16, 0, sectors(NewXTSWith, (*XTS).EncryptSectors), sectorsJudge(gmcipher.NewXTSEncrypter)},
	{"xts sectors decrypt", false, 16, 0, sectors(NewXTSWith, (*XTS).DecryptSectors), sectorsJudge(gmcipher.NewXTSDecrypter)},
	{"gb xts sectors encrypt", false, 16, 0, sectors(NewGBXTSWith, (*XTS).EncryptSectors), sectorsJudge(gmcipher.NewGBXTSEncrypter)},
	{"gb xts sectors decrypt", false, 16, 0, sectors(NewGBXTSWith, (*XTS).DecryptSectors), sectorsJudge(gmcipher.NewGBXTSDecrypter)},
}

//lint:ignore SA1019 they judge
var cfbEncrypter, cfbDecrypter, ofb = cipher.NewCFBEncrypter, cipher.NewCFBDecrypter, cipher.NewOFB

type (
	onCipher = func(c *Cipher, in input, dst []byte) error
	onBlock  = func(b cipher.Block, in input, dst []byte) error
)

// placeOf is where in a key stream a text lies, and which sector it is.
func placeOf(in input) uint64 { return binary.LittleEndian.Uint64(in.iv) }

func stream(mode func(c *Cipher, iv []byte) cipher.Stream) onCipher {
	return func(c *Cipher, in input, dst []byte) error {
		mode(c, in.iv).XORKeyStream(dst, in.src)
		return nil
	}
}

func streamJudge(mode func(b cipher.Block, iv []byte) cipher.Stream) onBlock {
	return func(b cipher.Block, in input, dst []byte) error {
		mode(b, in.iv).XORKeyStream(dst, in.src)
		return nil
	}
}

func blockMode(mode func(c *Cipher, iv []byte) cipher.BlockMode) onCipher {
	return func(c *Cipher, in input, dst []byte) error {
		mode(c, in.iv).CryptBlocks(dst, in.src)
		return nil
	}
}

func blockModeJudge(mode func(b cipher.Block, iv []byte) cipher.BlockMode) onBlock {
	return func(_ cipher.Block, in input, dst []byte) error {
		b, err := gmsm.NewCipher(in.key)
		if err == nil {
			mode(b, in.iv).CryptBlocks(dst, in.src)
		}
		return err
	}
}

func ofbnlfJudge(mode func(create gmcipher.CipherCreator, key, iv []byte) (cipher.BlockMode, error)) onBlock {
	return func(_ cipher.Block, in input, dst []byte) error {
		m, err := mode(gmsm.NewCipher, in.key, in.iv)
		if err == nil {
			m.CryptBlocks(dst, in.src)
		}
		return err
	}
}

// hctrJudge is gmsm, but where a text ends within the first or the second half of a block: there gmsm v0.44.0 hashes
// something else than the text and the tweak, one behind the other.
func hctrJudge(crypt func(m gmcipher.LengthPreservingMode, dst, src []byte), one func(b cipher.Block, dst, src []byte)) onBlock {
	return func(b cipher.Block, in input, dst []byte) error {
		key := xtsKey(in)[KeySize:]
		if len(in.src)%8 != 0 {
			referenceHCTR(func(dst, src []byte) { one(b, dst, src) }, b, key, in, dst)
			return nil
		}
		own, err := gmsm.NewCipher(in.key)
		if err != nil {
			return err
		}
		m, err := gmcipher.NewHCTR(own, in.iv, key)
		if err == nil {
			crypt(m, dst, in.src)
		}
		return err
	}
}

// referenceHCTR follows the definition: one encrypts or decrypts the first block.
func referenceHCTR(one func(dst, src []byte), b cipher.Block, key []byte, in input, dst []byte) {
	in1, in2 := bytes.Clone(in.src[:BlockSize]), in.src[BlockSize:]
	subtle.XORBytes(in1, in1, referenceHash(key, in2, in.iv))
	out1 := make([]byte, BlockSize)
	one(out1, in1)
	for i := 0; i < len(in2); i += BlockSize {
		number := make([]byte, BlockSize)
		binary.BigEndian.PutUint64(number[8:], uint64(i/BlockSize+1))
		subtle.XORBytes(number, number, in1)
		subtle.XORBytes(number, number, out1)
		b.Encrypt(number, number)
		subtle.XORBytes(dst[BlockSize+i:], in2[i:], number)
	}
	subtle.XORBytes(dst, out1, referenceHash(key, dst[BlockSize:len(in.src)], in.iv))
}

func referenceHash(key, text, tweak []byte) []byte {
	all := slices.Concat(text, tweak)
	all = append(all, make([]byte, -len(all)&(BlockSize-1)+8)...)
	all = binary.BigEndian.AppendUint64(all, uint64(len(text)+BlockSize)*8)
	h, sum := loadElement(key), fieldElement{}
	for ; len(all) > 0; all = all[BlockSize:] {
		x, product := sum.add(loadElement(all)), fieldElement{}
		for v, i := h, 0; i < 128; i++ { // SP 800-38D, algorithm 1
			if i < 64 && x.high>>(63-i)&1 == 1 || i >= 64 && x.low>>(127-i)&1 == 1 {
				product = product.add(v)
			}
			carry := v.low & 1
			v = fieldElement{v.high>>1 ^ carry*(0xe1<<56), v.low>>1 | v.high<<63}
		}
		sum = product
	}
	out := binary.BigEndian.AppendUint64(nil, sum.high)
	return binary.BigEndian.AppendUint64(out, sum.low)
}

// sectorOf is the size of the sectors that a text is cut into: for each length another one that divides it.
func sectorOf(in input) int {
	sizes := []int{512, 4096, 48, 17, 2064, 160, 520, 16, 1008, 1024, 33}
	for i := range sizes {
		size := sizes[(i+int(in.iv[15]))%len(sizes)]
		if len(in.src)%size == 0 {
			return size
		}
	}
	return len(in.src)
}

// firstSector makes a number that is often about to wrap.
func firstSector(in input) uint64 {
	if in.iv[14]%2 == 0 {
		return -uint64(in.iv[13] % 40)
	}
	return placeOf(in)
}

func sectors(create func(key []byte, implementation string) (*XTS, error),
	do func(x *XTS, dst, src []byte, number uint64, size int)) onCipher {
	return func(c *Cipher, in input, dst []byte) error {
		x, err := create(xtsKey(in), c.Implementation())
		if err == nil {
			do(x, dst, in.src, firstSector(in), sectorOf(in))
		}
		return err
	}
}

func sectorsJudge(mode xtsConstructor) onBlock {
	return func(b cipher.Block, in input, dst []byte) error {
		size, number := sectorOf(in), firstSector(in)
		for at := 0; at < len(in.src); at += size {
			unit := in
			unit.iv, unit.src = make([]byte, BlockSize), in.src[at:at+size]
			binary.LittleEndian.PutUint64(unit.iv, number)
			if err := xtsJudge(mode, unit, dst[at:at+size]); err != nil {
				return err
			}
			number++
		}
		return nil
	}
}

func FuzzOtherModes(f *testing.F) {
	var names []string
	for _, o := range otherModes {
		names = append(names, o.name)
	}
	fuzzOperation(f, names...)
}

// A text cut into pieces of any lengths is the same text.
func TestPiecesOfOtherModes(t *testing.T) {
	type piecewise struct {
		unit  int
		crypt func(c *Cipher, iv []byte) func(dst, src []byte)
		judge func(b cipher.Block, in input, dst []byte) error
	}
	ofStream := func(mode func(c *Cipher, iv []byte) cipher.Stream) func(*Cipher, []byte) func(dst, src []byte) {
		return func(c *Cipher, iv []byte) func(dst, src []byte) { return mode(c, iv).XORKeyStream }
	}
	ofBlocks := func(mode func(c *Cipher, iv []byte) cipher.BlockMode) func(*Cipher, []byte) func(dst, src []byte) {
		return func(c *Cipher, iv []byte) func(dst, src []byte) {
			m := mode(c, make([]byte, BlockSize))
			m.(interface{ SetIV([]byte) }).SetIV(iv)
			return m.CryptBlocks
		}
	}
	for name, p := range map[string]piecewise{
		"cfb encrypt":    {1, ofStream((*Cipher).NewCFBEncrypter), streamJudge(cfbEncrypter)},
		"cfb decrypt":    {1, ofStream((*Cipher).NewCFBDecrypter), streamJudge(cfbDecrypter)},
		"ofb":            {1, ofStream((*Cipher).NewOFB), streamJudge(ofb)},
		"bc encrypt":     {16, ofBlocks((*Cipher).NewBCEncrypter), blockModeJudge(gmcipher.NewBCEncrypter)},
		"bc decrypt":     {16, ofBlocks((*Cipher).NewBCDecrypter), blockModeJudge(gmcipher.NewBCDecrypter)},
		"ofbnlf encrypt": {16, ofBlocks((*Cipher).NewOFBNLFEncrypter), ofbnlfJudge(gmcipher.NewOFBNLFEncrypter)},
		"ofbnlf decrypt": {16, ofBlocks((*Cipher).NewOFBNLFDecrypter), ofbnlfJudge(gmcipher.NewOFBNLFDecrypter)},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			r := rand.New(rand.NewPCG(61, 61))
			for range 60 {
				in := input{key: random(r, KeySize), iv: random(r, BlockSize), src: random(r, p.unit*r.IntN(9000/p.unit))}
				b, _ := gmsm.NewCipher(in.key)
				want, got := make([]byte, len(in.src)), bytes.Clone(in.src)
				if err := p.judge(judge{b}, in, want); err != nil {
					t.Fatal(err)
				}
				crypt, most := p.crypt(newTest(t, in.key, implementation), in.iv), 1<<r.IntN(13)
				for at := 0; at < len(got); {
					n := min(p.unit*r.IntN(most+1), len(got)-at)
					crypt(got[at:], got[at:at+n])
					at += n
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, %d bytes in pieces of up to %d: wrong", name, len(got), p.unit*most)
				}
			}
		})
	}
}

// XORKeyStreamAt and XORKeyStream don't know of each other.
func TestCTRAtBesideStream(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(62, 62))
		x := newTest(t, random(r, KeySize), implementation).NewCTR(random(r, BlockSize)).(*CTR)
		all := make([]byte, 5000)
		x.XORKeyStreamAt(all, all, 0)
		for at := 0; at < len(all); {
			n := min(r.IntN(300), len(all)-at)
			piece := make([]byte, n)
			x.XORKeyStream(piece, piece)
			if !bytes.Equal(piece, all[at:at+n]) {
				t.Fatalf("%d bytes at %d: wrong", n, at)
			}
			from := r.IntN(len(all))
			piece = make([]byte, len(all)-from)
			x.XORKeyStreamAt(piece, piece, uint64(from))
			if !bytes.Equal(piece, all[from:]) {
				t.Fatalf("from %d: wrong", from)
			}
			at += n
		}
	})
}

func TestPanicsOfOtherModes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, make([]byte, KeySize), implementation)
		iv, buf := make([]byte, BlockSize), make([]byte, 256)
		const overlap, smaller = "crypto/cipher: invalid buffer overlap", "crypto/cipher: output smaller than input"
		misused := func(name string, crypt func(dst, src []byte)) {
			t.Helper()
			mustPanic(t, name, smaller, func() { crypt(buf[:16], buf[:32]) })
			mustPanic(t, name, buffers.Overlap, func() { crypt(buf[1:], buf[:32]) })
			mustPanic(t, name, buffers.Overlap, func() { crypt(buf, buf[16:48]) })
		}
		for name, mode := range map[string]func(iv []byte) cipher.BlockMode{
			"NewBCEncrypter": c.NewBCEncrypter, "NewBCDecrypter": c.NewBCDecrypter,
			"NewOFBNLFEncrypter": c.NewOFBNLFEncrypter, "NewOFBNLFDecrypter": c.NewOFBNLFDecrypter,
		} {
			mustPanic(t, name, "cipher."+name+": IV length must equal block size", func() { mode(iv[:15]) })
			m := mode(iv)
			mustPanic(t, name, "cipher: incorrect length IV", func() { m.(interface{ SetIV([]byte) }).SetIV(iv[:15]) })
			mustPanic(t, name, "crypto/cipher: input not full blocks", func() { m.CryptBlocks(buf, buf[:17]) })
			misused(name, m.CryptBlocks)
			m.CryptBlocks(nil, nil)
			if m.BlockSize() != BlockSize {
				t.Errorf("%s: block size %d", name, m.BlockSize())
			}
		}
		for name, mode := range map[string]func(iv []byte) cipher.Stream{
			"newCFB": c.NewCFBEncrypter, "newCFB ": c.NewCFBDecrypter, "NewOFB": c.NewOFB,
		} {
			mustPanic(t, name, "cipher."+name[:6]+": IV length must equal block size", func() { mode(iv[:15]) })
			misused(name, mode(iv).XORKeyStream)
			mode(iv).XORKeyStream(nil, nil)
		}
		at := c.NewCTR(iv).(*CTR)
		misused("ctr at", func(dst, src []byte) { at.XORKeyStreamAt(dst, src, 3) })
		at.XORKeyStreamAt(nil, nil, 3)
		h, err := c.NewHCTR(iv)
		if err != nil {
			t.Fatal(err)
		}
		misused("hctr", func(dst, src []byte) { h.Encrypt(dst, src, iv) })
		misused("hctr", func(dst, src []byte) { h.Decrypt(dst, src, iv) })
		mustPanic(t, "hctr", "sm4: HCTR input shorter than a block", func() { h.Encrypt(buf, buf[:15], iv) })
		mustPanic(t, "hctr", "sm4: HCTR tweak length must equal block size", func() { h.Decrypt(buf, buf, iv[:12]) })
		if _, err := c.NewHCTR(iv[:15]); err != KeySizeError(15) {
			t.Errorf("a hash key of 15 bytes: %v", err)
		}
		for name, create := range map[string]func([]byte, string) (*XTS, error){"xts": NewXTSWith, "gb xts": NewGBXTSWith} {
			x, err := create(append(make([]byte, 31), 1), implementation)
			if err != nil || x.Implementation() != implementation {
				t.Fatalf("%s: %v", name, err)
			}
			misused(name, func(dst, src []byte) { x.EncryptSectors(dst, src, 1, 16) })
			misused(name, func(dst, src []byte) { x.DecryptSectors(dst, src, 1, 16) })
			mustPanic(t, name, "sm4: XTS sector shorter than a block", func() { x.EncryptSectors(buf, buf, 1, 15) })
			mustPanic(t, name, "sm4: XTS input not full sectors", func() { x.DecryptSectors(buf, buf, 1, 100) })
			x.EncryptSectors(nil, nil, 1, 512)
			if _, err := create(make([]byte, 32), implementation); err == nil {
				t.Errorf("%s took two equal keys", name)
			}
			if _, err := create(make([]byte, 31), implementation); err != KeySizeError(31) {
				t.Errorf("%s took 31 bytes of key: %v", name, err)
			}
			if _, err := create(make([]byte, 32), "abacus"); err == nil {
				t.Errorf("%s took an implementation that doesn't exist", name)
			}
		}
	})
}

func TestNoAllocationsInOtherModes(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		iv, buf := make([]byte, BlockSize), make([]byte, 5000)
		at, h := c.NewCTR(iv).(*CTR), must(c.NewHCTR(iv))
		key := append(make([]byte, 31), 1)
		x, g := must(NewXTSWith(key, implementation)), must(NewGBXTSWith(key, implementation))
		bce, bcd := c.NewBCEncrypter(iv), c.NewBCDecrypter(iv)
		oe, od := c.NewOFBNLFEncrypter(iv), c.NewOFBNLFDecrypter(iv)
		ce, cd, ofb := c.NewCFBEncrypter(iv), c.NewCFBDecrypter(iv), c.NewOFB(iv)
		siv, out := must(c.NewGCMSIV(nil, iv)), make([]byte, 0, 5100)
		for _, n := range []int{16, 48, 80, 1024, 2048, 4992} {
			b := buf[:n]
			sealed := siv.Seal(nil, iv[:12], b, iv)
			for name, f := range map[string]func(){
				"gcm-siv": func() { siv.Seal(out, iv[:12], b, iv); must(siv.Open(out, iv[:12], sealed, iv)) },
				"ctr at":  func() { at.XORKeyStreamAt(b, b, 7); at.XORKeyStreamAt(b[:5], b[:5], 7) },
				"hctr":    func() { h.Encrypt(b, b, iv); h.Decrypt(b, b, iv) },
				"sectors": func() { x.EncryptSectors(b, b, 7, 16); x.DecryptSectors(b, b, 7, n); x.EncryptSector(b, b, 7) },
				"gb xts":  func() { g.Encrypt(b, b, iv); g.DecryptSectors(b, b, 7, 16) },
				"bc":      func() { bce.CryptBlocks(b, b); bcd.CryptBlocks(b, b) },
				"ofbnlf":  func() { oe.CryptBlocks(b, b); od.CryptBlocks(b, b) },
				"cfb":     func() { ce.XORKeyStream(b, b[:n-1]); cd.XORKeyStream(b, b[:n-1]) },
				"ofb":     func() { ofb.XORKeyStream(b, b[:n-1]) },
			} {
				if implementation == fallback && (name == "ofbnlf" || name == "gcm-siv" || name == "ctr at" && c.gmsm.modes().ctr != nil) {
					continue // gmsm makes a cipher for each block or message, and a stream for each call
				}
				if got := testing.AllocsPerRun(3, f); got != 0 {
					t.Errorf("%s of %d bytes: %v allocations", name, n, got)
				}
			}
		}
	})
}

// The counter of GCM-SIV is 32 bits and leaves the rest of the block alone.
func TestGCMSIVWraps(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		c := newTest(t, []byte("sixteen byte key"), implementation)
		if implementation == fallback {
			return // gmsm counts
		}
		m := sivMessage{kernel: c.kernel, enc: c.enc}
		tag := [BlockSize]byte{0xfe, 0xff, 0xff, 0xff, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
		counter, s := newSIVCounter(tag), new(scratch)
		got := bytes.Clone(m.stream(s, &counter, 40))
		got = append(got, m.stream(s, &counter, 16)...)
		for i, first := range []byte{0xfe, 0xff, 0, 1} {
			want := tag
			want[0], want[15] = first, 0x90
			if i >= 2 {
				want[1], want[2], want[3] = 0, 0, 0
			}
			c.Encrypt(want[:], want[:])
			if !bytes.Equal(got[i*BlockSize:][:BlockSize], want[:]) {
				t.Errorf("block %d: wrong", i)
			}
		}
	})
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
