package reference

import "testing"

// sp80038a holds SP 800-38A appendix F: one plaintext of four blocks, three keys, five modes.
var sp80038a = struct {
	plaintext, iv, counter string
	keys                   []struct{ name, key, ecb, cbc, cfb, ofb, ctr string }
}{
	plaintext: `6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
		30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710`,
	iv:      "000102030405060708090a0b0c0d0e0f",
	counter: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
	keys: []struct{ name, key, ecb, cbc, cfb, ofb, ctr string }{
		{"AES-128", "2b7e151628aed2a6abf7158809cf4f3c",
			`3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf
			 43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4`,
			`7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
			 73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7`,
			`3b3fd92eb72dad20333449f8e83cfb4a c8a64537a0b3a93fcde3cdad9f1ce58b
			 26751f67a3cbb140b1808cf187a4f4df c04b05357c5d1c0eeac4c66f9ff7f2e6`,
			`3b3fd92eb72dad20333449f8e83cfb4a 7789508d16918f03f53c52dac54ed825
			 9740051e9c5fecf64344f7a82260edcc 304c6528f659c77866a510d9c1d6ae5e`,
			`874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff
			 5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee`},
		{"AES-192", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
			`bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef
			 ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e`,
			`4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a
			 571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd`,
			`cdc80d6fddf18cab34c25909c99a4174 67ce7f7f81173621961a2b70171d3d7a
			 2e1e8a1dd59b88b1c8e60fed1efac4c9 c05f9f9ca9834fa042ae8fba584b09ff`,
			`cdc80d6fddf18cab34c25909c99a4174 fcc28b8d4c63837c09e81700c1100401
			 8d9a9aeac0f6596f559c6d4daf59a5f2 6d9f200857ca6c3e9cac524bd9acc92a`,
			`1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94
			 1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050`},
		{"AES-256", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
			`f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870
			 b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7`,
			`f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d
			 39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b`,
			`dc7e84bfda79164b7ecd8486985d3860 39ffed143b28b1c832113c6331e5407b
			 df10132415e54b92a13ed0a8267ae2f9 75a385741ab9cef82031623d55b1e471`,
			`dc7e84bfda79164b7ecd8486985d3860 4febdc6740d20b3ac88f6ad82a4fb08d
			 71ab47a086e86eedf39d1c5bba97c408 0126141d67f37be8538f5a8be740e484`,
			`601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5
			 2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6`},
	},
}

func TestSP80038AAppendixF(t *testing.T) {
	plaintext, iv, counter := unhex(t, sp80038a.plaintext), unhex(t, sp80038a.iv), unhex(t, sp80038a.counter)
	for _, v := range sp80038a.keys {
		b := aesBlockFor(t, unhex(t, v.key))
		ecb, cbc, cfb, ofb, ctr := unhex(t, v.ecb), unhex(t, v.cbc), unhex(t, v.cfb), unhex(t, v.ofb), unhex(t, v.ctr)
		equal(t, v.name+" F.1 ECB", EncryptECB(b, plaintext), ecb)
		equal(t, v.name+" F.1 ECB decrypted", DecryptECB(b, ecb), plaintext)
		equal(t, v.name+" F.2 CBC", EncryptCBC(b, iv, plaintext), cbc)
		equal(t, v.name+" F.2 CBC decrypted", DecryptCBC(b, iv, cbc), plaintext)
		equal(t, v.name+" F.3 CFB128", EncryptCFB(b, iv, plaintext), cfb)
		equal(t, v.name+" F.3 CFB128 decrypted", DecryptCFB(b, iv, cfb), plaintext)
		equal(t, v.name+" F.4 OFB", OFB(b, iv, plaintext), ofb)
		equal(t, v.name+" F.4 OFB decrypted", OFB(b, iv, ofb), plaintext)
		equal(t, v.name+" F.5 CTR", CTR(b, counter, plaintext), ctr)
		equal(t, v.name+" F.5 CTR decrypted", CTR(b, counter, ctr), plaintext)
	}
}

func TestPaddingIsStrict(t *testing.T) {
	for n := range 50 {
		plaintext := make([]byte, n)
		padded := PadPKCS7(plaintext)
		if len(padded)%BlockSize != 0 || len(padded) <= n || len(padded) > n+BlockSize {
			t.Fatalf("%d bytes are padded to %d", n, len(padded))
		}
		got, err := UnpadPKCS7(padded)
		if err != nil || len(got) != n {
			t.Fatalf("%d bytes come back as %d: %v", n, len(got), err)
		}
		for i := n; i < len(padded)-1; i++ { // every padding byte but the last, which says how many there are
			for difference := 1; difference < 256; difference++ {
				padded[i] ^= byte(difference)
				if _, err := UnpadPKCS7(padded); err == nil {
					t.Errorf("%d bytes, byte %d of the padding %d, accepted", n, i-n, padded[i])
				}
				padded[i] ^= byte(difference)
			}
		}
	}
	for _, wrong := range [][]byte{nil, make([]byte, 16), {1}, append(make([]byte, 15), 17)} {
		if _, err := UnpadPKCS7(wrong); err == nil {
			t.Errorf("%x accepted", wrong)
		}
	}
}

func TestUndefinedSizesPanic(t *testing.T) {
	b := sm4BlockFor(t, make([]byte, 16))
	iv := make([]byte, 16)
	for name, f := range map[string]func(){
		"ECB, half a block": func() { EncryptECB(b, iv[:8]) },
		"ECB, decryption":   func() { DecryptECB(b, iv[:8]) },
		"CBC, half a block": func() { EncryptCBC(b, iv, iv[:8]) },
		"CBC, decryption":   func() { DecryptCBC(b, iv, iv[:8]) },
		"CBC, short IV":     func() { EncryptCBC(b, iv[:12], iv) },
		"CTR, short IV":     func() { CTR(b, iv[:12], iv) },
		"GCM, no nonce":     func() { SealGCM(b, nil, iv, nil) },
	} {
		mustPanic(t, name, f)
	}
}
