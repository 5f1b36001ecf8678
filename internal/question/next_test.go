package question

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// TestNextKeepsTheNarrowing: a suggested command asks what the run asked, as a shell takes it; what was
// just run is not suggested, nor a flag that the question does not take.
func TestNextKeepsTheNarrowing(t *testing.T) {
	for _, c := range []struct {
		question, typed string
		alone           string
		next            []string
	}{
		{"modes", "run modes --quick --libraries gmsm --sizes=1KiB --operations=encrypt", "cryptogauge run modes --libraries gmsm --sizes 1KiB --operations encrypt",
			[]string{"cryptogauge run modes --sizes 512,8KiB --libraries gmsm --operations encrypt", "cryptogauge run modes --libraries gmsm --sizes 1KiB --operations encrypt"}},
		{"modes", "run --goroutines 4 --libraries 'gmsm", "cryptogauge run modes --libraries ''\\''gmsm'",
			[]string{"cryptogauge run modes --sizes 512,8KiB --libraries ''\\''gmsm'", "cryptogauge run modes --libraries ''\\''gmsm'"}},
		{"modes", "run modes --quick --worker ./w --worker=./v", "cryptogauge run modes --worker ./w --worker ./v",
			[]string{"cryptogauge run modes --sizes 512,8KiB --worker ./w --worker ./v", "cryptogauge run modes --worker ./w --worker ./v"}},
		{"modes", "run modes --libraries gmsm", "cryptogauge run modes --libraries gmsm", []string{"cryptogauge run modes --sizes 512,8KiB --libraries gmsm"}},
		{"modes", "run --quick --sizes @sizes.csv", "cryptogauge run modes", []string{"cryptogauge run modes --sizes 512,8KiB", "cryptogauge run modes"}},
		{"service", "run service --quick --libraries go --output out", "cryptogauge run service --libraries go --output out",
			[]string{"cryptogauge run service --libraries go --output out", "cryptogauge load URL"}}, // load files nothing
		{"messages", "run --quick --sizes @sizes.csv", "cryptogauge run messages --sizes @sizes.csv",
			[]string{"cryptogauge run messages --sizes @sizes.csv"}}, // and not twice
		{"rsa", "run rsa --quick --algorithms RSA-3072 --libraries go,openssl", "cryptogauge run rsa --algorithms RSA-3072 --libraries go,openssl",
			[]string{"cryptogauge run rsa --algorithms RSA-8192 --libraries go,openssl", "cryptogauge run rsa --sizes 190,300 --algorithms RSA-3072 --libraries go,openssl",
				"cryptogauge run signatures --libraries go,openssl"}},
		{"streaming", "run --sizes 64 --dir /data --total 1GiB", "cryptogauge run streaming --dir /data --total 1GiB",
			[]string{"cryptogauge run streaming --chunks 64KiB,1MiB --dir /data --total 1GiB"}},
		{"signatures", "run --sizes 64KiB --libraries go", "cryptogauge run signatures --libraries go",
			[]string{"cryptogauge run signatures --libraries go", "cryptogauge run signatures --algorithms SM2 --libraries go"}},
		{"modes", "run modes --quick --sample rep --library botan=~/b.so", "cryptogauge run modes --sample rep --library botan=~/b.so",
			[]string{"cryptogauge run modes --sizes 512,8KiB --sample rep --library botan=~/b.so", "cryptogauge run modes --sample rep --library botan=~/b.so"}},
		{"rsa", "run rsa --quick --sample rep --library pkcs11=/m.so --token tok1 --pin-file ~/pin", "cryptogauge run rsa --library pkcs11=/m.so --token tok1 --pin-file ~/pin",
			[]string{"cryptogauge run rsa --algorithms RSA-8192 --library pkcs11=/m.so --token tok1 --pin-file ~/pin",
				"cryptogauge run rsa --sizes 190,300 --library pkcs11=/m.so --token tok1 --pin-file ~/pin",
				"cryptogauge run signatures --library pkcs11=/m.so --token tok1 --pin-file ~/pin"}},
	} {
		d := narrowedRun(t, c.question, plan.Selection{Short: true}, "")
		d.Suite, d.Command = c.question, strings.Fields(c.typed)
		if len(d.Command) > 1 && strings.HasPrefix(d.Command[1], "-") {
			d.Suite = "quick"
		}
		d.Layouts, d.Answers, d.Findings, d.Unmeasured = nil, nil, nil, nil
		Answer(d)
		l := layoutOf(d, c.question)
		var got []string
		for _, n := range l.Next {
			got = append(got, n.Command)
			if n.Command == l.Alone && n.Command != "cryptogauge run "+c.question && n.Why.EN == "every size, mode and library" {
				t.Errorf("%s: %s is not %s", c.typed, n.Command, n.Why.EN)
			}
		}
		if l.Alone != c.alone || strings.Join(got, "\n") != strings.Join(c.next, "\n") {
			t.Errorf("%s: %s\n%s\nwant %s\n%s", c.typed, l.Alone, strings.Join(got, "\n"), c.alone, strings.Join(c.next, "\n"))
		}
	}
}

func layoutOf(d *document.Document, question string) layout.Layout {
	for _, l := range d.Layouts {
		if l.Experiment == question {
			return l
		}
	}
	return layout.Layout{}
}
