package cpuid

// Read is the instruction CPUID.
func Read(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// Saved is the low half of XCR0: which registers the operating system saves. Without OSXSAVE there is no such
// instruction.
func Saved() (eax uint32)

// Features are leaf 1's ECX, and EBX and ECX of leaf 7, which are 0 where there is no such leaf.
func Features() (ecx1, ebx7, ecx7 uint32) {
	if leaves, _, _, _ := Read(0, 0); leaves < 7 {
		return 0, 0, 0
	}
	_, _, ecx1, _ = Read(1, 0)
	_, ebx7, ecx7, _ = Read(7, 0)
	return ecx1, ebx7, ecx7
}
