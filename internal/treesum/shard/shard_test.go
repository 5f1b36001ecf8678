package shard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value
			}
		}
		return ""
	}
}

func TestParse(t *testing.T) {
	kubernetes, slurm := "JOB_COMPLETION_INDEX=", "SLURM_ARRAY_TASK_ID="
	for _, c := range []struct {
		flag string
		env  []string
		want Shard
		fail string
	}{
		{"0/16", nil, Shard{0, 16}, ""},
		{"15/16", nil, Shard{15, 16}, ""},
		{"0/1", nil, Whole, ""},
		{"0/65536", nil, Shard{0, 65536}, ""},
		{"auto/16", []string{kubernetes + "3"}, Shard{3, 16}, ""},
		{"auto/16", []string{slurm + "4"}, Shard{4, 16}, ""},
		{"auto/16", []string{kubernetes + "5", slurm + "5"}, Shard{5, 16}, ""},
		{"2/16", []string{kubernetes + "5"}, Shard{2, 16}, ""},
		{"16/16", nil, Shard{}, "the last of 16 is 15/16"},
		{"auto/16", nil, Shard{}, "neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID is set"},
		{"auto/16", []string{slurm + "16"}, Shard{}, `SLURM_ARRAY_TASK_ID is "16"; it must be from 0 to 15`},
		{"auto/16", []string{slurm + "x"}, Shard{}, `SLURM_ARRAY_TASK_ID is "x"`},
		{"auto/16", []string{kubernetes + "5", slurm + "6"}, Shard{}, "say which shard"},
		{"3", nil, Shard{}, "say which shard of how many"},
		{"-1/16", nil, Shard{}, "say which shard of how many"},
		{"+1/16", nil, Shard{}, "say which shard of how many"},
		{"1/0", nil, Shard{}, "say which shard of how many"},
		{"1/65537", nil, Shard{}, "say which shard of how many"},
		{"1/2/3", nil, Shard{}, "say which shard of how many"},
		{"", nil, Shard{}, "say which shard of how many"},
		{"auto", []string{slurm + "1"}, Shard{}, "say which shard of how many"},
	} {
		got, err := Parse(c.flag, environment(c.env...))
		if got != c.want || (err != nil) != (c.fail != "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("%q %v: %v, %v", c.flag, c.env, got, err)
		}
	}
}

// TestChineseChoice: the variables are joined as each language does.
func TestChineseChoice(t *testing.T) {
	for flag, want := range map[string]string{
		"auto/16": "JOB_COMPLETION_INDEX、SLURM_ARRAY_TASK_ID 均未设置", "3": "由 JOB_COMPLETION_INDEX 或 SLURM_ARRAY_TASK_ID 给出时",
	} {
		_, err := Parse(flag, environment())
		if zh := language.Of(err).ZH; !strings.Contains(zh, want) {
			t.Errorf("%s: %s", flag, zh)
		}
	}
}

// The share of a name is what the documentation says, for ever: parts of different versions are merged.
func TestNumber(t *testing.T) {
	// SHA-256 of "abc" begins with ba7816bf8f01cfea (FIPS 180-4), which is 13436514500253700074.
	for n, want := range map[int]int{1: 0, 2: 0, 3: 0, 10: 4, 16: 10, 1000: 74, 65536: 0xcfea} {
		if got := Number([]byte("abc"), n); got != want {
			t.Errorf("of %d: %d, want %d", n, got, want)
		}
		if !(Shard{want, n}).Has([]byte("abc")) || n > 1 && (Shard{want + 1, n}).Has([]byte("abc")) {
			t.Errorf("of %d: Has says otherwise", n)
		}
	}
}

// Every shard gets about its share of names that are alike.
func TestEven(t *testing.T) {
	const shards, names = 16, 16000
	var count [shards]int
	for i := range names {
		count[Number(fmt.Appendf(nil, "s3://bucket/logs/2026/%08d.json", i), shards)]++
	}
	for i, n := range count {
		if n < names/shards*9/10 || n > names/shards*11/10 {
			t.Errorf("shard %d has %d of %d names", i, n, names)
		}
	}
}

func TestComments(t *testing.T) {
	p := Part{Shard{3, 16}, "sha256", true, []string{"s3://bucket/prefix", "new\nline \"quoted\"", "\xff\x00", "图片", ""}}
	comment := p.Comment()
	want := `# cryptogauge.part/1 shard=3/16 algorithm=sha256 links=follow input="s3://bucket/prefix" input="new\nline \"quoted\"" input="\xff\x00" input="图片" input=""`
	if comment != want {
		t.Errorf("got  %s\nwant %s", comment, want)
	}
	got, ok := ReadPart(comment)
	if !ok || !got.Like(p) || got.Shard != p.Shard {
		t.Errorf("read back as %+v, %v", got, ok)
	}
	for _, other := range []string{"", "# a remark", comment + " ", comment[:len(comment)-1], strings.Replace(comment, "3/16", "16/16", 1),
		strings.Replace(comment, "part/1", "part/2", 1), strings.Replace(comment, "algorithm", "by", 1), strings.Replace(comment, `""`, "x", 1)} {
		if _, ok := ReadPart(other); ok {
			t.Errorf("%q is taken for the beginning of a part", other)
		}
	}
	e := End{Lines: 1234, Failed: 5}
	summed := End{e.Lines, e.Failed, strings.Repeat("5f", 32)}
	if got, ok := ReadEnd(summed.Comment()); !ok || got != summed {
		t.Errorf("%+v", got)
	}
	if got, ok := ReadEnd(e.Comment()); !ok || got != e || e.Comment() != "# cryptogauge.part/1 end lines=1234 failed=5" {
		t.Errorf("%q read back as %+v, %v", e.Comment(), got, ok)
	}
	for _, other := range []string{"", comment, e.Comment() + "0x", "# cryptogauge.part/1 end lines=1 failed="} {
		if _, ok := ReadEnd(other); ok {
			t.Errorf("%q is taken for the end of a part", other)
		}
	}
}

func TestLike(t *testing.T) {
	p := Part{Shard{3, 16}, "sha256", false, []string{"a", "b"}}
	for _, other := range []Part{
		{Shard{3, 8}, "sha256", false, []string{"a", "b"}},
		{Shard{3, 16}, "md5", false, []string{"a", "b"}},
		{Shard{3, 16}, "sha256", true, []string{"a", "b"}},
		{Shard{3, 16}, "sha256", false, []string{"b", "a"}},
	} {
		if p.Like(other) {
			t.Errorf("%+v is like %+v", p, other)
		}
	}
	if p.Shard.Index = 4; !p.Like(Part{Shard{3, 16}, "sha256", false, []string{"a", "b"}}) {
		t.Error("another shard of the same is not like it")
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		input, name string
		want        bool
	}{
		{"tree", "tree/a", true},
		{"tree", "tree", true},
		{"tree", "tree-b/a", false},
		{"tree/", "tree/a", true},
		{"/", "/etc/passwd", true},
		{"tree/a", "tree/b", false},
		{"s3://bucket/pre", "s3://bucket/prefix", true},
		{"s3://bucket", "s3://bucket/a", true},
		{"s3://bucket", "s3://bucket-b/a", false},
	} {
		if got := Covers(c.input, c.name); got != c.want {
			t.Errorf("%q in %q: %v", c.name, c.input, got)
		}
	}
}
