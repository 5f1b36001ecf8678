package library

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Served are the modes of services that can stand by themselves.
func Served() []algorithm.Mode { return slices.Concat(algorithm.Protections(), algorithm.Payloads()) }

// Stand has the server of a mode that is measured answer whoever asks, with so many bytes each, until ctx ends. It
// is that of the first library that has the mode.
func Stand(ctx context.Context, mode algorithm.Mode, bytes int64, port int, out io.Writer) error {
	noClient := func() (io.ReadWriteCloser, error) { return nil, errors.ErrUnsupported }
	vectors := judge.New(provider.Setting{Seed: 1, Client: noClient})
	c := result.Case{Algorithm: algorithm.HTTP, Mode: mode, Operation: algorithm.Serve, Bytes: bytes,
		Parameters: parameter.Connections.Is(parameter.KeptOnes)}
	var err error
	for _, p := range Go(vectors) {
		op, refused := provider.Prepare(p, c)
		if refused == nil {
			return service.Stand(ctx, op, port, out)
		}
		if err == nil || errors.Is(err, provider.ErrAbsent) {
			err = refused
		}
	}
	return err
}
