package decide

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// node is a part of a workload file, which knows where it stands.
type node struct {
	file         string
	line, column int
	scalar       bool
	text         string // of a scalar
	fields       []field
	items        []*node // of a list
	list         bool
}

// field is one line of a mapping.
type field struct {
	name  string
	at    *node // where the name stands
	value *node
}

// wrong is a user's mistake at this place.
func (n *node) wrong(en, zh string, args ...any) error {
	return language.Errorf("%s:%d:%d: "+en, "%s:%d:%d："+zh, append([]any{n.file, n.line, n.column}, args...)...)
}

// readYAML reads a file into nodes.
func readYAML(file string, data []byte) (*node, error) {
	start := &node{file: file, line: 1, column: 1}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case !utf8.Valid(data):
		return nil, start.wrong("it is not in UTF-8", "不是 UTF-8 编码")
	case nesting(data) > mostNested:
		return nil, start.wrong("more than %d brackets stand open at once", "同时未闭合的括号多于 %d 个", mostNested)
	}
	if bytes.HasPrefix(data, []byte(`{"header":{"schema":"cryptogauge.run/`)) {
		return nil, start.wrong("it is a run file; give it with --run", "这是运行文件；请用 --run 给出")
	}
	parsed, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey()) // which is refused in both languages
	if err != nil {
		return nil, syntaxError(start, err)
	}
	if len(parsed.Docs) == 0 || parsed.Docs[0].Body == nil {
		return nil, start.wrong("the file is empty; it needs steps (see cryptogauge plan --schema)", "文件为空；需要 steps（见 cryptogauge plan --schema）")
	}
	if len(parsed.Docs) > 1 {
		return nil, start.wrong("it holds %d documents; give one", "文件含 %d 个文档；只能有一个", len(parsed.Docs))
	}
	return convert(file, parsed.Docs[0].Body)
}

// mostNested is far more than a workload needs: of many open brackets the parser takes minutes.
const mostNested = 100

func nesting(data []byte) (most int) {
	depth := 0
	for _, b := range data {
		switch b {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		most = max(most, depth)
	}
	return most
}

// syntaxError is what the parser says, in one line, and where.
func syntaxError(at *node, err error) error {
	var located interface {
		GetToken() *token.Token
		GetMessage() string
	}
	message := err.Error()
	if errors.As(err, &located) {
		message = located.GetMessage()
		at = place(at.file, located.GetToken())
	}
	if message, _, _ = strings.Cut(message, "\n"); strings.HasPrefix(message, "tab character") || strings.Contains(message, "'\t'") {
		return at.wrong("indent by spaces, not by tabs", "缩进请用空格，不要用制表符")
	}
	return at.wrong("%s", "YAML 语法错误：%s", message)
}

func place(file string, t *token.Token) *node {
	n := &node{file: file, line: 1, column: 1}
	if t != nil && t.Position != nil {
		n.line, n.column = t.Position.Line, t.Position.Column
	}
	return n
}

func convert(file string, from ast.Node) (*node, error) {
	n := place(file, from.GetToken())
	switch from := from.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return nil, n.wrong("anchors, aliases and tags are not used here; write the value itself", "此处不支持锚点、别名与标签；请直接写出值")
	case *ast.CommentGroupNode:
		return n.mapping(nil)
	case *ast.MappingNode:
		return n.mapping(from.Values)
	case *ast.MappingValueNode:
		return n.mapping([]*ast.MappingValueNode{from})
	case *ast.SequenceNode:
		n.list = true
		for _, value := range from.Values {
			item, err := convert(file, value)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		return n, nil
	case *ast.LiteralNode:
		n.scalar, n.text = true, from.Value.Value
		return n, nil
	case *ast.StringNode:
		n.scalar, n.text = true, from.Value
		return n, nil
	case ast.ScalarNode:
		n.scalar, n.text = true, from.GetToken().Value
		return n, nil
	}
	return nil, n.wrong("a value, a list or fields are expected here", "此处应为值、列表或字段")
}

func (n *node) mapping(values []*ast.MappingValueNode) (*node, error) {
	for _, v := range values {
		at := place(n.file, v.Key.GetToken())
		value, err := convert(n.file, v.Value)
		if err != nil {
			return nil, err
		}
		if len(n.fields) == 0 { // a mapping begins where its first name does
			n.line, n.column = at.line, at.column
		}
		name := v.Key.GetToken().Value
		for _, f := range n.fields {
			if f.name == name {
				return nil, at.wrong("%s stands twice", "%s 重复出现", name)
			}
		}
		n.fields = append(n.fields, field{name, at, value})
	}
	return n, nil
}
