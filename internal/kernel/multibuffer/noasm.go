//go:build !amd64 || purego

package multibuffer

// There is no kernel to call here: supported says so, and these stand in for the assembly.

func supported(Kernel) bool { return false }

const noAssembly = "multibuffer: internal error: no assembly in this build"

func wideEarliest(end *[64]uint64) (first, lanes uint64) { panic(noAssembly) }

func wideFill(l *Lanes, messages *[]byte, eights int) (differences uint64) { panic(noAssembly) }

func wideFetch(start *byte) { panic(noAssembly) }

func wideMD5Digests(l *Lanes, digests *[64][16]byte) { panic(noAssembly) }

func wideLongDigests(state *uint32, digests *[16][32]byte) { panic(noAssembly) }

func narrowMD5(state *[64]uint32, from *[16]*byte, blocks int) { panic(noAssembly) }

func narrowSM3(state *[64]uint32, from *[8]*byte, blocks int) { panic(noAssembly) }

func pairSHA256(state *[16]uint32, from *[2]*byte, blocks int) { panic(noAssembly) }

func pairSHA1(state *[10]uint32, from *[2]*byte, blocks int) { panic(noAssembly) }

func wideMD516(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideMD532(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideMD548(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideMD564(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSM316(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSM332(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSHA25616(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSHA25632(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSHA116(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSHA132(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }

func wideSHA148(l *Lanes, clock uint64, blocks int) { panic(noAssembly) }
