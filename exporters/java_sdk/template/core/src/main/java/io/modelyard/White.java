package io.modelyard;

import java.util.ArrayList;
import java.util.List;

/** White space and digits as Python's {@code str} knows them: Java's own differ in a few characters. */
final class White {
    /** Within a class of characters of a pattern. */
    static final String CLASS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

    private White() {}

    static boolean is(char sign) {
        return (sign >= '\t' && sign <= '\r')
                || (sign >= 0x1c && sign <= 0x20)
                || sign == 0x85
                || sign == 0xa0
                || sign == 0x1680
                || (sign >= 0x2000 && sign <= 0x200a)
                || sign == 0x2028
                || sign == 0x2029
                || sign == 0x202f
                || sign == 0x205f
                || sign == 0x3000;
    }

    /** {@code str.strip()}. */
    static String stripped(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && is(text.charAt(start))) start++;
        while (end > start && is(text.charAt(end - 1))) end--;
        return text.substring(start, end);
    }

    /** {@code str.split()}. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (int at = 0; at < text.length(); at++) {
            int start = at;
            while (at < text.length() && !is(text.charAt(at))) at++;
            if (at > start) words.add(text.substring(start, at));
        }
        return words;
    }

    /** Decimal digits of any script as 0 to 9. */
    static String asciiDigits(String text) {
        StringBuilder found = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int sign = text.codePointAt(at);
            if (sign > '9' && Character.isDigit(sign)) found.append(Character.digit(sign, 10));
            else found.appendCodePoint(sign);
            at += Character.charCount(sign);
        }
        return found.toString();
    }
}
