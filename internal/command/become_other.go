//go:build !unix

package command

import "errors"

func become(string, []string) error { return errors.ErrUnsupported }
