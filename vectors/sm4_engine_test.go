package vectors

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"

	"github.com/cryptogauge/cryptogauge/sm4"
)

// engineFile is what the SM4 files of Wycheproof have in common.
type engineFile struct {
	NumberOfTests int
	TestGroups    []struct {
		IVSize, KeySize, TagSize int // bits
		Tests                    []engineVector
	}
}

type engineVector struct {
	ID                         int `json:"tcId"`
	Comment                    string
	Key, IV, AAD, Msg, CT, Tag string
	Result                     string
}

// errEngineSize says that a constructor refused the sizes of a case.
var errEngineSize = errors.New("size refused")

// TestEngineSM4 runs every case of SM4-GCM and SM4-CCM in every implementation of package sm4. None is
// skipped: a case with sizes that the mode doesn't have must be one that Wycheproof calls invalid.
func TestEngineSM4(t *testing.T) {
	for _, tt := range []struct {
		file string
		want int
		new  func(c *sm4.Cipher, nonceSize, tagSize int) (cipher.AEAD, error)
	}{
		{"sm4_gcm_test.json", 104, (*sm4.Cipher).NewGCM},
		{"sm4_ccm_test.json", 184, (*sm4.Cipher).NewCCM},
	} {
		f := readEngineFile(t, tt.file)
		for _, implementation := range sm4.Implementations() {
			t.Run(tt.file+"/"+implementation, func(t *testing.T) {
				run := 0
				for _, g := range f.TestGroups {
					for _, v := range g.Tests {
						run++
						err := v.judge(t, func(key []byte, nonceSize int) (cipher.AEAD, error) {
							c, err := sm4.NewWith(key, implementation)
							if err != nil {
								return nil, err
							}
							return tt.new(c, nonceSize, g.TagSize/8)
						})
						if err != nil {
							t.Errorf("case %d (%s, %s): %v", v.ID, v.Result, v.Comment, err)
						}
					}
				}
				if run != f.NumberOfTests || run != tt.want {
					t.Errorf("ran %d cases, the file says %d, the plan %d", run, f.NumberOfTests, tt.want)
				}
			})
		}
	}
}

func readEngineFile(t *testing.T, name string) (f engineFile) {
	t.Helper()
	b, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// judge wants a valid case to seal and to open, and an invalid one to be refused.
func (v engineVector) judge(t *testing.T, aead func(key []byte, nonceSize int) (cipher.AEAD, error)) error {
	raw := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	key, iv, additional, plain := raw(v.Key), raw(v.IV), raw(v.AAD), raw(v.Msg)
	sealed := append(raw(v.CT), raw(v.Tag)...)
	a, err := aead(key, len(iv))
	if err != nil {
		if v.Result == "invalid" {
			return nil
		}
		return errors.Join(errEngineSize, err)
	}
	got, err := a.Open(nil, iv, sealed, additional)
	if v.Result == "invalid" {
		if err == nil {
			return errors.New("opened")
		}
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(got, plain) {
		return errors.New("opened to something else")
	}
	if !bytes.Equal(a.Seal(nil, iv, plain, additional), sealed) {
		return errors.New("sealed to something else")
	}
	return nil
}
