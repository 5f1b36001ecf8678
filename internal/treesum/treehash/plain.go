package treehash

import (
	"errors"
	"io/fs"
)

// plain is an error without the path in it, which whoever tells of it knows.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
