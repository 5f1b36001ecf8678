package command

import (
	"cmp"
	"embed"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// HelpFiles holds what verbs and flags say of themselves: help/VERB.txt of a verb and its flags, help/flags.txt of the
// flags that several verbs have, help/cryptogauge.txt of the root; "== name", the English, "--", the Chinese where
// it differs.
//
//go:embed help
var HelpFiles embed.FS

// HelpTexts reads one of these files.
func HelpTexts(file string) map[string]language.Text {
	texts := map[string]language.Text{}
	content, _ := HelpFiles.ReadFile("help/" + file + ".txt") // a test of each program holds that there is one for each verb
	for part := range strings.SplitSeq("\n"+string(content), "\n== ") {
		name, both, _ := strings.Cut(part, "\n")
		en, zh, _ := strings.Cut(both, "\n--\n")
		texts[name] = language.Text{EN: strings.TrimRight(en, "\n"), ZH: strings.TrimRight(cmp.Or(zh, en), "\n")}
	}
	return texts
}

func (p Program) speak(root *cobra.Command, lang language.Lang) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if lang == language.Chinese {
		root.SetUsageTemplate(chineseUsage().Replace(root.UsageTemplate()))
	}
	own, shared := HelpTexts(root.Name()), HelpTexts("flags")
	p.describe(root, lang, "", own)
	for _, verb := range root.Commands() {
		texts := HelpTexts(verb.Name())
		p.describe(verb, lang, "", texts, shared, own)
		for _, below := range verb.Commands() {
			p.describe(below, lang, below.Name()+" ", texts, shared, own)
		}
	}
}

func chineseUsage() *strings.Replacer {
	return strings.NewReplacer("Usage:", "用法：", "Examples:", "示例：", "Available Commands:", "命令：",
		"Additional Commands:", "其他命令：", "Additional help topics:", "其他帮助主题：", "Aliases:", "别名：",
		"Global Flags:", "全局选项：", "Flags:", "选项：", "[command]", "[命令]",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
		`用 "{{.CommandPath}} [命令] --help" 查看某个命令的详细说明。`)
}

// describe gives one verb its texts: the first of the tables that has one counts.
func (p Program) describe(cmd *cobra.Command, lang language.Lang, prefix string, tables ...map[string]language.Text) {
	words := strings.NewReplacer(append([]string{"{verb}", cmd.DisplayName()}, p.Words...)...)
	say := func(name string) string {
		for _, texts := range tables {
			if t, known := texts[name]; known {
				return words.Replace(t.In(lang))
			}
		}
		return ""
	}
	cmd.Short, cmd.Long, cmd.Example = say(prefix+"short"), say(prefix+"long"), say(prefix+"example")
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) { explain(f, say("--"+f.Name), lang) })
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { explain(f, say("--"+f.Name), lang) })
}

// explain says what a flag means. What it is by default, pflag says in English.
func explain(f *pflag.Flag, usage string, lang language.Lang) {
	f.Usage = usage
	if lang == language.Chinese && !slices.Contains([]string{"", "[]", "0", "0s", "false"}, f.DefValue) {
		f.Usage += "（默认 " + f.DefValue + "）"
		switch f.Value.Type() { // pflag says nothing of these
		case "string":
			f.DefValue = ""
		case "bool":
			f.DefValue = "false"
		default:
			f.DefValue = "0"
		}
	}
}

// usageErrors are what the flags' package says of what was typed.
func usageErrors() *strings.Replacer {
	return strings.NewReplacer(
		"unknown command ", "没有该命令：",
		"unknown flag: ", "没有该选项：",
		"unknown shorthand flag: ", "没有该短选项：",
		"bad flag syntax: ", "选项写法有误：",
		"flag needs an argument: ", "选项缺少参数：",
		"invalid argument ", "参数无效：",
		` for "`, `，用于 "`, `" flag`, `"`, " in -", "，用于 -", "Did you mean this?", "是否想输入：",
	)
}

// UsageError words what the flags' package says of what was typed.
func UsageError(err error) language.Text {
	what, _, _ := strings.Cut(err.Error(), ": strconv.") // how Go found out is not the user's business
	return language.Text{EN: what, ZH: usageErrors().Replace(what)}
}

// timeError says how a time is written, where that is what is wrong; else nil.
func timeError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) || invalid.GetFlag().Value.Type() != "duration" {
		return nil
	}
	name, text := invalid.GetFlag().Name, invalid.GetValue()
	if d, err := time.ParseDuration(text + "s"); err == nil && d > 0 {
		return language.Errorf("--%[1]s %[2]s: a time needs its unit; for seconds write --%[1]s %[2]ss",
			"--%[1]s %[2]s：时间要带单位；如为秒，请写 --%[1]s %[2]ss", name, text)
	}
	return language.Errorf("--%[1]s %[2]s: give a time such as 30s, 2m or 1h30m", "--%[1]s %[2]s：请给出时间，例如 30s、2m、1h30m", name, text)
}
