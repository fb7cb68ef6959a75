package io.modelyard;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON: what the model says of itself, its golden samples, rows of a table. */
public final class Json {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads a document: {@code Map}, {@code List}, {@code String}, {@code Long}, {@code BigInteger}, {@code Double}, {@code Boolean}
     * or null.
     *
     * @throws ModelException {@code json_invalid}.
     */
    public static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.any(0);
        reader.skip();
        if (reader.at != text.length()) throw reader.broken("something follows the end");
        return value;
    }

    /** Reads a file of the artefact that holds an object. */
    static Map<String, Object> object(byte[] file, String name) {
        try {
            Object value = read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString());
            return asObject(value, name);
        } catch (CharacterCodingException error) {
            throw ModelException.artefact(name + " is not UTF-8");
        } catch (ModelException error) {
            throw ModelException.artefact(name + ": " + error.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asObject(Object value, String name) {
        if (!(value instanceof Map)) throw ModelException.artefact(name + " is no object");
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> asList(Object value, String name) {
        if (!(value instanceof List)) throw ModelException.artefact(name + " is no list");
        return (List<Object>) value;
    }

    static String asText(Object value, String name) {
        if (!(value instanceof String)) throw ModelException.artefact(name + " is no text");
        return (String) value;
    }

    static double asNumber(Object value, String name) {
        if (!(value instanceof Number)) throw ModelException.artefact(name + " is no number");
        return ((Number) value).doubleValue();
    }

    static int asInt(Object value, String name) {
        double number = asNumber(value, name);
        if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) throw ModelException.artefact(name + " is no whole number");
        return (int) number;
    }

    private Object any(int depth) {
        if (depth > DEEPEST) throw broken("too deep");
        skip();
        switch (peek()) {
            case '{':
                return objectAt(depth);
            case '[':
                return listAt(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> objectAt(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        at++;
        if (ends('}')) return fields;
        do {
            skip();
            String key = string();
            skip();
            take(':');
            fields.put(key, any(depth + 1));
        } while (goesOn('}'));
        return fields;
    }

    private List<Object> listAt(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        if (ends(']')) return items;
        do items.add(any(depth + 1));
        while (goesOn(']'));
        return items;
    }

    private Number number() {
        int start = at;
        boolean isWhole = true;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            isWhole &= ".eE".indexOf(text.charAt(at)) < 0;
            at++;
        }
        String digits = text.substring(start, at);
        try {
            if (!isWhole) return Double.valueOf(digits);
            BigInteger whole = new BigInteger(digits);
            return whole.bitLength() < Long.SIZE ? (Number) whole.longValue() : whole;
        } catch (NumberFormatException error) {
            throw broken("a value is expected");
        }
    }

    private String string() {
        take('"');
        StringBuilder found = new StringBuilder();
        for (; ; ) {
            char sign = next();
            if (sign == '"') return found.toString();
            found.append(sign == '\\' ? escaped() : sign);
        }
    }

    private char escaped() {
        char sign = next();
        switch (sign) {
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case '"':
            case '\\':
            case '/':
                return sign;
            case 'u':
                int code = 0;
                for (int place = 0; place < 4; place++) {
                    int digit = Character.digit(next(), 16);
                    if (digit < 0) throw broken("an unknown escape");
                    code = code * 16 + digit;
                }
                return (char) code;
            default:
                throw broken("an unknown escape");
        }
    }

    private Object word(String expected, Object value) {
        for (int place = 0; place < expected.length(); place++) take(expected.charAt(place));
        return value;
    }

    private boolean ends(char closing) {
        skip();
        if (peek() != closing) return false;
        at++;
        return true;
    }

    private boolean goesOn(char closing) {
        skip();
        char sign = next();
        if (sign != ',' && sign != closing) throw broken("a comma is missing");
        return sign == ',';
    }

    private void take(char expected) {
        if (next() != expected) throw broken("expected " + expected);
    }

    private void skip() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
        if (at >= text.length()) throw broken("it ends too early");
        return text.charAt(at);
    }

    private char next() {
        char sign = peek();
        at++;
        return sign;
    }

    private ModelException broken(String why) {
        return new ModelException("json_invalid", "not JSON, at character " + at + ": " + why);
    }

    /** Writes what {@link #read} gives. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map) {
            char before = '{';
            for (Map.Entry<?, ?> field : ((Map<?, ?>) value).entrySet()) {
                append(out.append(before), String.valueOf(field.getKey()));
                append(out.append(':'), field.getValue());
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Iterable) {
            char before = '[';
            for (Object item : (Iterable<?>) value) {
                append(out.append(before), item);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value instanceof CharSequence) {
            quote(out, (CharSequence) value);
        } else {
            out.append(value);
        }
    }

    private static void quote(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int place = 0; place < text.length(); place++) {
            char sign = text.charAt(place);
            if (sign == '"' || sign == '\\') out.append('\\').append(sign);
            else if (sign < ' ' || Character.isSurrogate(sign)) out.append(String.format("\\u%04x", (int) sign));
            else out.append(sign);
        }
        out.append('"');
    }
}
