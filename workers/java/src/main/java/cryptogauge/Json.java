package cryptogauge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON (RFC 8259) of the protocol's lines. An object is a map, an array a list; a number without fraction is a
 * Long, whose bits are those of an unsigned one where it is above 2^63, as seeds are.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) throws Fault {
        Json j = new Json(text);
        Object value = j.value();
        if (j.next() != 0) {
            throw j.unexpected();
        }
        return value;
    }

    /** The next character that is no space; 0 at the end. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private Fault unexpected() {
        return new Fault("failed", "the request is not JSON: unexpected at character " + at);
    }

    private void expect(char c) throws Fault {
        if (next() != c) {
            throw unexpected();
        }
        at++;
    }

    private boolean skip(char c) {
        if (next() == c) {
            at++;
            return true;
        }
        return false;
    }

    private Object value() throws Fault {
        switch (next()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Object word(String word, Object value) throws Fault {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    private Map<String, Object> object() throws Fault {
        Map<String, Object> fields = new LinkedHashMap<>();
        expect('{');
        if (skip('}')) {
            return fields;
        }
        do {
            next();
            String name = string();
            expect(':');
            fields.put(name, value());
        } while (skip(','));
        expect('}');
        return fields;
    }

    private List<Object> array() throws Fault {
        List<Object> items = new ArrayList<>();
        expect('[');
        if (skip(']')) {
            return items;
        }
        do {
            items.add(value());
        } while (skip(','));
        expect(']');
        return items;
    }

    private String string() throws Fault {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            if (c == '\\' && at < text.length()) {
                c = escaped(text.charAt(at++));
            }
            out.append(c);
        }
        throw unexpected();
    }

    private char escaped(char c) throws Fault {
        int plain = "bfnrt".indexOf(c);
        if (plain >= 0) {
            return "\b\f\n\r\t".charAt(plain);
        }
        if (c != 'u') {
            return c; // the quote, the slash and the backslash stand for themselves
        }
        try {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw unexpected();
        }
    }

    private Object number() throws Fault {
        int begin = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(begin, at);
        try {
            if (number.chars().anyMatch(c -> ".eE".indexOf(c) >= 0)) {
                return Double.valueOf(number);
            }
            return number.startsWith("-") ? Long.parseLong(number) : Long.parseUnsignedLong(number);
        } catch (NumberFormatException e) {
            throw unexpected();
        }
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> fields) {
            String before = "{";
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.append(before);
                write(out, field.getKey());
                out.append(':');
                write(out, field.getValue());
                before = ",";
            }
            out.append(fields.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String before = "[";
            for (Object item : items) {
                out.append(before);
                write(out, item);
                before = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            quote(out, text);
        } else {
            out.append(value); // a number, true, false or null
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
