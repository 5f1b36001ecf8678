//go:build !unix

package check

func lock(string) (unlock func(), err error) { return func() {}, nil }
