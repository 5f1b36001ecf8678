package machine

import "fmt"

// An arm64 CPU names itself by two numbers only, the implementer and the part
// of MIDR_EL1 (Arm ARM, D24.2). These are the ones found in servers, boards and
// laptops; any other is shown as its numbers.

var armVendors = map[int]string{
	0x41: "ARM",
	0x42: "Broadcom",
	0x43: "Cavium",
	0x46: "Fujitsu",
	0x48: "HiSilicon",
	0x4e: "NVIDIA",
	0x50: "APM",
	0x51: "Qualcomm",
	0x53: "Samsung",
	0x61: "Apple",
	0x6d: "Microsoft",
	0x70: "Phytium",
	0xc0: "Ampere",
}

var armModels = map[int]string{
	0x41_d03: "Cortex-A53",
	0x41_d04: "Cortex-A35",
	0x41_d05: "Cortex-A55",
	0x41_d07: "Cortex-A57",
	0x41_d08: "Cortex-A72",
	0x41_d09: "Cortex-A73",
	0x41_d0a: "Cortex-A75",
	0x41_d0b: "Cortex-A76",
	0x41_d0c: "Neoverse-N1",
	0x41_d0d: "Cortex-A77",
	0x41_d40: "Neoverse-V1",
	0x41_d41: "Cortex-A78",
	0x41_d44: "Cortex-X1",
	0x41_d46: "Cortex-A510",
	0x41_d47: "Cortex-A710",
	0x41_d48: "Cortex-X2",
	0x41_d49: "Neoverse-N2",
	0x41_d4a: "Neoverse-E1",
	0x41_d4d: "Cortex-A715",
	0x41_d4e: "Cortex-X3",
	0x41_d4f: "Neoverse-V2",
	0x43_0af: "ThunderX2",
	0x46_001: "A64FX",
	0x48_d01: "Kunpeng-920",
	0x61_022: "Icestorm-M1",
	0x61_023: "Firestorm-M1",
	0x61_032: "Blizzard-M2",
	0x61_033: "Avalanche-M2",
	0x70_660: "FTC660",
	0x70_661: "FTC661",
	0x70_662: "FTC662",
	0x70_663: "FTC663",
	0xc0_ac3: "Ampere-1",
	0xc0_ac4: "Ampere-1a",
}

func armVendor(implementer int) string {
	if name, ok := armVendors[implementer]; ok {
		return name
	}
	return fmt.Sprintf("implementer %#x", implementer)
}

func armModel(implementer, part int) string {
	// The keys above are the two numbers, written one after the other.
	if name, ok := armModels[implementer<<12|part]; ok {
		return name
	}
	return fmt.Sprintf("part %#x", part)
}
