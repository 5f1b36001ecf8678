package machine

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cpuInfo is the text of /proc/cpuinfo: a line "key : value" for each thing that it says of each CPU.
type cpuInfo string

// get returns the first value that is there: some kernels write what all CPUs
// share only once, in a block of its own.
func (info cpuInfo) get(key string) string { return field(string(info), key, ":") }

func (info cpuInfo) distinct(key string) []string { return values(string(info), key, ":") }

func (info cpuInfo) processors() int {
	return len(slices.DeleteFunc(info.distinct("processor"), func(n string) bool {
		_, ok := parseInt(n)
		return !ok
	}))
}

func (info cpuInfo) flags() []string {
	return strings.Fields(cmp.Or(info.get("flags"), info.get("Features"))) // x86, arm64
}

func (info cpuInfo) identify(c *CPU) {
	if info.get("CPU implementer") != "" {
		info.identifyARM(c)
		return
	}
	c.Vendor = label(info.get("vendor_id"))
	c.Model = strings.Join(strings.Fields(label(info.get("model name"))), " ")
	c.Family = smallInt(info.get("cpu family"))
	c.ModelNumber = smallInt(info.get("model"))
	c.Stepping = smallInt(info.get("stepping"))
	c.Microcode = label(info.get("microcode"))
}

func (info cpuInfo) identifyARM(c *CPU) {
	implementer := smallInt(info.get("CPU implementer"))
	c.Vendor = armName(fmt.Sprintf("%#02x", implementer), fmt.Sprintf("implementer %#x", implementer))
	c.Family = smallInt(info.get("CPU architecture"))
	c.ModelNumber = smallInt(info.get("CPU part"))
	c.Stepping = smallInt(info.get("CPU variant"))<<4 | smallInt(info.get("CPU revision"))
	c.Model = label(info.get("model name")) // a few kernels add it
	if c.Model == "" {
		var names []string
		for _, text := range info.distinct("CPU part") {
			part := smallInt(text)
			names = append(names, armName(fmt.Sprintf("%#02x %#x", implementer, part), fmt.Sprintf("part %#x", part)))
		}
		c.Model = strings.Join(names, " + ")
	}
}

func smallInt(text string) int {
	n, err := strconv.ParseUint(text, 0, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// An arm64 CPU names itself by two numbers only, the implementer and the part. One that is
// not in the file is shown as its numbers.
//
//go:embed arm.txt
var armNames string

func armName(numbers, unknown string) string {
	for line := range strings.Lines(armNames) {
		if name, ok := strings.CutPrefix(line, numbers+" "); ok && !strings.HasPrefix(name, "0x") {
			return strings.TrimSpace(name)
		}
	}
	return unknown
}
