package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Texts to the ids that a model takes: what {@code tokenizer.json} says, with the ids that the tokenizers library gives. */
final class Tokenizer {
    private static final class Special {
        final int[] content;
        final int id;

        Special(int[] content, int id) {
            this.content = content;
            this.id = id;
        }
    }

    /** Longest first. */
    private final List<Special> specials = new ArrayList<>();

    private final Normalizer normalizer;
    private final Splitter splitter;
    private final Pieces pieces;
    private final SignList before = new SignList(0);
    private final SignList behind = new SignList(0);
    /** Ids of a text, without those behind it. */
    private final int most;

    /** @param definition the content of a {@code tokenizer.json}. */
    Tokenizer(Map<String, Object> definition) {
        for (Object each : Json.asList(definition.get("added_tokens"), "added_tokens")) readSpecial(Json.asObject(each, "an added token"));
        Collections.sort(specials, (one, other) -> Integer.compare(other.content.length, one.content.length));
        Object given = definition.get("normalizer");
        normalizer = given == null ? text -> text : Normalizer.of(given);
        given = definition.get("pre_tokenizer");
        splitter = given == null ? Collections::singletonList : Splitter.of(given);
        pieces = Pieces.of(Json.asObject(definition.get("model"), "the tokenizer's model"));
        if (definition.get("post_processor") != null) readTemplate(Json.asObject(definition.get("post_processor"), "post_processor"));
        most = definition.get("truncation") == null ? Integer.MAX_VALUE : readMost(Json.asObject(definition.get("truncation"), "truncation"));
    }

    static boolean isTrue(Map<String, Object> spec, String key) {
        Object value = spec.get(key);
        if (!(value instanceof Boolean)) throw ModelException.artefact("the tokenizer: " + key + " is true or false");
        return (Boolean) value;
    }

    static boolean isAt(int[] text, int at, int[] part) {
        if (part.length > text.length - at) return false;
        for (int place = 0; place < part.length; place++) if (text[at + place] != part[place]) return false;
        return true;
    }

    private void readSpecial(Map<String, Object> token) {
        for (String key : Arrays.asList("single_word", "lstrip", "rstrip", "normalized"))
            if (isTrue(token, key)) throw ModelException.artefact("the tokenizer: this library knows no added token with " + key);
        int[] content = Json.asText(token.get("content"), "an added token").codePoints().toArray();
        if (content.length == 0) throw ModelException.artefact("the tokenizer: an added token is empty");
        specials.add(new Special(content, Json.asInt(token.get("id"), "an id")));
    }

    private void readTemplate(Map<String, Object> around) {
        if (!"TemplateProcessing".equals(around.get("type")))
            throw ModelException.artefact("the tokenizer: this library knows no post-processor " + around.get("type"));
        Map<String, Object> tokens = Json.asObject(around.get("special_tokens"), "special_tokens");
        SignList into = before;
        for (Object entry : Json.asList(around.get("single"), "single")) {
            Map<String, Object> each = Json.asObject(entry, "a part of the template");
            if (each.containsKey("Sequence")) {
                if (into != before) throw ModelException.artefact("the tokenizer: the text stands twice in the template");
                into = behind;
                continue;
            }
            Object name = Json.asObject(each.get("SpecialToken"), "a special token").get("id");
            Map<String, Object> token = Json.asObject(tokens.get(Json.asText(name, "a special token")), "a special token");
            for (Object id : Json.asList(token.get("ids"), "ids")) into.add(Json.asInt(id, "an id"));
        }
        if (into != behind) throw ModelException.artefact("the tokenizer: the text is missing in the template");
    }

    private int readMost(Map<String, Object> cut) {
        if (!"Right".equals(cut.get("direction"))) throw ModelException.artefact("the tokenizer: this library cuts texts off at their end only");
        int length = Json.asInt(cut.get("max_length"), "max_length") - behind.size();
        if (length <= before.size()) throw ModelException.artefact("the tokenizer: no token of a text is left");
        return length;
    }

    /** Cut off, and with the special tokens around it, as the file says. */
    int[] ids(int[] text) {
        SignList found = new SignList(text.length);
        found.addAll(before.toArray(), 0);
        int begun = 0;
        for (int at = 0; at < text.length && found.size() < most; ) {
            Special special = specialAt(text, at);
            if (special == null) {
                at++;
                continue;
            }
            append(Arrays.copyOfRange(text, begun, at), found);
            found.add(special.id);
            at += special.content.length;
            begun = at;
        }
        append(Arrays.copyOfRange(text, begun, text.length), found);
        found.cut(most);
        found.addAll(behind.toArray(), 0);
        return found.toArray();
    }

    private Special specialAt(int[] text, int at) {
        for (Special each : specials) if (isAt(text, at, each.content)) return each;
        return null;
    }

    private void append(int[] part, SignList ids) {
        if (part.length == 0) return;
        for (int[] word : splitter.split(normalizer.rewrite(part))) {
            pieces.append(word, ids);
            if (ids.size() >= most) return;
        }
    }
}
