package price

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

func TestReadRefuses(t *testing.T) {
	const header = "machine,vcpu_hour,currency\n"
	for _, c := range []struct{ name, file, want string }{
		{"an empty file", "", `p.csv:1:1: the file is empty; give CSV with the header line "machine,vcpu_hour,currency"`},
		{"no prices", header, "p.csv:1:1: no price stands below the first line"},
		{"another header", "name,price\na,1\n", `p.csv:1:1: the first line must be "machine,vcpu_hour" or "machine,vcpu_hour,currency", and is "name,price"`},
		{"a field too many", header + "a,1,USD,x\n", "p.csv:2:1: 4 fields; give 3, as the first line has"},
		{"a field too few", header + "a,1,USD\nb,2\n", "p.csv:3:1: 2 fields; give 3, as the first line has"},
		{"a word for a number", header + "a,cheap,USD\n", `p.csv:2:3: vcpu_hour "cheap": give the price of a vCPU for an hour, a number above 0, e.g. 0.042`},
		{"nothing", header + "a,0,USD\n", `p.csv:2:3: vcpu_hour "0": give the price of a vCPU for an hour, a number above 0, e.g. 0.042`},
		{"infinity", header + "a,Inf,USD\n", `p.csv:2:3: vcpu_hour "Inf": give the price of a vCPU for an hour, a number above 0, e.g. 0.042`},
		{"hexadecimal", header + "a,0x1p3,USD\n", `p.csv:2:3: vcpu_hour "0x1p3": give the price of a vCPU for an hour, a number above 0, e.g. 0.042`},
		{"no name", header + ",1,USD\n", "p.csv:2:1: machine is empty; give its key, its label or its product"},
		{"a name twice", header + "a,1,USD\nb,2,USD\nA,3,USD\n", `p.csv:4:1: "A" has a price on line 2 already`},
		{"two currencies", header + "a,1,USD\n\nb,2,EUR\n", `p.csv:4:5: currency "EUR", and line 2 has "USD"; give all prices in one`},
		{"a sentence for a currency", header + "a,1,US dollars\n", `p.csv:2:5: currency "US dollars": give a code such as USD or CNY`},
		{"a quotation mark", header + "a,\"1,USD\n", "p.csv:2:10: a quotation mark is out of place"},
		{"another encoding", header + "a\xff,1,USD\n", "p.csv:1:1: it is not in UTF-8"},
		{"a file without end", header + strings.Repeat("a", mostPriceFile), "p.csv: a price list is a file of at most 1 MiB"},
	} {
		_, err := Read("p.csv", strings.NewReader(c.file))
		if err == nil {
			t.Errorf("%s is taken", c.name)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s: %q, want %q", c.name, err, c.want)
		}
		if zh := language.Of(err).ZH; zh == err.Error() || zh == "" {
			t.Errorf("%s is not said in Chinese: %q", c.name, zh)
		}
	}
}

func TestPricesOfMachines(t *testing.T) {
	p, err := Read("p.csv", strings.NewReader("\xef\xbb\xbfmachine,vcpu_hour\r\nm7i.large, 0.05\r\n\"Amazon EC2 m7i.large\",0.04\r\n"+
		"large,9\r\nARM board,0.01\r\namd64-x-1-2cpu,0.03\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, label, product string
		want                float64
	}{
		{"amd64-x-1-2cpu", "", "Amazon EC2 m7i.large", 0.03}, // its key is more than its product
		{"k", "", "Amazon EC2 m7i.large", 0.04},
		{"k", "", "Other Cloud m7i.LARGE", 0.05},
		{"k", "", "Other Cloud c7i-large", 0}, // a part of a word is none
		{"k", "arm board", "Amazon EC2 m7i.large", 0.01},
		{"k", "", "", 0},
	} {
		got := 0.0
		if i := p.Of(c.key, c.label, c.product); i >= 0 {
			got = p.Lines[i].VCPUHour
		}
		if got != c.want {
			t.Errorf("%q, %q, %q: %v, want %v", c.key, c.label, c.product, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("machine,vcpu_hour,currency\nm7i.large,0.05,USD\n")
	f.Add("machine,vcpu_hour\n\"a\nb\",1e-3\n")
	f.Fuzz(func(t *testing.T, file string) {
		p, err := Read("p.csv", strings.NewReader(file))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.csv:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is no line that says where: %q", err)
			}
			return
		}
		for _, l := range p.Lines {
			if !(l.VCPUHour > 0) || l.Machine == "" {
				t.Errorf("%+v is a price", l)
			}
		}
	})
}
