package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// everyVerb calls see for every verb as its help is printed in a language.
func everyVerb(t *testing.T, lang language.Lang, see func(cmd *cobra.Command, help string)) {
	t.Helper()
	var walk func(cmd *cobra.Command)
	n := 0
	walk = func(cmd *cobra.Command) {
		var out strings.Builder
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		see(cmd, out.String())
		n++
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(program(streams{}).Root(command.Session{Lang: lang}))
	if n < 12 {
		t.Errorf("only %d verbs were seen", n)
	}
}

// english is a sentence: three words of small letters after each other.
var english = regexp.MustCompile(`[a-z]{2,} [a-z]+ [a-z]{2,}`)

// TestHelpSpeaksChinese: no verb's help has a sentence in English; commands to type, and
// what is piped into them, stay what they are.
func TestHelpSpeaksChinese(t *testing.T) {
	everyVerb(t, language.Chinese, func(cmd *cobra.Command, help string) {
		for line := range strings.Lines(help) {
			said := strings.TrimSpace(line)
			if at := strings.Index(said, "cryptogauge "); at >= 0 && !strings.ContainsAny(said[:at], "，。：；") && !strings.ContainsAny(said, "，。；") {
				continue // a command
			}
			if found := english.FindString(regexp.MustCompile("cryptogauge [a-z ]+").ReplaceAllString(said, "")); found != "" {
				t.Errorf("%s: %q in %q", cmd.CommandPath(), found, said)
			}
		}
		for _, heading := range []string{"Usage", "Flags", "Examples", "Available", "default"} {
			if strings.Contains(help, heading) {
				t.Errorf("%s: says %q", cmd.CommandPath(), heading)
			}
		}
	})
}

// TestHelpIsWhole: every verb and every flag says what it is, in both languages, and no
// text is left without either.
func TestHelpIsWhole(t *testing.T) {
	inEnglish := map[string]string{}
	said := map[*pflag.Flag]bool{}
	note := func(t *testing.T, key, text string, lang language.Lang) {
		han := regexp.MustCompile(`\p{Han}`).MatchString(text)
		if text == "" || han != (lang == language.Chinese) {
			t.Errorf("%s in %s: %q", key, lang, text)
		}
		if lang == language.English {
			inEnglish[key] = text
		} else if inEnglish[key] == text {
			t.Errorf("%s says the same in both languages: %q", key, text)
		}
	}
	for _, lang := range []language.Lang{language.English, language.Chinese} {
		everyVerb(t, lang, func(cmd *cobra.Command, _ string) {
			note(t, cmd.CommandPath(), cmd.Short, lang)
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if !said[f] {
					note(t, cmd.CommandPath()+" --"+f.Name, f.Usage, lang)
				}
				said[f] = true
			})
		})
	}
}

// TestHelpTextsAreUsed: a text that no verb has would be missed by nobody.
func TestHelpTextsAreUsed(t *testing.T) {
	files, err := command.HelpFiles.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	root := program(streams{}).Root(command.Session{})
	used, forwarded := map[string]bool{}, map[string]bool{} // whose flags are the other program's, which holds them to its texts
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		forwarded[cmd.Name()+".txt"] = cmd.DisableFlagParsing
		cmd.Flags().VisitAll(func(f *pflag.Flag) { used["--"+f.Name] = true })
		cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { used["--"+f.Name] = true })
		used[cmd.Name()+".txt"] = true
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(root)
	for _, file := range files {
		if file.Name() != "flags.txt" && !used[file.Name()] {
			t.Errorf("%s is of no verb", file.Name())
		}
		for name := range command.HelpTexts(strings.TrimSuffix(file.Name(), ".txt")) {
			if strings.HasPrefix(name, "--") && !used[name] && !forwarded[file.Name()] {
				t.Errorf("%s: no verb has %s", file.Name(), name)
			}
		}
	}
}

// TestUsageErrorsSpeakChinese: so does what is said of a verb or a flag that is not there.
func TestUsageErrorsSpeakChinese(t *testing.T) {
	for _, args := range [][]string{{"measure"}, {"run", "--bogus"}, {"run", "-x"}, {"run", "--seed"}, {"run", "--seed", "x"}, {"list", "x"},
		{"report", "--format", "docx", "x"}, {"run", "--lang", "fr"}, {"hash", "-a", "crc"}, {"hash", "--resume", "-"}} {
		var out strings.Builder
		s := streams{Session: command.Session{Args: append([]string{"--lang=zh"}, args...), Out: &out, Err: &out, In: strings.NewReader("")}}
		if code := run(s); code != command.ExitUsage {
			t.Errorf("%q: exit %d", args, code)
		}
		if got := out.String(); english.MatchString(got) || !regexp.MustCompile(`\p{Han}`).MatchString(got) {
			t.Errorf("%q: %s", args, got)
		}
	}
}
