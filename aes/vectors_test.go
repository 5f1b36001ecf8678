package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/crypto/xts"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// SP 800-38A, appendix F: F.1 (ECB), F.2 (CBC) and F.5 (CTR), for each length of keys.
func TestSP80038A(t *testing.T) {
	plain := unhex(t, "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"+
		"30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710")
	iv := unhex(t, "000102030405060708090a0b0c0d0e0f")
	counter := unhex(t, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
	for _, tt := range []struct{ key, ecb, cbc, ctr string }{
		{"2b7e151628aed2a6abf7158809cf4f3c",
			"3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf 43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4",
			"7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2 73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7",
			"874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff 5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
			"bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e",
			"4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a 571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd",
			"1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94 1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			"f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870 b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7",
			"f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d 39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b",
			"601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5 2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			c := newTest(t, unhex(t, tt.key), implementation)
			out := make([]byte, len(plain))
			check := func(name, want string) {
				if !bytes.Equal(out, unhex(t, want)) {
					t.Errorf("%s: %x, want %s", name, out, want)
				}
			}
			c.EncryptBlocks(out, plain)
			check("ECB", tt.ecb)
			c.DecryptBlocks(out, out)
			check("ECB back", hex.EncodeToString(plain))
			cipher.NewCBCEncrypter(c, iv).CryptBlocks(out, plain)
			check("CBC", tt.cbc)
			cipher.NewCBCDecrypter(c, iv).CryptBlocks(out, out)
			check("CBC back", hex.EncodeToString(plain))
			cipher.NewCTR(c, counter).XORKeyStream(out, plain)
			check("CTR", tt.ctr)
		})
	}
}

// Test cases 3, 4 and 16 of the specification of GCM that SP 800-38D refers to.
func TestGCMSpecification(t *testing.T) {
	plain := "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
	const additional = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	nonce := unhex(t, "cafebabefacedbaddecaf888")
	for _, tt := range []struct{ key, plain, additional, want string }{
		{"feffe9928665731c6d6a8f9467308308", plain, "",
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985" +
				"4d5c2af327cd64a62cf35abd2ba6fab4"},
		{"feffe9928665731c6d6a8f9467308308", plain[:120], additional,
			"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091" +
				"5bc94fbc3221a5db94fae95ae7121a47"},
		{"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", plain[:120], additional,
			"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" +
				"76fc6ece0f4e1768cddf8853bb2d551b"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			a := newGCM(newTest(t, unhex(t, tt.key), implementation))
			got := a.Seal(nil, nonce, unhex(t, tt.plain), unhex(t, tt.additional))
			if !bytes.Equal(got, unhex(t, tt.want)) {
				t.Fatalf("sealed\n%x, want\n%s", got, tt.want)
			}
			if back, err := a.Open(nil, nonce, got, unhex(t, tt.additional)); err != nil || !bytes.Equal(back, unhex(t, tt.plain)) {
				t.Fatalf("opened %x (%v)", back, err)
			}
		})
	}
}

// IEEE 1619-2018, appendix B: vectors 2, 3 and 15, the last with a part of a block. SP 800-38E has none.
func TestIEEE1619(t *testing.T) {
	for _, tt := range []struct {
		key1, key2  string
		sector      uint64
		plain, want string
	}{
		{strings.Repeat("11", 16), strings.Repeat("22", 16), 0x3333333333, strings.Repeat("44", 32),
			"c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"},
		{"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", strings.Repeat("22", 16), 0x3333333333, strings.Repeat("44", 32),
			"af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"},
		{"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", 0x123456789a, "000102030405060708090a0b0c0d0e0f10",
			"6c1625db4671522d3d7599601de7ca09ed"},
	} {
		everyImplementation(t, func(t *testing.T, implementation string) {
			x, err := NewXTSWith(unhex(t, tt.key1+tt.key2), implementation)
			if err != nil {
				t.Fatal(err)
			}
			plain := unhex(t, tt.plain)
			got := make([]byte, len(plain))
			x.EncryptSector(got, plain, tt.sector)
			if !bytes.Equal(got, unhex(t, tt.want)) {
				t.Errorf("sector %x: %x, want %s", tt.sector, got, tt.want)
			}
			x.DecryptSector(got, got, tt.sector)
			if !bytes.Equal(got, plain) {
				t.Errorf("sector %x: %x came back", tt.sector, got)
			}
		})
	}
}

// Sectors against x/crypto, which shares no code with this package.
func TestSectors(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(71, 71))
		for _, n := range []int{16, 64, 512, 520, 528, 4096, 65536, 65536 + 4096} {
			n &^= BlockSize - 1
			for range 20 {
				key := random(r, []int{32, 64}[r.IntN(2)])
				x, err := NewXTSWith(key, implementation)
				if err != nil {
					t.Fatal(err)
				}
				y, err := xts.NewCipher(aes.NewCipher, key)
				if err != nil {
					t.Fatal(err)
				}
				plain, sector := random(r, n), binary.LittleEndian.Uint64(random(r, 8))
				got, want := make([]byte, n), make([]byte, n)
				x.EncryptSector(got, plain, sector)
				y.Encrypt(want, plain, sector)
				if !bytes.Equal(got, want) {
					t.Fatalf("sector %x of %d bytes: wrong", sector, n)
				}
				x.DecryptSector(got, got, sector)
				if !bytes.Equal(got, plain) {
					t.Fatalf("sector %x of %d bytes does not come back", sector, n)
				}
			}
		}
	})
}
