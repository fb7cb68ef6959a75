package io.modelyard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What the tokenizers library, whose ids are given here, knows of Unicode characters. Texts are arrays of their numbers. */
final class Signs {
    private static final String FILE = "unicode.txt";
    private static final int HEX = 16;
    // Hangul, whose syllables follow from a formula (Unicode Standard, 3.12).
    private static final int SYLLABLE = 0xAC00;
    private static final int LEAD = 0x1100;
    private static final int VOWEL = 0x1161;
    private static final int TAIL = 0x11A7;
    private static final int LEADS = 19;
    private static final int VOWELS = 21;
    private static final int TAILS = 28;
    private static final int SYLLABLES = LEADS * VOWELS * TAILS;

    /** Characters, as ranges of their numbers. */
    static final class Ranges {
        private final int[] firsts;
        private final int[] lasts;

        /** @param bounds first and last of each range in turn, in order. */
        Ranges(int... bounds) {
            firsts = new int[bounds.length / 2];
            lasts = new int[bounds.length / 2];
            for (int place = 0; place < firsts.length; place++) {
                firsts[place] = bounds[2 * place];
                lasts[place] = bounds[2 * place + 1];
            }
        }

        boolean hold(int sign) {
            int found = Arrays.binarySearch(firsts, sign);
            int place = found >= 0 ? found : -found - 2;
            return place >= 0 && sign <= lasts[place];
        }
    }

    private static final class Holder {
        static final Signs KNOWN = new Signs();
    }

    /** White space that a text does not begin or end with. */
    final Ranges ends;
    /** White space that parts words. */
    final Ranges white;
    /** What {@code \s} stands for. */
    final Ranges patternWhite;
    /** What BERT's cleaning takes out. */
    final Ranges removed;
    /** What it turns into a space. */
    final Ranges blank;
    /** Chinese characters, each a word. */
    final Ranges ideograph;
    /** Accents. */
    final Ranges mark;
    final Ranges punctuation;

    private final Map<Integer, int[]> lower = new HashMap<>();
    /** Parts of a character. */
    private final Map<Integer, int[]> canonical = new HashMap<>();
    /** Parts of one that only means the same; where they are other ones. */
    private final Map<Integer, int[]> compatible = new HashMap<>();
    /** By which accents are ordered; 0 of those that are not here. */
    private final Map<Integer, Integer> classes = new HashMap<>();
    private final Map<Long, Integer> pairs = new HashMap<>();

    private Signs() {
        Map<String, String> lines = new HashMap<>();
        for (String line : file().split("\n")) lines.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1));
        ends = ranges(lines.get("ends"));
        white = ranges(lines.get("white"));
        patternWhite = ranges(lines.get("pattern_white"));
        removed = ranges(lines.get("removed"));
        blank = ranges(lines.get("blank"));
        ideograph = ranges(lines.get("ideograph"));
        mark = ranges(lines.get("mark"));
        punctuation = ranges(lines.get("punctuation"));
        for (String entry : lines.get("lower").split(" ")) readShift(entry);
        readMap(lines.get("lower_long"), lower);
        readMap(lines.get("canonical"), canonical);
        readMap(lines.get("compatible"), compatible);
        for (String entry : lines.get("class").split(" ")) {
            String[] parts = entry.split("=");
            int[] range = range(parts[0]);
            for (int sign = range[0]; sign <= range[1]; sign++) classes.put(sign, number(parts[1]));
        }
        Map<Integer, int[]> composed = new HashMap<>();
        readMap(lines.get("pair"), composed);
        for (Map.Entry<Integer, int[]> each : composed.entrySet()) pairs.put(pair(each.getValue()[0], each.getValue()[1]), each.getKey());
    }

    static Signs known() {
        return Holder.KNOWN;
    }

    private static String file() {
        try (InputStream stream = Signs.class.getResourceAsStream(FILE)) {
            if (stream == null) throw new IOException("it is not there");
            return new String(Manifest.all(stream), StandardCharsets.US_ASCII);
        } catch (IOException error) {
            throw new ModelException("artefact_unreadable", FILE + " of the library cannot be read: " + ModelException.reason(error), error);
        }
    }

    private static int number(String text) {
        return Integer.parseInt(text, HEX);
    }

    private static int[] range(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) return new int[] {number(text), number(text)};
        return new int[] {number(text.substring(0, dash)), number(text.substring(dash + 1))};
    }

    private static Ranges ranges(String line) {
        String[] entries = line.split(" ");
        int[] bounds = new int[2 * entries.length];
        for (int place = 0; place < entries.length; place++) System.arraycopy(range(entries[place]), 0, bounds, 2 * place, 2);
        return new Ranges(bounds);
    }

    private void readShift(String entry) {
        int at = Math.max(entry.indexOf('+'), entry.indexOf('~'));
        int[] range = range(entry.substring(0, at));
        int shift = number(entry.substring(at + 1)) * (entry.charAt(at) == '+' ? 1 : -1);
        for (int sign = range[0]; sign <= range[1]; sign++) lower.put(sign, new int[] {sign + shift});
    }

    private static void readMap(String line, Map<Integer, int[]> into) {
        for (String entry : line.split(" ")) {
            int at = entry.indexOf('=');
            String[] parts = entry.substring(at + 1).split(",");
            int[] signs = new int[parts.length];
            for (int place = 0; place < parts.length; place++) signs[place] = number(parts[place]);
            into.put(number(entry.substring(0, at)), signs);
        }
    }

    private static long pair(int first, int second) {
        return (long) first << 32 | second;
    }

    private int classOf(int sign) {
        Integer found = classes.get(sign);
        return found == null ? 0 : found;
    }

    int[] lowered(int[] text) {
        SignList low = new SignList(text.length);
        for (int sign : text) low.addAll(lower.get(sign), sign);
        return low.toArray();
    }

    /** Every character taken apart, and its accents in order: NFD, or NFKD. */
    int[] apart(int[] text, boolean isCompatible) {
        SignList parts = new SignList(text.length);
        for (int sign : text) {
            if (sign >= SYLLABLE && sign < SYLLABLE + SYLLABLES) {
                int number = sign - SYLLABLE;
                parts.add(LEAD + number / (VOWELS * TAILS));
                parts.add(VOWEL + number / TAILS % VOWELS);
                if (number % TAILS != 0) parts.add(TAIL + number % TAILS);
                continue;
            }
            int[] own = isCompatible ? compatible.get(sign) : null;
            parts.addAll(own == null ? canonical.get(sign) : own, sign);
        }
        return ordered(parts.toArray());
    }

    private int[] ordered(int[] text) {
        for (int begin = 0, end; begin < text.length; begin = end + 1) {
            end = begin;
            while (end < text.length && classOf(text[end]) != 0) end++;
            if (end - begin < 2) continue;
            Integer[] accents = new Integer[end - begin];
            for (int place = begin; place < end; place++) accents[place - begin] = text[place];
            Arrays.sort(accents, (one, other) -> Integer.compare(classOf(one), classOf(other))); // keeps the order of equals
            for (int place = begin; place < end; place++) text[place] = accents[place - begin];
        }
        return text;
    }

    /** What was taken apart, put together: of NFKD NFKC. */
    int[] together(int[] text) {
        int[] whole = new int[text.length];
        int size = 0;
        int starter = -1;
        int last = 0;
        for (int sign : text) {
            int own = classOf(sign);
            if (starter >= 0 && (starter + 1 == size || last < own)) {
                int both = joined(whole[starter], sign);
                if (both != 0) {
                    whole[starter] = both;
                    continue;
                }
            }
            if (own == 0) starter = size;
            last = own;
            whole[size++] = sign;
        }
        return Arrays.copyOf(whole, size);
    }

    /** One character for two; 0 where there is none. */
    private int joined(int first, int second) {
        if (first >= LEAD && first < LEAD + LEADS && second >= VOWEL && second < VOWEL + VOWELS)
            return SYLLABLE + ((first - LEAD) * VOWELS + (second - VOWEL)) * TAILS;
        boolean isOpen = first >= SYLLABLE && first < SYLLABLE + SYLLABLES && (first - SYLLABLE) % TAILS == 0;
        if (isOpen && second > TAIL && second < TAIL + TAILS) return first + (second - TAIL);
        Integer found = pairs.get(pair(first, second));
        return found == null ? 0 : found;
    }
}
