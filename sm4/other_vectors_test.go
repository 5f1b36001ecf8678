package sm4

import (
	"bytes"
	"crypto/cipher"
	"testing"
)

// The examples of GB/T 17964-2021, as gmsm v0.44.0's tests have them: one text of four blocks, or of three and a half.
func TestStandardModes(t *testing.T) {
	const (
		key  = "2b7e151628aed2a6abf7158809cf4f3c"
		text = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
			"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
	)
	for _, tt := range []struct {
		mode, want string
		forth      func(c *Cipher, dst, src []byte) error
		back       func(c *Cipher, dst, src []byte) error
	}{
		{"ofb", "bc710d762d070b26361da82b54565e4607a0c62834740ad3240d239125e11621" +
			"d476b21cc9f04951f0741d2ef9e094981584fc142bf13aa626b82f9d7d076cce",
			xorStandard((*Cipher).NewOFB), xorStandard((*Cipher).NewOFB)},
		{"bc", "ac529af989a62fce9cddc5ffb84125cafb8cde77339ffe481d113c40bbd5b678" +
			"6ffc9916f98f94ff12d78319707e240428718707605bc1eac503153ebaa0fb1d",
			cryptStandard((*Cipher).NewBCEncrypter), cryptStandard((*Cipher).NewBCDecrypter)},
		{"ofbnlf", "00a5b5c9e645557c20ce7f267736f308a18037828850b9d78883ca622851f86c" +
			"b7caefdfb6d4caba6ae2d2fce369ceb31001dd71fdda9341f8d221cb720ff27b",
			cryptStandard((*Cipher).NewOFBNLFEncrypter), cryptStandard((*Cipher).NewOFBNLFDecrypter)},
		{"hctr", "9cd7481d3b7ca904b14b4084d9d4c83ed39eac8e16747895fc2ae1eecd220276" +
			"af3d0d2f21cb3807561347c81ad138117dd85c652afe16a47dc68eb884068ae3",
			hctrStandard((*HCTR).Encrypt), hctrStandard((*HCTR).Decrypt)},
		{"xts", "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964f" +
			"b4f60fdb0ba42f63499279213d318d2c11f6886e903be7f93a1b3479",
			xtsStandard((*XTS).Encrypt), xtsStandard((*XTS).Decrypt)},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			want := unhex(t, tt.want)
			src, got := unhex(t, text)[:len(want)], make([]byte, len(want))
			c := newTest(t, unhex(t, key), implementation)
			if err := tt.forth(c, got, src); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %x, want %x (%v)", tt.mode, got, want, err)
			}
			if err := tt.back(c, got, got); err != nil || !bytes.Equal(got, src) {
				t.Fatalf("%s back: %x, want %x (%v)", tt.mode, got, src, err)
			}
		})
	}
}

// draft-ribose-cfrg-sm4, appendix A.2.5: CFB in one call and byte by byte.
func TestCFBVector(t *testing.T) {
	key := "0123456789abcdeffedcba9876543210"
	text := "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffaaaaaaaabbbbbbbb"
	want := unhex(t, "ac3236cb861dd316e6413b4e3c7524b769d4c54ed433b9a0346009beb37b2b3f")
	everyImplementation(t, func(t *testing.T, implementation string) {
		c, got := newTest(t, unhex(t, key), implementation), unhex(t, text)
		c.NewCFBEncrypter(standardIV).XORKeyStream(got, got)
		if !bytes.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
		back := c.NewCFBDecrypter(standardIV)
		for i := range got {
			back.XORKeyStream(got[i:], got[i:i+1])
		}
		if !bytes.Equal(got, unhex(t, text)) {
			t.Fatalf("back: %x, want %s", got, text)
		}
	})
}

// The other inputs of these examples: the IV, or the second key, and the tweak.
var (
	standardIV    = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	standardTweak = []byte{0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff}
)

type onStandard = func(c *Cipher, dst, src []byte) error

func xorStandard(mode func(c *Cipher, iv []byte) cipher.Stream) onStandard {
	return func(c *Cipher, dst, src []byte) error {
		mode(c, standardIV).XORKeyStream(dst, src)
		return nil
	}
}

func cryptStandard(mode func(c *Cipher, iv []byte) cipher.BlockMode) onStandard {
	return func(c *Cipher, dst, src []byte) error {
		mode(c, standardIV).CryptBlocks(dst, src)
		return nil
	}
}

func hctrStandard(crypt func(h *HCTR, dst, src, tweak []byte)) onStandard {
	return func(c *Cipher, dst, src []byte) error {
		h, err := c.NewHCTR(standardIV)
		if err == nil {
			crypt(h, dst, src, standardTweak)
		}
		return err
	}
}

func xtsStandard(crypt func(x *XTS, dst, src, tweak []byte)) onStandard {
	return func(c *Cipher, dst, src []byte) error {
		key := append([]byte("\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c"), standardIV...)
		x, err := NewGBXTSWith(key, c.Implementation())
		if c.Implementation() == Implementations()[0] { // the one that nobody has to name
			x, err = NewGBXTS(key)
		}
		if err == nil {
			crypt(x, dst, src, standardTweak)
		}
		return err
	}
}

// Data units by number, in the order of bits of IEEE 1619-2018 and of GB/T 17964-2021.
func TestSectorVectors(t *testing.T) {
	for _, tt := range []struct {
		key      string
		number   uint64
		text     string
		ieee, gb string
	}{
		{"1111111111111111111111111111111122222222222222222222222222222222", 0x3333333333, "4444444444444444444444444444444444444444444444444444444444444444",
			"a74d726c11196a32be04e001ff29d0c7932f9f3ec29bfcb64dd17f63cbd3ea31", "a74d726c11196a32be04e001ff29d0c7724feef81d666ae5afdfe4649544fcf5"},
		{"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222", 0x3333333333, "4444444444444444444444444444444444444444444444444444444444444444",
			"7f76088effadf70c02ea9f95da0628d351bfcb9eac0563bcf17b710dab0a9826", "7f76088effadf70c02ea9f95da0628d3ef2d6a77004beaa9016001d6789dd5a0"},
		{"c46acc2e7e013cb71cdbf750cf76b000249fbf4fb6cd17607773c23ffa2c4330", 94, "7e9c2289cba460e470222953439cdaa892a5433d4dab2a3f67",
			"c3cf5445c64aa518f4abce2848faddfb4605d9fb66f1f12c0c", "4d5501ea41cf6b6532b4b7129c6f6ee74605d9fb66f1f12c0c"},
		{"56ffcc9bbbdf413f0fc0f888f44b7493bb1925a39b8adf02d9009bb16db0a887", 144, "9a839cc14363bafcfc0cc93b14f8e769d35b94cc98267438e3",
			"af027012c829206c32a31706999d046f10a83bcacbc5c96353", "f04f3f16b354cccdc39fc664ec7f8db010a83bcacbc5c96353"},
		{"7454a43b87b1cf0dec95032c22873be3cace3bb795568854c1a008c07c5813f3", 108, "41088fa15195b2733fe824d2c1fdc8306080863945fb2a73cf",
			"614ee9311a53791889338eb2f66fedff7dc15126349bed1465", "791a9469ed5a22d8195ac37c43c1b0377dc15126349bed1465"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			for _, order := range []struct {
				want   string
				create func([]byte, string) (*XTS, error)
			}{{tt.ieee, NewXTSWith}, {tt.gb, NewGBXTSWith}} {
				x, err := order.create(unhex(t, tt.key), implementation)
				if err != nil {
					t.Fatal(err)
				}
				text := unhex(t, tt.text)
				got := make([]byte, len(text))
				x.EncryptSectors(got, text, tt.number, len(text))
				if want := unhex(t, order.want); !bytes.Equal(got, want) {
					t.Errorf("sector %d: %x, want %x", tt.number, got, want)
				}
				x.EncryptSector(text, text, tt.number)
				if !bytes.Equal(got, text) {
					t.Errorf("sector %d alone: %x, want %x", tt.number, text, got)
				}
				x.DecryptSector(text, text, tt.number)
				x.DecryptSectors(got, got, tt.number, len(text))
				if !bytes.Equal(got, text) {
					t.Errorf("sector %d back: %x, want %x", tt.number, got, text)
				}
			}
		})
	}
}

// The inputs of RFC 8452, appendix C, under SM4, as gmsm seals them.
func TestGCMSIVVectors(t *testing.T) {
	for _, tt := range []struct{ key, nonce, additional, text, want string }{
		{"01000000000000000000000000000000", "030000000000000000000000", "",
			"",
			"1a8a0d12690856bd81e73d4b49a484a6"},
		{"01000000000000000000000000000000", "030000000000000000000000", "",
			"0100000000000000",
			"16e66877e329088e4f4d87a1f8258ae12df0f22b62350000"},
		{"01000000000000000000000000000000", "030000000000000000000000", "",
			"0100000000000000000000000000000002000000000000000000000000000000",
			"1ff8e17ed5b38f39f3efc9412fe83ad1ecab6ae733856a6dfae42ab98336b1d6330cdc77414db56d4312f8bfa793e698"},
		{"01000000000000000000000000000000", "030000000000000000000000", "0100000000000000000000000000000002000000",
			"030000000000000000000000000000000400",
			"e5efcfd0069b0b2976871bb962d351ebc0e0ec06fedc4cf0cc9115e77922790723f0"},
		{"b3fed1473c528b8426a582995929a149", "9e9ad8780c8d63d0ab4149c0", "c9882e5386fd9f92ec489c8fde2be2cf97e74e93",
			"9f572c614b4745914474e7c7",
			"b188daf64fe3e4b38a7a58fd7bf88d1ca04cf0f9de6ff3afa3fa7847"},
		{"f901cfe8a69615a93fdf7a98cad48179", "6245709fb18853f68d833640", "7576f7028ec6eb5ea7e298342a94d4b202b370ef9768ec6561c4fe6b7e7296fa859c21",
			"e42a3c02c25b64869e146d7b233987bddfc240871d",
			"53405fa1b85adc9e6fc576d7a119c74bd6f4787049387c276bf06ef5420fb302723d2bc26f"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			key, want := unhex(t, tt.key), unhex(t, tt.want)
			a, err := newTest(t, key, implementation).NewGCMSIV(nil, key)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Seal(nil, unhex(t, tt.nonce), unhex(t, tt.text), unhex(t, tt.additional)); !bytes.Equal(got, want) {
				t.Errorf("%s: %x, want %x", tt.text, got, want)
			}
		})
	}
	if _, err := NewGCMSIV(make([]byte, 15)); err != KeySizeError(15) {
		t.Errorf("a key of 15 bytes: %v", err)
	}
	if a, err := NewGCMSIV(make([]byte, 16)); err != nil || a.NonceSize() != 12 || a.Overhead() != 16 {
		t.Errorf("NewGCMSIV: %v", err)
	}
	if _, err := new(Cipher).NewGCMSIV(nil, make([]byte, 32)); err != KeySizeError(32) {
		t.Errorf("a key of 32 bytes: %v", err)
	}
}
