package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

const sampleText = "what a user has\n"

// userData is data of a user's in an open file of a name, or of none.
func userData(t *testing.T) *provider.Own {
	t.Helper()
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, []byte(sampleText), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err == nil {
		err = os.Remove(name) // what is read is the open file
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	own, err := provider.ReadOwn(f)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// taker is a judge that knows of the user's data, and whose every digest is that of eight bytes of them.
type taker struct {
	noJudge
	setting provider.Setting
}

func (t taker) Setting() provider.Setting { return t.setting }

func (t taker) Digest(result.Case) (string, bool) {
	text := make([]byte, 8)
	if err := t.setting.Own.Fill(text); err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), true
}

func takingBench(s provider.Setting) Bench {
	b := plantedBench(s)
	b.Judge = taker{setting: s}
	return b
}

// TestSampleCrosses: a worker reads the user's data from a descriptor that it inherits, behind other files.
func TestSampleCrosses(t *testing.T) {
	own := userData(t)
	sum := sha256.Sum256([]byte(sampleText[:8]))
	other, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	p, err := Start(Command{Path: os.Args[0], Env: append(os.Environ(), workerVariable+"=taker"), Files: []*os.File{other}, Own: own})
	if err != nil {
		t.Fatal(err)
	}
	inside := InProcess(takingBench)
	for _, p := range []*Process{p, inside} {
		defer p.Stop()
		hello, err := p.Hello(patient(t), provider.Setting{Seed: 7, Own: own}, -1)
		if err != nil || hello.Sample != own.SHA256 {
			t.Fatalf("%+v, %v", hello, err)
		}
		about, err := p.Open(patient(t), 1, trial(""), 0, "")
		if err != nil || about.Digest != hex.EncodeToString(sum[:]) {
			t.Errorf("%+v, %v", about, err)
		}
	}
}

// TestOldWorkersDraw: one that does not speak of the user's data has no rows, and is told from one that lacks a case.
func TestOldWorkersDraw(t *testing.T) {
	p := InProcess(plantedBench)
	defer p.Stop()
	if _, err := p.Hello(patient(t), provider.Setting{Seed: 7, Own: userData(t)}, -1); err != nil {
		t.Fatal(err)
	}
	const says = "the worker does not take the user's data (--sample) and would encrypt others"
	_, err := p.Open(patient(t), 1, trial(""), 0, "")
	if err == nil || fault(err).Kind != Unsupported || err.Error() != says {
		t.Errorf("opened: %v", err)
	}
	if _, err = p.Probe(patient(t), plantSubject, trial("").Case); err == nil || fault(err).Kind != Unsupported || err.Error() != says {
		t.Errorf("probed: %v", err)
	}
	if _, err = p.Probe(patient(t), plantSubject, trial("absent").Case); err == nil || fault(err).Kind != Absent {
		t.Errorf("probed for what it lacks: %v", err)
	}
}

// TestSampleOfOthers: data that can't be read, or are not those that were announced, are refused in a line.
func TestSampleOfOthers(t *testing.T) {
	own := userData(t)
	for _, c := range []struct{ path, sha256, says string }{
		{"/nosuch/data", own.SHA256, "reading the user's data: open /nosuch/data: no such file or directory"},
		{t.TempDir(), own.SHA256, "is a directory"},
		{descriptor(int(own.File.Fd())), strings.Repeat("00", 32), "the user's data are not those that were announced"},
	} {
		var out bytes.Buffer
		in := fmt.Sprintf(`{"id":1,"do":"hello","protocol":1,"cpu":-1,"sample":{"path":%q,"bytes":%d,"sha256":%q}}`, c.path, own.Bytes, c.sha256)
		if err := Serve(strings.NewReader(in+"\n"), &out, takingBench); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, `"fault":{"kind":"failed"`) || !strings.Contains(got, c.says) {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}
