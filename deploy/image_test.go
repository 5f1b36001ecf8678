//go:build linux

package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestImage: what the Dockerfile copies into an empty image runs there, as its user, who may write to nothing but the
// folder that is mounted; and what it becomes to speak to stores lies beside it.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, for programs that are built")
	}
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^FROM scratch$`).Match(text) || !regexp.MustCompile(`(?m)^USER 65532:65532$`).Match(text) ||
		!regexp.MustCompile(`(?m)^ENTRYPOINT \["/usr/local/bin/cryptogauge"\]$`).Match(text) {
		t.Errorf("the image is another:\n%s", text)
	}
	copied := regexp.MustCompile(`(?m)^COPY (.*) (/\S+/)$`).FindStringSubmatch(string(text))
	if copied == nil {
		t.Fatalf("nothing is copied:\n%s", text)
	}
	if os.Getuid() != 0 {
		t.Skip("an empty root takes root")
	}
	root := t.TempDir()
	for _, folder := range []string{copied[2], "/work", "/proc"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name := range strings.FieldsSeq(copied[1]) {
		if err := os.Link(filepath.Join(programs(t), name), filepath.Join(root, copied[2], name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(root+"/work", 65532, 65532); err != nil {
		t.Fatal(err)
	}
	for dir := root; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) { // so that its user comes in
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := func(args ...string) (string, error) {
		cmd := exec.Command(filepath.Join(copied[2], "cryptogauge"), args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		cmd.Dir, cmd.Env = "/work", []string{"HOME=/work", "TMPDIR=/work", "PATH=" + copied[2]}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"version"}, "linux"},
		{[]string{"run", "modes", "--algorithms", "SM4", "--modes", "CTR", "--libraries", "gmsm", "--sizes", "1KiB", "--blocks", "8", "--rounds", "1",
			"--output", "/work/results", "--quiet"}, "/work/results/"},
		{[]string{"report", "--fleet", "sqlite:/work/runs.sqlite", "--price", "/work/prices.csv"}, "prices.csv"}, // of the program beside
	} {
		out, err := in(c.args...)
		if (err != nil) != slices.Contains(c.args, "report") || !strings.Contains(out, c.want) || strings.Contains(out, "cryptogauge-store is not in") {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
}
