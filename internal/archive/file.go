package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// Filed says what became of a run file.
type Filed struct {
	Run      Run
	Known    bool // it had been filed before, or more of it: nothing was changed
	Replaced bool // it took the place of the shorter file that it has grown from
}

// File files the run at a path: a run file, or a folder that holds one. The report of a check beside it is filed too.
func (a *Archive) File(ctx context.Context, path string) (Filed, error) {
	e, err := read(path)
	if err != nil {
		return Filed{}, err
	}
	filed, err := a.file(ctx, []*entry{e})
	if err != nil {
		return Filed{}, err
	}
	return filed[0], a.fileCheck(ctx, path)
}

// file files runs in one transaction. The error is of the store, and nothing of them is filed then.
func (a *Archive) file(ctx context.Context, entries []*entry) (filed []Filed, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	if err := a.number(ctx, entries); err != nil {
		return nil, a.failed(err)
	}
	err = a.write(ctx, func(conn *sql.Conn, tx *sql.Tx) (err error) {
		filed, err = a.fileIn(ctx, conn, tx, entries)
		return err
	})
	return filed, a.failed(err)
}

// write runs a transaction, all of it or nothing.
func (a *Archive) write(ctx context.Context, do func(*sql.Conn, *sql.Tx) error) error {
	conn, err := a.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // a no-op once it was committed
	if err := do(conn, tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (a *Archive) fileIn(ctx context.Context, conn *sql.Conn, tx *sql.Tx, entries []*entry) ([]Filed, error) {
	headers := make([]string, len(entries))
	for i, e := range entries {
		headers[i] = e.header
	}
	slices.Sort(headers) // in the same order everywhere, so that no two writers wait for each other
	for _, header := range slices.Compact(headers) {
		if err := a.engine.lock(ctx, tx, header); err != nil {
			return nil, err
		}
	}
	filed := make([]Filed, len(entries))
	var added []*entry
	for i, e := range entries {
		replaced, err := a.addRun(ctx, tx, e, &filed[i])
		if err != nil {
			return nil, err
		}
		added = slices.DeleteFunc(added, func(e *entry) bool { return slices.Contains(replaced, e.run.number) })
		if !filed[i].Known {
			added = append(added, e)
		}
	}
	for _, t := range a.tables(added) {
		if err := a.engine.insert(ctx, conn, t); err != nil {
			return nil, err
		}
	}
	return filed, nil
}

// addRun adds the run's own row, unless the run is there already, and gives the numbers of those whose place it took.
func (a *Archive) addRun(ctx context.Context, tx *sql.Tx, e *entry, filed *Filed) (replaced []int64, err error) {
	known, err := runsWhere(ctx, tx, "r.sha256 = $1 OR r.header = $2", e.run.ID, e.header)
	if err != nil {
		return nil, err
	}
	for _, other := range known {
		grown, err := grownFrom(ctx, tx, other, e)
		switch {
		case err != nil:
			return nil, err
		case other.ID == e.run.ID, grown < 0:
			*filed = Filed{Run: other, Known: true}
			return nil, nil
		case grown > 0:
			if err := removeRun(ctx, tx, other.number); err != nil {
				return nil, err
			}
			replaced = append(replaced, other.number)
		}
	}
	e.run.Filed = time.Now().UTC().Truncate(time.Microsecond)
	r := &e.run
	err = tx.QueryRowContext(ctx, `INSERT INTO runs (sha256, header, whole, second_of, started, filed, suite, title, note, machine, condition,
		confidence, partial, wrong, measured, cells, seconds, bytes)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) RETURNING id`,
		r.ID, e.header, bits[!r.Open], r.SecondOf, r.Started.UnixMicro(), r.Filed.UnixMicro(), r.Suite, r.Title, r.Note,
		a.numberOf("machines", r.Machine), a.numberOf("conditions", keyOf(e.condition)),
		r.Confidence, bits[r.Partial], r.Wrong, r.Rows, len(e.cells), value(r.Seconds), r.Bytes).Scan(&r.number)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO files (run, zstd) VALUES ($1, $2)", r.number, e.zstd)
	}
	*filed = Filed{Run: *r, Replaced: len(replaced) > 0}
	return replaced, err
}

// grownFrom is above 0 where a file begins with all of one that was filed while its run went on, below 0 where it is
// the other way round, and else 0.
func grownFrom(ctx context.Context, tx *sql.Tx, filed Run, e *entry) (int, error) {
	switch {
	case filed.Open && filed.Bytes < e.run.Bytes && begins(e.zstd, filed):
		return 1, nil
	case e.run.Open && e.run.Bytes < filed.Bytes:
		var packed []byte
		if err := tx.QueryRowContext(ctx, "SELECT zstd FROM files WHERE run = $1", filed.number).Scan(&packed); err != nil {
			return 0, err
		}
		if begins(packed, e.run) {
			return -1, nil
		}
	}
	return 0, nil
}

// begins says whether a compressed file begins with all of a run's.
func begins(packed []byte, with Run) bool {
	plain, err := unpack(packed)
	if err != nil {
		return false
	}
	defer plain.Close()
	sum := sha256.New()
	n, err := io.CopyN(sum, plain, with.Bytes)
	return err == nil && n == with.Bytes && hexOf(sum.Sum(nil)) == with.ID
}

func removeRun(ctx context.Context, tx *sql.Tx, number int64) error {
	first := number << trialBits
	for _, statement := range []string{
		"DELETE FROM cells WHERE id >= $1 AND id < $2", "DELETE FROM metrics WHERE cell >= $1 AND cell < $2",
		"DELETE FROM comparisons WHERE id >= $1 AND id < $2", "DELETE FROM distributions WHERE cell >= $1 AND cell < $2",
	} {
		if _, err := tx.ExecContext(ctx, statement, first, first+1<<trialBits); err != nil {
			return err
		}
	}
	for _, statement := range []string{"DELETE FROM files WHERE run = $1", "DELETE FROM runs WHERE id = $1"} {
		if _, err := tx.ExecContext(ctx, statement, number); err != nil {
			return err
		}
	}
	return nil
}

// bits are truth values as stores hold them.
var bits = map[bool]int64{true: 1}

// Export writes a run's file, byte for byte.
func (a *Archive) Export(ctx context.Context, id string, w io.Writer) error {
	_, plain, err := a.open(ctx, id)
	if err != nil {
		return err
	}
	defer plain.Close()
	_, err = io.Copy(w, plain)
	return err
}

// Run reads a run back from its file.
func (a *Archive) Run(ctx context.Context, id string) (Run, *result.Run, error) {
	r, plain, err := a.open(ctx, id)
	if err != nil {
		return Run{}, nil, err
	}
	defer plain.Close()
	run, err := result.Read(plain)
	if err != nil {
		return Run{}, nil, placed(a.at, err)
	}
	return r, run, nil
}

// open gives a run's file, whose sum is judged when it was read to its end.
func (a *Archive) open(ctx context.Context, id string) (Run, io.ReadCloser, error) {
	r, err := a.Find(ctx, id)
	if err != nil {
		return Run{}, nil, err
	}
	var packed []byte
	if err := a.db.QueryRowContext(ctx, "SELECT zstd FROM files WHERE run = $1", r.number).Scan(&packed); err != nil {
		return Run{}, nil, a.failed(err)
	}
	plain, err := unpack(packed)
	if err != nil {
		return Run{}, nil, placed(a.at, err)
	}
	return r, &checked{plain, sha256.New(), r.ID}, nil
}

func unpack(packed []byte) (io.ReadCloser, error) {
	d, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// checked is a file that ends with an error unless its sum is what it was filed by.
type checked struct {
	io.ReadCloser
	sum interface {
		io.Writer
		Sum([]byte) []byte
	}
	want string
}

func (c *checked) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.sum.Write(b[:n])
	if errors.Is(err, io.EOF) && hexOf(c.sum.Sum(nil)) != c.want {
		return n, language.Errorf("run %s is not what was filed: the store is damaged", "运行 %s 与存入时不同：存储已损坏", c.want[:12])
	}
	return n, err
}
