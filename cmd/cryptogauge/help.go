package main

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/build"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// help/VERB.txt holds what a verb and its flags say of themselves, help/flags.txt what the
// flags say that several verbs have: "== name", the English, "--", the Chinese where it differs.
//
//go:embed help
var helpFiles embed.FS

func helpTexts(file string) map[string]language.Text {
	texts := map[string]language.Text{}
	content, _ := helpFiles.ReadFile("help/" + file + ".txt") // a test holds that there is one for each verb
	for part := range strings.SplitSeq("\n"+string(content), "\n== ") {
		name, both, _ := strings.Cut(part, "\n")
		en, zh, _ := strings.Cut(both, "\n--\n")
		texts[name] = language.Text{EN: strings.TrimRight(en, "\n"), ZH: strings.TrimRight(cmp.Or(zh, en), "\n")}
	}
	return texts
}

func speak(root *cobra.Command, lang language.Lang) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if lang == language.Chinese {
		root.SetUsageTemplate(chineseUsage.Replace(root.UsageTemplate()))
	}
	own, shared := helpTexts(root.Name()), helpTexts("flags")
	describe(root, lang, "", own)
	for _, verb := range root.Commands() {
		texts := helpTexts(verb.Name())
		describe(verb, lang, "", texts, shared, own)
		for _, below := range verb.Commands() {
			describe(below, lang, below.Name()+" ", texts, own)
		}
	}
}

var chineseUsage = strings.NewReplacer("Usage:", "用法：", "Examples:", "示例：", "Available Commands:", "命令：",
	"Additional Commands:", "其他命令：", "Additional help topics:", "其他帮助主题：", "Aliases:", "别名：",
	"Global Flags:", "全局选项：", "Flags:", "选项：", "[command]", "[命令]",
	`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
	`用 "{{.CommandPath}} [命令] --help" 查看某个命令的详细说明。`)

// describe gives one verb its texts: the first of the tables that has one counts.
func describe(cmd *cobra.Command, lang language.Lang, prefix string, tables ...map[string]language.Text) {
	words := strings.NewReplacer("{verb}", cmd.DisplayName(), "{formats}", strings.Join(render.Formats(), ", "),
		"{algorithms}", strings.Join(digest.Names(), ", "), "{oldest Go}", build.OldestGo)
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
	zero := map[string]string{"string": "", "bool": "false"}
	none, known := zero[f.Value.Type()]
	if !known {
		none = "0"
	}
	if lang == language.Chinese && !slices.Contains([]string{"", "[]", "0", "0s", "false"}, f.DefValue) {
		f.Usage += "（默认 " + f.DefValue + "）"
		f.DefValue = none
	}
}

// usageErrors are what the flags' package says of what was typed.
var usageErrors = strings.NewReplacer(
	"unknown command ", "没有该命令：",
	"unknown flag: ", "没有该选项：",
	"unknown shorthand flag: ", "没有该短选项：",
	"bad flag syntax: ", "选项写法有误：",
	"flag needs an argument: ", "选项缺少参数：",
	"invalid argument ", "参数无效：",
	` for "`, `，用于 "`, `" flag`, `"`, " in -", "，用于 -", "Did you mean this?", "是否想输入：",
)

func usageError(err error) language.Text {
	what, _, _ := strings.Cut(err.Error(), ": strconv.") // how Go found out is not the user's business
	return language.Text{EN: what, ZH: usageErrors.Replace(what)}
}
