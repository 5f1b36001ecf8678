package document

import (
	"testing"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMachineLine(t *testing.T) {
	for _, c := range []struct {
		machine result.Machine
		en, zh  string
	}{
		{result.Machine{}, "", ""},
		{
			documenttest.NewFixture(1, 1).Run.Header.Machine,
			"Intel Xeon Platinum 8481C @ 2.70GHz · 4 vCPU · 2 cores · 2 allowed · quota 1.5 CPU · kvm · aes avx2 avx512f gfni vaes",
			"Intel Xeon Platinum 8481C @ 2.70GHz · 4 vCPU · 2 核 · 可用 2 · 配额 1.5 CPU · kvm · aes avx2 avx512f gfni vaes",
		},
		{
			result.Machine{OS: "darwin", Arch: "arm64", Hypervisor: "none", CPU: result.CPU{Model: "Apple M2", Online: 8, Cores: 8}},
			"Apple M2 · 8 CPU · 8 cores · no quota · darwin/arm64",
			"Apple M2 · 8 CPU · 8 核 · 无配额 · darwin/arm64",
		},
	} {
		if en, zh := MachineLine(c.machine, layout.English), MachineLine(c.machine, layout.Chinese); en != c.en || zh != c.zh {
			t.Errorf("%q\n%q", en, zh)
		}
	}
}

func TestMachineLineWithin(t *testing.T) {
	m := result.Machine{OS: "linux", Hypervisor: "kvm", CPU: result.CPU{Model: "AMD EPYC", Online: 2, Cores: 2, Features: []string{"aes"}}}
	for _, c := range []struct {
		columns int
		line    string
	}{
		{100, "AMD EPYC · 2 vCPU · 2 cores · no quota · kvm · aes"},
		{50, "AMD EPYC · 2 vCPU · 2 cores · no quota · kvm · aes"},
		{49, "AMD EPYC · 2 vCPU · 2 cores · kvm · aes"},
		{39, "AMD EPYC · 2 vCPU · 2 cores · kvm · aes"},
		{38, "AMD EPYC · 2 vCPU · 2 cores · aes"},
		{33, "AMD EPYC · 2 vCPU · 2 cores · aes"},
		{32, "AMD EPYC · 2 vCPU · 2 cores · no quota · kvm · aes"}, // dropping would not help
	} {
		fits := func(line string) bool { return utf8.RuneCountInString(line) <= c.columns }
		if got := MachineLineWithin(m, layout.English, fits); got != c.line {
			t.Errorf("%d columns: %q", c.columns, got)
		}
	}
	m.Cgroup.QuotaCPUs = 1.5
	quota := "AMD EPYC · 2 vCPU · 2 cores · quota 1.5 CPU · aes"
	if got := MachineLineWithin(m, layout.English, func(line string) bool { return utf8.RuneCountInString(line) <= len(quota) }); got != quota {
		t.Errorf("a quota stays: %q", got)
	}
}
