package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A pre-tokenizer of {@code tokenizer.json}: takes a text apart. */
interface Splitter {
    List<int[]> split(int[] text);

    /** @throws ModelException for what the library does not know, so that a model is refused when it is loaded. */
    static Splitter of(Object given) {
        Map<String, Object> spec = Json.asObject(given, "a pre-tokenizer");
        String type = Json.asText(spec.get("type"), "the type of a pre-tokenizer");
        switch (type) {
            case "Sequence":
                List<Splitter> steps = new ArrayList<>();
                for (Object each : Json.asList(spec.get("pretokenizers"), "pretokenizers")) steps.add(of(each));
                return text -> inTurn(text, steps);
            case "Split":
                if (!"Isolated".equals(spec.get("behavior")) || Tokenizer.isTrue(spec, "invert"))
                    throw ModelException.artefact("the tokenizer: this library only splits with the behaviour Isolated");
                SignPattern pattern = new SignPattern(Json.asObject(spec.get("pattern"), "a pattern"));
                return text -> isolated(text, pattern);
            case "Metaspace":
                int[] space = Json.asText(spec.get("replacement"), "replacement").codePoints().toArray();
                if (!"always".equals(spec.get("prepend_scheme")) || space.length != 1)
                    throw ModelException.artefact("the tokenizer: this library prepends one character, and always");
                boolean isSplit = Tokenizer.isTrue(spec, "split");
                return text -> metaspace(text, space[0], isSplit);
            case "BertPreTokenizer":
                return text -> words(text, true);
            case "WhitespaceSplit":
                return text -> words(text, false);
            default:
                throw ModelException.artefact("the tokenizer: this library knows no pre-tokenizer " + type);
        }
    }

    static List<int[]> inTurn(int[] text, List<Splitter> steps) {
        List<int[]> words = Collections.singletonList(text);
        for (Splitter step : steps) {
            List<int[]> next = new ArrayList<>();
            for (int[] word : words) next.addAll(step.split(word));
            words = next;
        }
        return words;
    }

    static void add(List<int[]> words, int[] text, int from, int to) {
        if (to > from) words.add(Arrays.copyOfRange(text, from, to));
    }

    /** Words between white space; punctuation, where it is parted, is a word each. */
    static List<int[]> words(int[] text, boolean isParted) {
        Signs signs = Signs.known();
        List<int[]> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length; at++) {
            boolean isWhite = signs.white.hold(text[at]);
            boolean isMark = isParted && !isWhite && signs.punctuation.hold(text[at]);
            if (!isWhite && !isMark) continue;
            add(words, text, from, at);
            if (isMark) add(words, text, at, at + 1);
            from = at + 1;
        }
        add(words, text, from, text.length);
        return words;
    }

    static List<int[]> isolated(int[] text, SignPattern pattern) {
        List<int[]> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length; ) {
            int length = pattern.length(text, at);
            if (length > 0) {
                add(words, text, from, at);
                add(words, text, at, at + length);
                from = at + length;
            }
            at += Math.max(1, length);
        }
        add(words, text, from, text.length);
        return words;
    }

    static List<int[]> metaspace(int[] text, int space, boolean isSplit) {
        SignList signs = new SignList(text.length + 1);
        if (text.length > 0 && text[0] != space && text[0] != ' ') signs.add(space);
        for (int sign : text) signs.add(sign == ' ' ? space : sign);
        int[] whole = signs.toArray();
        List<int[]> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; isSplit && at < whole.length; at++) {
            if (whole[at] != space) continue;
            add(words, whole, from, at);
            from = at;
        }
        add(words, whole, from, whole.length);
        return words;
    }
}
