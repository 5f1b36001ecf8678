package result

// Machine is filled in by the package that reads the machine's facts.
type Machine struct{}
