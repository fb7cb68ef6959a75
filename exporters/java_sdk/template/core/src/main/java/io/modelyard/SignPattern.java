package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The patterns of tokenizers: a text, white space in a row, or one of some characters. Not regular expressions in general. */
final class SignPattern {
    /** Null: a character of the set, or several. */
    private final int[] text;

    private final Signs.Ranges set;
    private final boolean isRun;

    /** @param spec {@code {"String": ...}} or {@code {"Regex": ...}}. */
    SignPattern(Map<String, Object> spec) {
        boolean isText = spec.containsKey("String");
        String written = Json.asText(spec.get(isText ? "String" : "Regex"), "a pattern");
        text = isText ? written.codePoints().toArray() : null;
        isRun = written.equals("\\s+");
        set = isText ? null : setOf(written);
        if (isText && written.isEmpty()) throw unknown("without characters");
    }

    private static Signs.Ranges setOf(String regex) {
        if (regex.equals("\\s+") || regex.equals("\\s")) return Signs.known().patternWhite;
        if (regex.equals("[\\s\\S]")) return new Signs.Ranges(0, Character.MAX_CODE_POINT);
        if (!regex.matches("(?s)\\[[^\\[\\]\\\\&^][^\\[\\]\\\\&]*\\]")) throw unknown(regex);
        int[] members = regex.substring(1, regex.length() - 1).codePoints().toArray();
        List<int[]> ranges = new ArrayList<>();
        for (int at = 0; at < members.length; at++) {
            boolean isRange = at + 2 < members.length && members[at + 1] == '-';
            ranges.add(new int[] {members[at], members[isRange ? at + 2 : at]});
            if (isRange) at += 2;
        }
        Collections.sort(ranges, (one, other) -> Integer.compare(one[0], other[0]));
        SignList bounds = new SignList(2 * ranges.size());
        for (int[] range : ranges) bounds.addAll(range, 0);
        return new Signs.Ranges(bounds.toArray());
    }

    private static ModelException unknown(String pattern) {
        return ModelException.artefact("the tokenizer: this library knows no pattern " + pattern);
    }

    /** The number of characters that match from there on; 0: none do. */
    int length(int[] given, int at) {
        if (text != null) return Tokenizer.isAt(given, at, text) ? text.length : 0;
        int end = at;
        while (end < given.length && set.hold(given[end]) && (isRun || end == at)) end++;
        return end - at;
    }
}
