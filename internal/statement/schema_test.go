package statement

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schema checks values as JSON Schema does, as far as the one that ships needs it: a keyword
// that it does not know fails the test.
type schema struct {
	root, defs map[string]any
}

func readSchema(t *testing.T) schema {
	b, err := os.ReadFile("../../statements/statements.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(b, &root); err != nil {
		t.Fatal(err)
	}
	return schema{root, root["$defs"].(map[string]any)}
}

func (s schema) check(rule map[string]any, v any) error {
	for keyword, want := range rule {
		if err := s.keyword(rule, keyword, want, v); err != nil {
			return err
		}
	}
	return nil
}

func (s schema) keyword(rule map[string]any, keyword string, want, v any) error {
	object, isObject := v.(map[string]any)
	switch keyword {
	case "$schema", "$defs", "title", "description":
	case "additionalProperties":
		if of, is := want.(map[string]any); is { // of which the shipped schema names no others
			for _, each := range object {
				if err := s.check(of, each); err != nil {
					return err
				}
			}
		}
	case "$ref":
		return s.check(s.defs[strings.TrimPrefix(want.(string), "#/$defs/")].(map[string]any), v)
	case "type":
		return ofType(want, v)
	case "required":
		for _, name := range want.([]any) {
			if _, there := object[name.(string)]; isObject && !there {
				return fmt.Errorf("%v is missing", name)
			}
		}
	case "dependentRequired":
		for name, needs := range want.(map[string]any) {
			if _, there := object[name]; there {
				if err := s.keyword(rule, "required", needs, v); err != nil {
					return err
				}
			}
		}
	case "properties":
		return s.properties(rule, want.(map[string]any), object)
	case "minProperties":
		if isObject && float64(len(object)) < want.(float64) {
			return fmt.Errorf("too few properties")
		}
	case "items":
		for _, item := range asList(v) {
			if err := s.check(want.(map[string]any), item); err != nil {
				return err
			}
		}
	case "minItems":
		if float64(len(asList(v))) < want.(float64) {
			return fmt.Errorf("too few items")
		}
	case "pattern":
		if text, is := v.(string); is && !regexp.MustCompile(want.(string)).MatchString(text) {
			return fmt.Errorf("%q does not match %s", text, want)
		}
	case "enum":
		if !slices.ContainsFunc(want.([]any), func(x any) bool { return reflect.DeepEqual(x, v) }) {
			return fmt.Errorf("%v is none of %v", v, want)
		}
	case "oneOf", "anyOf", "allOf":
		return s.several(keyword, want.([]any), v)
	case "not":
		if s.check(want.(map[string]any), v) == nil {
			return fmt.Errorf("%v is what it must not be", v)
		}
	default:
		return fmt.Errorf("the test does not know the keyword %s", keyword)
	}
	return nil
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func (s schema) properties(rule, known, object map[string]any) error {
	for name, v := range object {
		of, is := known[name].(map[string]any)
		if !is {
			if rule["additionalProperties"] == false {
				return fmt.Errorf("%s is not known", name)
			}
			continue
		}
		if err := s.check(of, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (s schema) several(keyword string, rules []any, v any) error {
	fit := 0
	for _, r := range rules {
		if s.check(r.(map[string]any), v) == nil {
			fit++
		}
	}
	if keyword == "oneOf" && fit != 1 || keyword == "anyOf" && fit == 0 || keyword == "allOf" && fit < len(rules) {
		return fmt.Errorf("%d of %s fit", fit, keyword)
	}
	return nil
}

func ofType(want, v any) error {
	is := map[string]bool{}
	switch v.(type) {
	case string:
		is["string"] = true
	case float64:
		is["number"] = true
	case bool:
		is["boolean"] = true
	case []any:
		is["array"] = true
	case map[string]any:
		is["object"] = true
	}
	names, several := want.([]any)
	if !several {
		names = []any{want}
	}
	if !slices.ContainsFunc(names, func(name any) bool { return is[name.(string)] }) {
		return fmt.Errorf("%v is not of type %v", v, want)
	}
	return nil
}
