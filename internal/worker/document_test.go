package worker

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// readDocument returns the requests and the replies of the examples in the protocol's
// document, in order. Fields that nobody knows are errors.
func readDocument(t *testing.T) (asked []request, answered []reply) {
	t.Helper()
	text, err := os.ReadFile("../../docs/worker-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		example := strings.TrimPrefix(strings.TrimSpace(line), "> ")
		if !strings.HasPrefix(example, `{"id":`) {
			continue
		}
		into := any(new(reply))
		if strings.Contains(example, `"do":`) {
			into = new(request)
		}
		d := json.NewDecoder(bytes.NewReader([]byte(example)))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			t.Errorf("%s: %v", example, err)
		}
		switch x := into.(type) {
		case *request:
			asked = append(asked, *x)
		case *reply:
			answered = append(answered, *x)
		}
	}
	return asked, answered
}

// verbsServed are the cases of the switches over a request's verb.
func verbsServed(t *testing.T) (verbs []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "serve.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		if tag, ok := s.Tag.(*ast.SelectorExpr); !ok || tag.Sel.Name != "Do" {
			return true
		}
		for _, clause := range s.Body.List {
			for _, e := range clause.(*ast.CaseClause).List {
				verb, err := strconv.Unquote(e.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				verbs = append(verbs, verb)
			}
		}
		return true
	})
	return verbs
}

// TestDocument: the examples of docs/worker-protocol.md are what is spoken here: each
// parses, each request is followed by its answer, and the verbs and the kinds of faults
// are those of this package.
func TestDocument(t *testing.T) {
	asked, answered := readDocument(t)
	var verbs []string
	for _, q := range asked {
		verbs = append(verbs, q.Do)
		if q.Do == "hello" && q.Protocol != Protocol {
			t.Errorf("an example speaks version %d", q.Protocol)
		}
		if !slices.ContainsFunc(answered, func(r reply) bool { return r.ID == q.ID && (r.Fault != nil || answers(q.Do, r)) }) {
			t.Errorf("request %d, %s, has no answer of its kind", q.ID, q.Do)
		}
	}
	slices.Sort(verbs)
	served := verbsServed(t)
	slices.Sort(served)
	if verbs = slices.Compact(verbs); len(served) == 0 || !slices.Equal(verbs, served) {
		t.Errorf("the document has the verbs %q, the worker %q", verbs, served)
	}
	text, err := os.ReadFile("../../docs/worker-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range served {
		if !bytes.Contains(text, []byte("### "+verb+"\n")) {
			t.Errorf("%s has no section", verb)
		}
	}
	for _, kind := range []string{Absent, Unsupported, Incorrect, Failed} {
		if !bytes.Contains(text, []byte("| `"+kind+"` |")) {
			t.Errorf("the kind of fault %q is not told", kind)
		}
	}
}

// answers says whether a reply holds what a verb is answered with.
func answers(verb string, r reply) bool {
	switch verb {
	case "hello":
		return r.Hello != nil && r.Hello.Protocol == Protocol
	case "probe":
		return r.About != nil
	case "open":
		return r.About != nil && r.About.Digest != ""
	case "ready":
		return r.Ready != nil && r.Ready.Calls > 0
	case "run":
		return len(r.Run) == 9
	case "measure":
		return r.Record != nil && len(r.Samples) > 0 && len(r.Artifacts) > 0
	}
	return r.Fault == nil
}
