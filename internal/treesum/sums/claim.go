package sums

import (
	"cmp"
	"errors"
	"os"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
)

// look finds out what stands where the manifest and its state are to be, and refuses what isn't of earlier runs.
func (o *output) look() (partly standing, err error) {
	o.whole, o.lines, o.was = notWhole, 0, nil
	if o.wasState, err = surveyState(o.at + stateSuffix); err != nil {
		return partly, usage("%s: %w", "%s：%s", o.at+stateSuffix, err)
	}
	if _, err := surveyState(o.at + stateSuffix + partSuffix); err != nil {
		return partly, usage("%s: %w", "%s：%s", o.at+stateSuffix+partSuffix, err)
	}
	f, err := openStanding(o.at)
	if err != nil {
		return partly, usage("%s: %w", "%s：%s", o.at, err)
	} else if f == nil {
		return partly, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return partly, usage("%s: %w", "%s：%s", o.at, reason(err))
	}
	o.was = info
	isPart := o.wasState.exists && o.wasState.whole != anyLength && o.wasState.whole != info.Size()
	o.expected.state, o.expected.torn = o.wasState.algorithm, isPart
	if partly, err = o.expected.look(f); err != nil {
		return partly, usage("%s: %w", "%s：%s", o.at, reason(err))
	}
	if err := o.refuseOther(partly); err != nil {
		return partly, err
	}
	if o.lines = partly.lines; !isPart {
		o.whole = info.Size()
	}
	return partly, nil
}

// refuseOther refuses to replace a part by another, or by a whole manifest, and the other way round: runs on shards
// that were all given one name would leave but the last of them.
func (o *output) refuseOther(standing standing) error {
	is, makes := shard.Whole, shard.Whole
	if standing.part != nil {
		is = standing.part.Shard
	}
	if o.share != nil {
		makes = o.share.Shard
	}
	if is == makes || standing.lines == 0 && standing.part == nil {
		return nil
	}
	what := func(s shard.Shard) language.Text {
		if s == shard.Whole {
			return language.Text{EN: "a whole manifest", ZH: "完整的清单"}
		}
		return language.Say("shard %s", "分片 %s", s)
	}
	return usage("%s: is %s, and this run makes %s; name another file", "%s：是%s，而本次运行生成%s；请另取文件名", o.at, what(is), what(makes))
}

// claim locks the file in which the manifest grows. What a run that was killed has left of it and of its state is
// kept first.
func (o *output) claim() error {
	for {
		f, made, err := openLocked(o.part)
		if err == nil && made {
			o.file = f
			if _, err = o.look(); err != nil { // there may be more by now
				return err
			}
			inherit(f, o.was)
			return o.keepState()
		}
		if err == nil {
			err = o.keepPart(f)
			closeLocked(f)
		}
		if errors.Is(err, syscall.ELOOP) {
			err = errLink
		}
		if err != nil {
			name := o.part
			if errors.Is(err, errLocked) {
				name = o.at
			}
			return usage("%s: %w", "%s：%s", name, reason(err))
		}
	}
}

// inherit gives a file the mode of the one that it is to replace, unless that is nil, and its owner and group as far
// as the system lets it.
func inherit(f *os.File, was os.FileInfo) {
	if was == nil {
		return
	}
	inheritOwner(f, was)
	_ = f.Chmod(was.Mode().Perm())
}

// keepPart gives a manifest in part its name if there is none that has as much, and removes it if there is one.
func (o *output) keepPart(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return errNoFile
	} else if namesOf(info) > 1 {
		return errNames
	}
	state, err := surveyState(o.at + stateSuffix + partSuffix)
	if err != nil {
		return err
	}
	expected := o.expected
	expected.state, expected.torn = cmp.Or(state.algorithm, o.wasState.algorithm), true
	part, err := expected.look(f)
	if err != nil {
		return err
	}
	if _, err = o.look(); err != nil {
		return err
	}
	if o.whole != notWhole || part.lines <= o.lines || f.Truncate(part.size) != nil {
		return os.Remove(o.part)
	}
	if err := o.keepState(); err != nil {
		return err
	}
	if !o.wasState.exists { // without one, it would pass for whole
		state, err := create(o.at + stateSuffix)
		if err != nil {
			return err
		}
		state.Close()
	}
	return os.Rename(o.part, o.at)
}

// keepState is keepPart for the state.
func (o *output) keepState() error {
	at := o.at + stateSuffix
	part, err := surveyState(at + partSuffix)
	if err == nil && part.exists && part.records > o.wasState.records {
		if o.whole != notWhole {
			err = seal(at+partSuffix, o.whole)
		}
		if err == nil {
			err = os.Rename(at+partSuffix, at)
		}
		if err == nil {
			o.wasState, err = surveyState(at)
		}
	} else if err == nil && part.exists {
		err = os.Remove(at + partSuffix)
	}
	if err != nil {
		return usage("%s: %w", "%s：%s", at+partSuffix, reason(err))
	}
	return nil
}
