package render

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// privateRun names a home, paths, a machine and a user wherever a run can.
func privateRun() *result.Run {
	f := documenttest.NewFixture(15, 3)
	cbc := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
	wrong := f.Trial("modes", documenttest.SM4("GCM", 1024), documenttest.TJFOC, documenttest.Plan{NS: 5000})
	f.Group("modes", "SM4", "", []int{cbc, wrong}, result.Pair{Base: cbc, Other: wrong, Headline: true})
	f.Status(wrong, result.Crashed, "exec /home/alice/acme secret/worker: no such file; /srv/acme/x is not there, on buildhost7 by alice")
	run := f.End()
	run.Trials[cbc].Note = "read from /data/acme/file"
	run.End.Reason = "modes stopped: /mnt/acme is full"
	h := &run.Header
	h.Command = []string{"run", "modes", "--libraries", "gmsm", "--output", "acme-results", "--dir=/data/acme", "--sizes", "@acme.csv",
		"--library", "openssl=/home/alice/acme/libcrypto.so.3", "--seed", "7"}
	h.Environment = []string{"LD_LIBRARY_PATH=/home/alice/acme/lib:/opt/acme/lib", "OPENSSL_CONF=/Users/alice/acme/openssl.cnf", "GOGC=50"}
	h.Libraries = append(h.Libraries,
		result.Library{Library: "openssl", Version: "3.0.22", CallPath: "purego", Path: "/home/alice/acme secret/libcrypto.so.3", SHA256: "00"},
		result.Library{Library: "openssl", Version: "3.2.1", CallPath: "purego", Path: "/root/acme/libcrypto.so.3"},
		result.Library{Library: "botan", CallPath: "purego", Missing: "alice: /home/alice/acme secret/libcrypto.so.3 is built for arm64, and this machine is amd64"})
	return run
}

func TestWithoutHome(t *testing.T) {
	run := privateRun()
	before := privateRun()
	out := document.WithoutHome(run, "/srv/acme")
	if !reflect.DeepEqual(run.Header, before.Header) || !reflect.DeepEqual(run.Statuses, before.Statuses) {
		t.Error("the run itself was changed")
	}
	if got := out.Header.Command[10]; got != "openssl=~/acme/libcrypto.so.3" {
		t.Error(got)
	}
	if got := strings.Join(out.Header.Environment, " "); got != "LD_LIBRARY_PATH=~/acme/lib:/opt/acme/lib OPENSSL_CONF=~/acme/openssl.cnf GOGC=50" {
		t.Error(got)
	}
	if got := out.Statuses[0].Reason; !strings.Contains(got, "exec ~/acme secret/worker: no such file; ~/x is not there") {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"/homework/x": "/homework/x", "/home/alice": "~", "in /home/alice, or": "in ~, or", "/srv/acme2/x": "/srv/acme2/x", "/srv/acme": "~", "/root": "~",
		"/rootless/x": "/rootless/x", `C:\Users\alice\x`: `~\x`, "GB/T 32907": "GB/T 32907", "/var/root/x": "~/x", "name /home": "name /home", "": "",
	} {
		run := &result.Run{Header: result.Header{Suite: text}}
		if got := document.WithoutHome(run, "/srv/acme").Header.Suite; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for name, write := range writers {
		text := render(t, write, []*document.Document{withLayouts(document.Build(document.WithoutHome(privateRun(), "")))}, Options{})
		for _, secret := range []string{"/home/", "/Users/", "/root"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %s", name, secret)
			}
		}
	}
}

func TestWithoutNames(t *testing.T) {
	out := document.WithoutNames(document.WithoutHome(privateRun(), ""), document.Names{Host: "buildhost7", User: "alice"})
	if want := []string{"run", "modes", "--libraries", "gmsm", "--seed", "7"}; !slices.Equal(out.Header.Command, want) {
		t.Errorf("%q", out.Header.Command)
	}
	write := map[string]bool{}
	for name, writer := range writers {
		write[name] = true
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			text := render(t, writer, []*document.Document{withLayouts(document.Build(out))}, Options{Lang: lang})
			for _, secret := range []string{"acme", "alice", "buildhost7", "/opt", "/data", "~/", "secret/"} {
				if strings.Contains(text, secret) {
					at := strings.Index(text, secret)
					t.Errorf("%s, %s holds %q: %q", name, lang, secret, text[max(0, at-60):min(len(text), at+40)])
				}
			}
		}
	}
	if page := render(t, WriteHTML, []*document.Document{withLayouts(document.Build(out))}, Options{}); strings.Contains(page, "acme") || strings.Contains(page, "alice") {
		t.Error("the page holds a name")
	}
	if len(write) < 5 || !strings.Contains(render(t, WriteText, []*document.Document{document.Build(out)}, Options{}), "gmsm") {
		t.Error("too little is left")
	}
	// What names nothing stays as it is.
	plain := documenttest.FullRun()
	if got := document.WithoutNames(document.WithoutHome(plain, "/home/x"), document.Names{Host: "localhost", User: "root"}); !reflect.DeepEqual(got.Trials, plain.Trials) ||
		!reflect.DeepEqual(got.Statuses, plain.Statuses) || !reflect.DeepEqual(got.Samples, plain.Samples) {
		t.Error("a run without names was changed")
	}
}
