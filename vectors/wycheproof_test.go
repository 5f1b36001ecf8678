package vectors

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"
)

// file is what Wycheproof's schemas for AEADs, MACs and unauthenticated ciphers have in common.
type file struct {
	NumberOfTests int `json:"numberOfTests"`
	TestGroups    []struct {
		TagSize int `json:"tagSize"` // in bits
		Tests   []vector
	} `json:"testGroups"`
}

// vector is one case; each schema leaves out some of the fields.
type vector struct {
	ID                     int `json:"tcId"`
	Comment                string
	Key, IV, AAD, Msg, Tag hexBytes
	Ciphertext             hexBytes `json:"ct"`
	Result                 string
	tagSize                int // in bytes, from the group
}

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

func (v vector) valid() bool { return v.Result == "valid" }

// load returns all cases of a file, and fails unless there are as many as it says.
func load(t *testing.T, name string) []vector {
	t.Helper()
	content, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var f file
	if err := json.Unmarshal(content, &f); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	var all []vector
	for _, group := range f.TestGroups {
		for _, v := range group.Tests {
			if v.Result != "valid" && v.Result != "invalid" { // "acceptable" would need a rule; no file here has it
				t.Fatalf("%s tcId %d: result %q", name, v.ID, v.Result)
			}
			v.tagSize = group.TagSize / 8
			all = append(all, v)
		}
	}
	if len(all) != f.NumberOfTests {
		t.Fatalf("%s says it holds %d cases and holds %d", name, f.NumberOfTests, len(all))
	}
	return all
}

// recovered turns a panic into an error, so that one case can't hide the rest.
func recovered(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}
