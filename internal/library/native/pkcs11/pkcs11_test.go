//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// A module is initialised once in a process, so what the tests open they open in a process of their own: this binary,
// started again with a role.
const (
	roleVariable = "CRYPTOGAUGE_TEST_ROLE"
	pinVariable  = "CRYPTOGAUGE_TEST_TOKEN"
)

const rightPIN = "4711-0815"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}

// play opens the module with the descriptor 3 as PIN, and does what a role has; it prints what came of it.
func play(role string) int {
	module := modulePath()
	o, err := object.Open(module)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	access := Access{Token: os.Getenv(pinVariable)}
	if role != "no pin" {
		access.PIN = os.NewFile(3, "PIN")
	}
	p, err := Open(o, access, judge.New(provider.Setting{Seed: 7}))
	if err != nil {
		fmt.Println(err)
		return 0
	}
	if role == "cases" {
		err = tryCases(p)
	}
	fmt.Println("opened", p.Subject().Version, err)
	return 0
}

// offered are the cases that a token is asked.
func offered() []result.Case {
	return []result.Case{
		{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign},
		{Algorithm: algorithm.ECDSA256, Operation: algorithm.Sign},
		{Algorithm: algorithm.RSA2048, Mode: algorithm.PKCS1v15, Operation: algorithm.Decrypt},
		{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 1},
		{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 1000},
		{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Decrypt, Bytes: 1024},
		{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEPSHA1, Operation: algorithm.Unwrap},
		keyWrap,
	}
}

var keyWrap = result.Case{Algorithm: algorithm.AES256, Mode: algorithm.KeyWrap, Operation: algorithm.Unwrap}

// tryCases runs every case, from several goroutines too, and holds its output against the judge. What SoftHSM does not
// do must be refused, and what nobody asks of a token absent.
func tryCases(p provider.Provider) error {
	for _, c := range offered() {
		if err := tryCase(p, c); err != nil {
			return fmt.Errorf("%s: %w", c.Name(), err)
		}
	}
	for _, op := range []algorithm.Operation{algorithm.Decrypt, algorithm.Unwrap} {
		sha := result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: op}
		if _, err := p.Open(sha); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "CKR_") {
			return fmt.Errorf("OAEP with SHA-256, %s: %w", op, err)
		}
	}
	for _, c := range []result.Case{
		{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 16},
		{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: 16},
		{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Verify},
		{Algorithm: algorithm.SM4, Mode: algorithm.KeyWrap, Operation: algorithm.Unwrap},
	} {
		if _, err := p.Open(c); !errors.Is(err, provider.ErrAbsent) {
			return fmt.Errorf("%s %s: %w", c.Name(), c.Operation, err)
		}
	}
	return errors.Join(tryLogin(p), tryMade(p.(*token)))
}

// tryLogin: an unwrapping tells how long it took to log in, which no other operation does.
func tryLogin(p provider.Provider) error {
	for _, c := range offered() {
		op, err := p.Open(c)
		if err != nil {
			return err
		}
		recorder, records := op.(provider.Recorder)
		if records != (c.Operation == algorithm.Unwrap) {
			return fmt.Errorf("%s %s records: %v", c.Name(), c.Operation, records)
		}
		if records {
			r, err := recorder.Record()
			if err != nil || len(r.Metrics) != 1 || r.Metrics[0].Name != "login_ns" || !(r.Metrics[0].Value > 0) {
				return fmt.Errorf("%s: %+v, %w", c.Name(), r, err)
			}
		}
		if err := op.Close(); err != nil {
			return err
		}
	}
	return nil
}

func tryCase(p provider.Provider, c result.Case) error {
	const callers = 4
	errs := make([]error, callers)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			op, err := p.Open(c)
			if err != nil {
				errs[i] = err
				return
			}
			errs[i] = errors.Join(op.Run(3), op.Check(), op.Close())
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// tryMade has the token make its key pairs, as one does that takes none.
func tryMade(t *token) error {
	for _, c := range offered() {
		if c.Bytes > 0 || c == keyWrap { // a key that nobody knows judges nothing
			continue
		}
		v, err := t.vectors.Vector(c)
		if err != nil {
			return err
		}
		s, err := t.open()
		if err != nil {
			return err
		}
		s.takesNone = true
		op, err := t.opening(c)(s, c, v)
		if err != nil {
			return fmt.Errorf("made: %s: %w", c.Name(), err)
		}
		if err := errors.Join(op.Run(2), op.Check(), op.Close()); err != nil {
			return fmt.Errorf("made: %s: %w", c.Name(), err)
		}
	}
	return nil
}

// modulePath is SoftHSM's module, "" where it is not installed.
func modulePath() string {
	for _, path := range []string{"/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
		"/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// softHSM makes tokens in a folder of the test's, and returns the environment that finds them.
func softHSM(t *testing.T, labels ...string) (environment []string) {
	t.Helper()
	tool, err := exec.LookPath("softhsm2-util")
	if err != nil || modulePath() == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("softhsm2 is not installed, which CI must have")
		}
		t.Skip("softhsm2 is not installed: apt-get install softhsm2")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "softhsm2.conf")
	if err := os.WriteFile(config, []byte("directories.tokendir = "+dir+"\nobjectstore.backend = file\nlog.level = ERROR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment = append(os.Environ(), "SOFTHSM2_CONF="+config)
	for _, label := range labels {
		cmd := exec.Command(tool, "--init-token", "--free", "--label", label, "--so-pin", "officer-1234", "--pin", rightPIN)
		cmd.Env = environment
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return environment
}

// start plays a role in a process, which is given a file with the PIN.
func start(t *testing.T, environment []string, role, label string, pin *os.File) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(slices.Clone(environment), roleVariable+"="+role, pinVariable+"="+label)
	cmd.ExtraFiles = []*os.File{pin}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", role, err, out)
	}
	return strings.TrimSpace(string(out))
}

func holding(t *testing.T, pin string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "pin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteString(pin); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestToken: every output is the judge's, whoever made the key, and nothing is left in the token.
func TestToken(t *testing.T) {
	if testing.Short() {
		t.Skip("makes keys of RSA for seconds")
	}
	environment := softHSM(t, "lab")
	if got := start(t, environment, "cases", "", holding(t, rightPIN+"\n")); !strings.HasPrefix(got, "opened SoftHSM-2.") || !strings.HasSuffix(got, "<nil>") {
		t.Error(got)
	}
	cmd := exec.Command("find", filepath.Dir(environment[len(environment)-1][len("SOFTHSM2_CONF="):]), "-name", "*.object")
	left, err := cmd.Output()
	if objects := bytes.Count(left, []byte("token.object")); err != nil || objects != 1 || bytes.Count(left, []byte("\n")) != 1 {
		t.Errorf("left in the token: %s", left)
	}
}

// TestWrongPIN: it is tried once. Who comes after finds no PIN, and the token is not locked.
func TestWrongPIN(t *testing.T) {
	environment := softHSM(t, "lab")
	wrong := holding(t, "0000")
	want := reason.New("pkcs11-pin-refused", "lab").Error()
	for range 12 { // more than a token allows
		if got := start(t, environment, "open", "", wrong); got != want {
			t.Fatal(got)
		}
	}
	if info, err := wrong.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("a PIN that was refused is still there: %v, %v", info.Size(), err)
	}
	if got := start(t, environment, "open", "", holding(t, rightPIN)); !strings.HasPrefix(got, "opened") {
		t.Errorf("after a wrong PIN: %s", got)
	}
}

// TestTokens: which token is meant must be clear.
func TestTokens(t *testing.T) {
	environment := softHSM(t, "one", "two")
	for _, c := range []struct {
		label string
		want  string
	}{
		{"two", "opened"},
		{"", "choose one by --token LABEL"},
		{"three", "there are: one, two"},
	} {
		got := start(t, environment, "open", c.label, holding(t, rightPIN))
		got = strings.ReplaceAll(got, "two, one", "one, two") // as the folder has them
		if !strings.Contains(got, c.want) {
			t.Errorf("token %q: %s", c.label, got)
		}
	}
	if got := start(t, environment, "no pin", "one", holding(t, "")); got != reason.New("pkcs11-no-pin", "one").Error() {
		t.Error(got)
	}
	if got := start(t, softHSM(t), "open", "", holding(t, rightPIN)); !strings.Contains(got, filepath.Base(modulePath())+" has no token") {
		t.Error(got)
	}
}
