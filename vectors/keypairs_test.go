package vectors

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"
)

// keyPairFile is what Wycheproof's schemas for key pairs have in common.
type keyPairFile struct {
	NumberOfTests int `json:"numberOfTests"`
	TestGroups    []struct {
		keyPairGroup
		Tests []keyPairVector
	} `json:"testGroups"`
}

// keyPairGroup is what the cases of a group share; each schema leaves out most of it.
type keyPairGroup struct {
	PrivateKeyPKCS8 hexBytes        `json:"privateKeyPkcs8"`
	PublicKeyDER    hexBytes        `json:"publicKeyDer"`
	PrivateSeed     hexBytes        `json:"privateSeed"`
	PublicKey       json.RawMessage `json:"publicKey"`
}

// keyPairVector is one case; each schema leaves out most of the fields.
type keyPairVector struct {
	ID                                      int `json:"tcId"`
	Comment, Result                         string
	Msg, Sig, Label, Ctx, Seed, M, EK, C, K hexBytes
	CT                                      hexBytes `json:"ct"`
	Public, Private, Shared, Mu, Rnd        hexBytes
	group                                   keyPairGroup
}

// outcome is what a subject made of a case: whether it accepts it, as it should a
// valid one and should not an invalid one.
type outcome bool

const (
	accepted outcome = true
	refused  outcome = false
)

// keyPairSuite is one file run by one subject.
type keyPairSuite struct {
	file, subject string
	try           func(keyPairVector) outcome
}

func loadKeyPairs(t *testing.T, name string) (all []keyPairVector) {
	t.Helper()
	content, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var f keyPairFile
	if err := json.Unmarshal(content, &f); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	for _, group := range f.TestGroups {
		for _, v := range group.Tests {
			v.group = group.keyPairGroup
			all = append(all, v)
		}
	}
	if len(all) != f.NumberOfTests {
		t.Fatalf("%s says it holds %d cases and holds %d", name, f.NumberOfTests, len(all))
	}
	return all
}

func TestWycheproofKeyPairs(t *testing.T) {
	for _, s := range keyPairSuites {
		t.Run(s.file+"/"+s.subject, func(t *testing.T) { s.run(t) })
	}
}

// run judges every case that skips.txt doesn't excuse. What is acceptable may be
// accepted or refused; that what it leads to is right is the trier's business, which
// refuses anything else.
func (s keyPairSuite) run(t *testing.T) {
	excused := skips(t)
	executed, skipped, wrong := 0, 0, 0
	cases := loadKeyPairs(t, s.file)
	for _, v := range cases {
		if reason, ok := excused[excuse{s.file, s.subject, v.ID}]; ok {
			t.Logf("tcId %d skipped: %s", v.ID, reason)
			skipped++
			continue
		}
		executed++
		var got outcome
		err := recovered(func() error { got = s.try(v); return nil })
		if err != nil || v.Result != "acceptable" && got != (v.Result == "valid") {
			t.Errorf("tcId %d (%s, %s): accepted %v, %v", v.ID, v.Comment, v.Result, got, err)
			wrong++
		}
	}
	t.Logf("%d executed, %d skipped, %d wrong of %d", executed, skipped, wrong, len(cases))
}
