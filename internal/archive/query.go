package archive

import (
	"context"
	"database/sql"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// placeholders are n of them, separated by commas, the first of which is $first.
func placeholders(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(first+i))
	}
	return b.String()
}

// conditions of a query, which all must hold, and their arguments.
type where struct {
	conditions []string
	args       []any
}

// add adds a condition in which each ? stands for the next of the arguments.
func (w *where) add(condition string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(w.args)), 1)
	}
	w.conditions = append(w.conditions, condition)
}

func (w *where) String() string {
	if len(w.conditions) == 0 {
		return "1 = 1"
	}
	return strings.Join(w.conditions, " AND ")
}

// querier is a database, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls scan for every row of a query.
func each(ctx context.Context, q querier, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func micro(t int64) time.Time { return time.UnixMicro(t).UTC() }

// between narrows to times from the first on and before the second, as far as they are set.
func (w *where) between(column string, since, until time.Time) {
	if !since.IsZero() {
		w.add(column+" >= ?", since.UnixMicro())
	}
	if !until.IsZero() {
		w.add(column+" < ?", until.UnixMicro())
	}
}

// among narrows a column to words, whatever their case; none narrow nothing.
func (w *where) among(column string, words []string) {
	if len(words) == 0 {
		return
	}
	args := make([]any, len(words))
	for i, word := range words {
		args[i] = strings.ToLower(word)
	}
	w.add("lower("+column+") IN (?"+strings.Repeat(", ?", len(words)-1)+")", args...)
}

// where narrows tracks t on machines m as far as SQL can; times are left to the query, patterns to matches.
func (f *Filter) where() (w where) {
	w.among("t.experiment", f.Experiments)
	w.among("t.library", f.Libraries)
	w.among("t.algorithm", f.Algorithms)
	w.among("t.mode", f.Modes)
	w.among("t.operation", f.Operations)
	w.among("m.key", f.Machines)
	if len(f.Sizes) > 0 {
		w.conditions = append(w.conditions, "t.bytes IN ("+listOf(f.Sizes)+")")
	}
	if len(f.Cases) == 0 {
		return w
	}
	var names []string
	var args []any
	for _, pattern := range f.Cases {
		name, _, _ := strings.Cut(strings.ToLower(pattern), "/")
		if strings.Contains(name, "*") {
			return w
		}
		names = append(names, "lower(t.algorithm) = ? OR lower(t.algorithm || '-' || t.mode) = ?")
		args = append(args, name, name)
	}
	w.add("("+strings.Join(names, " OR ")+")", args...)
	return w
}

// matches says whether one of the patterns names a case.
func (f *Filter) matches(c result.Case) bool {
	return len(f.Cases) == 0 || slices.ContainsFunc(f.Cases, func(pattern string) bool { return named(pattern, c) })
}

// named says whether a pattern names a case: by its algorithm, by algorithm and mode, or by these with what is done,
// to how many bytes, and how, between slashes, as far as the pattern goes.
func named(pattern string, c result.Case) bool {
	whole := []string{c.Name(), c.Operation, strconv.FormatInt(c.Bytes, 10), c.Parameters}
	parts := strings.SplitN(strings.ToLower(pattern), "/", len(whole))
	for i, part := range parts {
		if !like(part, strings.ToLower(whole[i])) && !(i == 0 && like(part, strings.ToLower(c.Algorithm))) {
			return false
		}
	}
	return true
}

// like matches a word against a pattern in which * stands for anything; a pattern of other signs is a word.
func like(pattern, word string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == word
	}
	escaped := strings.NewReplacer(`\`, `\\`, `?`, `\?`, `[`, `\[`).Replace(pattern)
	ok, err := path.Match(escaped, strings.ReplaceAll(word, "/", "\x00"))
	return err == nil && ok
}
