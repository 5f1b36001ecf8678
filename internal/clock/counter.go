package clock

// NoCycles is what a [Counter] reads where there is nothing to read.
const NoCycles = -1
