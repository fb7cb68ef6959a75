package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A normalizer of {@code tokenizer.json}: rewrites a text, or what is left of it between special tokens. */
interface Normalizer {
    int[] rewrite(int[] text);

    /** @throws ModelException for what the library does not know, so that a model is refused when it is loaded. */
    static Normalizer of(Object given) {
        Map<String, Object> spec = Json.asObject(given, "a normalizer");
        Signs signs = Signs.known();
        String type = Json.asText(spec.get("type"), "the type of a normalizer");
        switch (type) {
            case "Sequence":
                List<Normalizer> steps = new ArrayList<>();
                for (Object each : Json.asList(spec.get("normalizers"), "normalizers")) steps.add(of(each));
                return text -> {
                    int[] other = text;
                    for (Normalizer step : steps) other = step.rewrite(other);
                    return other;
                };
            case "Replace":
                SignPattern pattern = new SignPattern(Json.asObject(spec.get("pattern"), "a pattern"));
                int[] by = Json.asText(spec.get("content"), "a replacement").codePoints().toArray();
                return text -> replaced(text, pattern, by);
            case "BertNormalizer":
                return bert(signs, spec);
            case "Lowercase":
                return signs::lowered;
            case "NFKC":
                return text -> signs.together(signs.apart(text, true));
            default:
                throw ModelException.artefact("the tokenizer: this library knows no normalizer " + type);
        }
    }

    static Normalizer bert(Signs signs, Map<String, Object> spec) {
        boolean isLower = Tokenizer.isTrue(spec, "lowercase");
        boolean isBare = spec.get("strip_accents") == null ? isLower : Tokenizer.isTrue(spec, "strip_accents");
        boolean isClean = Tokenizer.isTrue(spec, "clean_text");
        boolean isApart = Tokenizer.isTrue(spec, "handle_chinese_chars");
        return given -> {
            SignList text = new SignList(given.length);
            for (int sign : given) {
                if (isClean && signs.removed.hold(sign)) continue;
                if (isApart && signs.ideograph.hold(sign)) text.addAll(new int[] {' ', sign, ' '}, 0);
                else text.add(isClean && signs.blank.hold(sign) ? ' ' : sign);
            }
            int[] found = text.toArray();
            if (isBare) found = bare(signs, found);
            return isLower ? signs.lowered(found) : found;
        };
    }

    static int[] bare(Signs signs, int[] text) {
        SignList bare = new SignList(text.length);
        for (int sign : signs.apart(text, false)) if (!signs.mark.hold(sign)) bare.add(sign);
        return bare.toArray();
    }

    static int[] replaced(int[] text, SignPattern pattern, int[] by) {
        SignList other = new SignList(text.length);
        for (int at = 0; at < text.length; ) {
            int length = pattern.length(text, at);
            other.addAll(length > 0 ? by : null, text[at]);
            at += Math.max(1, length);
        }
        return other.toArray();
    }
}
