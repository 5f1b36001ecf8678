package reference

import (
	"math/big"
	"testing"
)

// The key pairs of the vectors: two of RSA Laboratories' files for PKCS #1 v2.1 and v1.5, two of NIST's CAVP, of which
// one is public only.
var (
	rsaLabsCrypt = RSAKey{
		N: hexInt("a8b3b284af8eb50b387034a860f146c4919f318763cd6c5598c8ae4811a1e0abc4c7e0b082d693a5e7fced675cf46685" +
			"12772c0cbc64a742c6c630f533c8cc72f62ae833c40bf25842e984bb78bdbf97c0107d55bdb662f5c4e0fab9845cb514" +
			"8ef7392dd3aaff93ae1e6b667bb3d4247616d4f5ba10d4cfd226de88d39f16fb"),
		E: big.NewInt(65537),
		D: hexInt("53339cfdb79fc8466a655c7316aca85c55fd8f6dd898fdaf119517ef4f52e8fd8e258df93fee180fa0e4ab29693cd83b" +
			"152a553d4ac4d1812b8b9fa5af0e7f55fe7304df41570926f3311f15c4d65a732c483116ee3d3d2d0af3549ad9bf7cbf" +
			"b78ad884f84d5beb04724dc7369b31def37d0cf539e9cfcdd3de653729ead5d1"),
	}
	rsaLabsSign = RSAKey{
		N: hexInt("a56e4a0e701017589a5187dc7ea841d156f2ec0e36ad52a44dfeb1e61f7ad991d8c51056ffedb162b4c0f283a12a88a3" +
			"94dff526ab7291cbb307ceabfce0b1dfd5cd9508096d5b2b8b6df5d671ef6377c0921cb23c270a70e2598e6ff89d19f1" +
			"05acc2d3f0cb35f29280e1386b6f64c4ef22e1e1f20d0ce8cffb2249bd9a2137"),
		E: big.NewInt(65537),
		D: hexInt("33a5042a90b27d4f5451ca9bbbd0b44771a101af884340aef9885f2a4bbe92e894a724ac3c568c8f97853ad07c0266c8" +
			"c6a3ca0929f1e8f11231884429fc4d9ae55fee896a10ce707c3ed7e734e44727a39574501a532683109c2abacaba283c" +
			"31b4bd2f53c3ee37e352cee34f9e503bd80c0622ad79c6dcee883547c6a3b325"),
	}
	cavpPSS = RSAKey{
		N: hexInt("bcb47b2e0dafcba81ff2a2b5cb115ca7e757184c9d72bcdcda707a146b3b4e29989ddc660bd694865b932b71ca24a335" +
			"cf4d339c719183e6222e4c9ea6875acd528a49ba21863fe08147c3a47e41990b51a03f77d22137f8d74c43a5a45f4e9e" +
			"18a2d15db051dc89385db9cf8374b63a8cc88113710e6d8179075b7dc79ee76b"),
		E: big.NewInt(65537),
		D: hexInt("383a6f19e1ea27fd08c7fbc3bfa684bd6329888c0bbe4c98625e7181f411cfd0853144a3039404dda41bce2e31d588ec" +
			"57c0e148146f0fa65b39008ba5835f829ba35ae2f155d61b8a12581b99c927fd2f22252c5e73cba4a610db3973e019ee" +
			"0f95130d4319ed413432f2e5e20d5215cdd27c2164206b3f80edee51938a25c1"),
	}
	cavpPKCS1v15 = RSAKey{
		N: hexInt("a3ecf80ff1804833c36a89a1583f58ef3332476a50a153e73ced17796139636045c131a6b17222ba8848f70150b18dfa" +
			"390bfb1670ae982dfbc311fd0ede055564687af3805ca883944bb5ac9ec19b0e0cfbd9a314d70b17080c3d49b50cbf41" +
			"7062eb41bd639d67a5fb330ec55a0489fee08eeec97ed487c114b20393fe0aef"),
		E: big.NewInt(0x1001),
	}
)

func TestRSAOAEPExample(t *testing.T) { // RSA Laboratories, oaep-vect.txt, example 1.1
	seed := unhex(t, "18b776ea21069d69776a33e96bad48e1dda0a5ef")
	msg := unhex(t, "6628194e12073db03ba94cda9ef9532397d50dba79b987004afefe34")
	want := unhex(t, `354fe67b4a126d5d35fe36c777791a3f7ba13def484e2d3908aff722fad468fb21696de95d0be911c2d3174f8afcc201
		035f7b6d8e69402de5451618c21a535fa9d7bfc5b8dd9fc243f8cf927db31322d6e881eaa91a996170e657a05a266426
		d98c88003f8477c1227094a0d9fa1e8c4024309ce1ecccb5210035d47ac72e8a`)
	got, err := RSAEncryptOAEP(rsaLabsCrypt, SHA1, seed, nil, msg)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "ciphertext", got, want)
	checkDecrypt(t, rsaLabsCrypt, want, msg, func(c []byte) ([]byte, error) { return RSADecryptOAEP(rsaLabsCrypt, SHA1, nil, c) })
}

func TestRSAPKCS1v15EncryptionExample(t *testing.T) { // RSA Laboratories, pkcs1v15crypt-vectors.txt, example 1.3
	k := rsaLabsCrypt
	msg := unhex(t, "d94ae0832e6445ce42331cb06d531a82b1db4baad30f746dc916df24d4e3c2451fff59a6423eb0e1d02d4fe646cf699dfd818c6e97b051")
	ciphertext := unhex(t, `709c7d2d4598c96065b6588da2f89fa87f062d7241ef6595898f637ada57eae90173f0fb4bf6a91ebd96506907c853da
		cf208494be94d313a04185d474a907412effc3e024d07e4d09aa245fbcb130219bfa5de02d4f7e2ec9e62e8ad32dee5f
		f4d8e4cfecbc5033a1c2c61c5233ae16192a481d0075bfc7ce028212cd27bebe`)
	checkDecrypt(t, k, ciphertext, msg, func(c []byte) ([]byte, error) { return RSADecryptPKCS1v15(k, c) })
	em, err := k.Raise(ciphertext, k.D)
	if err != nil {
		t.Fatal(err)
	}
	got, err := RSAEncryptPKCS1v15(k, em[2:k.size()-1-len(msg)], msg)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "encrypted with the same filling", got, ciphertext)
}

func TestRSAPSSExamples(t *testing.T) {
	for _, v := range []struct {
		name           string
		k              RSAKey
		hash           func([]byte) []byte
		salt, msg, sig string
	}{
		{"RSA Laboratories, pss-vect.txt, example 1.1", rsaLabsSign, SHA1, "dee959c7e06411361420ff80185ed57f3e6776af",
			`cdc87da223d786df3b45e0bbbc721326d1ee2af806cc315475cc6f0d9c66e1b62371d45ce2392e1ac92844c310102f15
			6a0d8d52c1f4c40ba3aa65095786cb769757a6563ba958fed0bcc984e8b517a3d5f515b23b8a41e74aa867693f90dfb0
			61a6e86dfaaee64472c00e5f20945729cbebe77f06ce78e08f4098fba41f9d6193c0317e8b60d4b6084acb42d29e3808
			a3bc372d85e331170fcbf7cc72d0b71c296648b3a4d10f416295d0807aa625cab2744fd9ea8fd223c42537029828bd16
			be02546f130fd2e33b936d2676e08aed1b73318b750a0167d0`,
			`9074308fb598e9701b2294388e52f971faac2b60a5145af185df5287b5ed2887e57ce7fd44dc8634e407c8e0e4360bc2
			26f3ec227f9d9e54638e8d31f5051215df6ebb9c2f9579aa77598a38f914b5b9c1bd83c4e2f9f382a0d0aa3542ffee65
			984a601bc69eb28deb27dca12c82c2d4c3f66cd500f1ff2b994d8a4e30cbb33c`},
		{"CAVP, SigGenPSS, 1024 bits, SHA-1", cavpPSS, SHA1, "6f2841166a64471d4f0b8ed0dbb7db32161da13b",
			`1248f62a4389f42f7b4bb131053d6c88a994db2075b912ccbe3ea7dc611714f14e075c104858f2f6e6cfd6abdedf015a
			821d03608bf4eba3169a6725ec422cd9069498b5515a9608ae7cc30e3d2ecfc1db6825f3e996ce9a5092926bc1cf61aa
			42d7f240e6f7aa0edb38bf81aa929d66bb5d890018088458720d72d569247b0c`,
			`682cf53c1145d22a50caa9eb1a9ba70670c5915e0fdfde6457a765de2a8fe12de9794172a78d14e668d498acedad6165
			04bb1764d094607070080592c3a69c343d982bd77865873d35e24822caf43443cc10249af6a1e26ef344f28b9ef6f14e
			09ad839748e5148bcceb0fd2aa63709cb48975cbf9c7b49abc66a1dc6cb5b31a`},
		{"CAVP, SigGenPSS, 1024 bits, SHA-256", cavpPSS, SHA256, "6f2841166a64471d4f0b8ed0dbb7db32161da13b",
			`1248f62a4389f42f7b4bb131053d6c88a994db2075b912ccbe3ea7dc611714f14e075c104858f2f6e6cfd6abdedf015a
			821d03608bf4eba3169a6725ec422cd9069498b5515a9608ae7cc30e3d2ecfc1db6825f3e996ce9a5092926bc1cf61aa
			42d7f240e6f7aa0edb38bf81aa929d66bb5d890018088458720d72d569247b0c`,
			`7b1d37278e549898d4084e2210c4a9961edfe7b5963550cca1904248c8681513539017820f0e9bd074b9f8a067b9feff
			f7f1fa20bf2d0c75015ff020b2210cc7f79034fedf68e8d44a007abf4dd82c26e8b00393723aea15abfbc22941c8cf79
			481718c008da713fb8f54cb3fca890bde1137314334b9b0a18515bfa48e5ccd0`},
	} {
		digest, salt, want := v.hash(unhex(t, v.msg)), unhex(t, v.salt), unhex(t, v.sig)
		got, err := RSASignPSS(v.k, v.hash, digest, salt)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, v.name, got, want)
		checkVerify(t, v.k, want, func(sig []byte) error { return RSAVerifyPSS(v.k, v.hash, len(salt), digest, sig) })
	}
}

func TestRSAPKCS1v15SignatureExamples(t *testing.T) {
	for _, v := range []struct {
		name       string
		k          RSAKey
		digestInfo func([]byte) []byte
		hash       func([]byte) []byte
		msg, sig   string
	}{
		{"RSA Laboratories, pkcs1v15sign-vectors.txt, example 1.3", rsaLabsSign, digestInfoSHA1, SHA1,
			`a4b159941761c40c6a82f2b80d1b94f5aa2654fd17e12d588864679b54cd04ef8bd03012be8dc37f4b83af7963faff0d
			fa225477437c48017ff2be8191cf3955fc07356eab3f322f7f620e21d254e5db4324279fe067e0910e2e81ca2cab31c7
			45e67a54058eb50d993cdb9ed0b4d029c06d21a94ca661c3ce27fae1d6cb20f4564d66ce4767583d0e5f060215b59017
			be85ea848939127bd8c9c4d47b51056c031cf336f17c9980f3b8f5b9b6878e8b797aa43b882684333e17893fe9caa6aa
			299f7ed1a18ee2c54864b7b2b99b72618fb02574d139ef50f019c9eef416971338e7d470`,
			`0b1f2e5180e5c7b4b5e672929f664c4896e50c35134b6de4d5a934252a3a245ff48340920e1034b7d5a5b524eb0e1cf1
			2befef49b27b732d2c19e1c43217d6e1417381111a1d36de6375cf455b3c9812639dbc27600c751994fb61799ecf7da6
			bcf51540afd0174db4033188556675b1d763360af46feeca5b60f882829ee7b2`},
		{"CAVP, SigGen15, 1024 bits, SHA-1", cavpPKCS1v15, digestInfoSHA1, SHA1,
			`1018469fda81f41922cfdb2dca679f7f3a286f11ba448ab71e4e02cca994c0242caec9416e57c0cad07cab383193fad3
			102ec5ddf0d0550d01ffe63ffc9aab694f6d13d17a034b7db9bb04ebe31e76039270a44a8485e25841d7958cfed53bfe
			c27dabb5c72c9d1b23b56cada7b11bf7081797c03c0d3b8227fd991d77ea78cb`,
			`147a8797d9d653f52d210135f61bbdfe59698d755b076230f2b252e7792c86121469fab7b410789df4f193a76e8be99a
			2162e422c6a56106fa4e2fe5abafc542ff1a899d8580f9f6b4cd29a8310cd34964ce22bbad9618d97e4c36695b246bdd
			0c0d5d0c75d044265e6f275a272718b0c2b93974dc76ddcca985bef994ce67bd`},
		{"CAVP, SigGen15, 1024 bits, SHA-256", cavpPKCS1v15, DigestInfoSHA256, SHA256,
			`dfce08b64b9ea4014947012670548da4ceeee084dbfe509aac92bf096982b8050153bbdd1c5bd4385226729e9a19773b
			05558ce0acdfb74be6fd2fa8bfe36f58a68e89f066f1bd85584f4a27d6e884abf2d727ae683bebd6d295585b1b71dcc6
			36491bf910a68670c3882fc60c08db7bff3c59f4f95b13c3d721e329657528d9`,
			`8d9d30a87df0c2f6cd651fcaf2b9ac1296287ad3d4b03132e330f08ab701fc197040d0a261f631e7e34478b592551e1f
			682395c9e2b54c8ce8b0c72c1b5a79748cc34f9152730a7f67fae1225a4ce750f1d5d4e288176df197e7503c88b5baec
			ef3abcf2875f111e6d7f7b4dc8afa2ed3c1d7ad8e7cf45a77f0b1cb178518402`},
	} {
		info, sig := v.digestInfo(v.hash(unhex(t, v.msg))), unhex(t, v.sig)
		checkVerify(t, v.k, sig, func(sig []byte) error { return RSAVerifyPKCS1v15(v.k, info, sig) })
		if v.k.D == nil {
			continue
		}
		got, err := RSASignPKCS1v15(v.k, info)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, v.name, got, sig)
	}
}

// TestDigestInfo holds the prefixes against RFC 8017 §9.2, note 1, which prints them.
func TestDigestInfo(t *testing.T) {
	for _, v := range []struct {
		wrap   func([]byte) []byte
		size   int
		prefix string
	}{
		{digestInfoSHA1, 20, "3021300906052b0e03021a05000414"},
		{DigestInfoSHA256, 32, "3031300d060960864801650304020105000420"},
		{DigestInfoSHA512, 64, "3051300d060960864801650304020305000440"},
	} {
		digest := newSource("digest info").bytes(v.size)
		equal(t, v.prefix, v.wrap(digest), append(unhex(t, v.prefix), digest...))
	}
}
