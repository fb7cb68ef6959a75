package io.modelyard;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A model of {@code tokenizer.json}: a vocabulary, and the way in which a word is found in it. */
interface Pieces {
    void append(int[] word, SignList ids);

    /** @throws ModelException for what the library does not know, so that a model is refused when it is loaded. */
    static Pieces of(Map<String, Object> spec) {
        String type = Json.asText(spec.get("type"), "the type of the tokenizer's model");
        switch (type) {
            case "WordPiece":
                return new WordPieces(spec);
            case "BPE":
                return characters(spec);
            case "Unigram":
                return new Unigrams(spec);
            default:
                throw ModelException.artefact("the tokenizer: this library knows no model " + type);
        }
    }

    static Map<String, Integer> vocabulary(Map<String, Object> spec) {
        Map<String, Integer> ids = new HashMap<>();
        for (Map.Entry<String, Object> each : Json.asObject(spec.get("vocab"), "vocab").entrySet())
            ids.put(each.getKey(), Json.asInt(each.getValue(), "an id"));
        return ids;
    }

    static int unknown(Map<String, Object> spec, Map<String, Integer> ids) {
        Integer id = ids.get(Json.asText(spec.get("unk_token"), "unk_token"));
        if (id == null) throw ModelException.artefact("the tokenizer: what is unknown has no id");
        return id;
    }

    /** Byte pair encoding that merges nothing: its pieces are characters. */
    static Pieces characters(Map<String, Object> spec) {
        boolean isPlain = Json.asList(spec.get("merges"), "merges").isEmpty() && !Tokenizer.isTrue(spec, "byte_fallback");
        for (String affix : Arrays.asList("continuing_subword_prefix", "end_of_word_suffix")) {
            Object value = spec.get(affix);
            isPlain &= value == null || value.equals("");
        }
        if (!isPlain || Tokenizer.isTrue(spec, "fuse_unk"))
            throw ModelException.artefact("the tokenizer: this library merges no pairs, and knows no byte_fallback and no fuse_unk");
        Map<String, Integer> named = vocabulary(spec);
        Map<Integer, Integer> ids = new HashMap<>();
        for (Map.Entry<String, Integer> each : named.entrySet()) {
            int first = each.getKey().isEmpty() ? 0 : each.getKey().codePointAt(0);
            if (each.getKey().length() == Character.charCount(first)) ids.put(first, each.getValue());
        }
        int unknown = unknown(spec, named);
        return (word, found) -> {
            for (int sign : word) {
                Integer id = ids.get(sign);
                found.add(id == null ? unknown : id);
            }
        };
    }

    /**
     * The longest piece from the left, then the longest from its end on (Wu et al. 2016). A word that does not come out is unknown as a
     * whole.
     */
    final class WordPieces implements Pieces {
        private final Map<String, Integer> ids;
        private final String prefix;
        private final int longest;
        private final int unknown;

        WordPieces(Map<String, Object> spec) {
            ids = vocabulary(spec);
            prefix = Json.asText(spec.get("continuing_subword_prefix"), "continuing_subword_prefix");
            longest = Json.asInt(spec.get("max_input_chars_per_word"), "max_input_chars_per_word");
            unknown = unknown(spec, ids);
        }

        @Override
        public void append(int[] word, SignList found) {
            int before = found.size();
            for (int first = 0, end; first < word.length && word.length <= longest; first = end) {
                Integer id = null;
                for (end = word.length; end > first; end--) {
                    String piece = new String(word, first, end - first);
                    id = ids.get(first > 0 ? prefix + piece : piece);
                    if (id != null) break;
                }
                if (id == null) {
                    found.cut(before);
                    break;
                }
                found.add(id);
            }
            if (found.size() == before) found.add(unknown);
        }
    }

    /** The likeliest pieces (Kudo 2018), by Viterbi's algorithm. Unknown characters in a row are one piece. */
    final class Unigrams implements Pieces {
        /** How much less likely than the unlikeliest piece. */
        private static final double UNKNOWN = 10.0;

        private final Map<String, Integer> ids = new HashMap<>();
        private final double[] scores;
        private final int unknown;
        private final double unknownScore;
        private int longest;

        Unigrams(Map<String, Object> spec) {
            List<Object> vocabulary = Json.asList(spec.get("vocab"), "vocab");
            scores = new double[vocabulary.size()];
            unknown = Json.asInt(spec.get("unk_id"), "unk_id");
            if (unknown < 0 || unknown >= scores.length || Tokenizer.isTrue(spec, "byte_fallback"))
                throw ModelException.artefact("the tokenizer: the unknown piece has no id, or is written in bytes");
            double lowest = Double.POSITIVE_INFINITY;
            for (int id = 0; id < scores.length; id++) {
                List<Object> each = Json.asList(vocabulary.get(id), "a piece");
                if (each.size() != 2) throw ModelException.artefact("the tokenizer: a piece is a text and a number");
                String piece = Json.asText(each.get(0), "a piece");
                ids.put(piece, id);
                scores[id] = Json.asNumber(each.get(1), "a score");
                lowest = Math.min(lowest, scores[id]);
                longest = Math.max(longest, piece.codePointCount(0, piece.length()));
            }
            unknownScore = lowest - UNKNOWN;
        }

        @Override
        public void append(int[] word, SignList found) {
            int[] begins = new int[word.length + 1];
            int[] pieces = new int[word.length + 1];
            steps(word, begins, pieces);
            SignList backwards = new SignList(word.length);
            int unknownEnd = 0; // of unknown characters in a row; 0: there are none
            for (int end = word.length; end > 0; end = begins[end]) {
                if (pieces[end] == unknown) {
                    if (unknownEnd == 0) unknownEnd = end;
                    continue;
                }
                if (unknownEnd > 0) backwards.add(idOf(word, end, unknownEnd));
                unknownEnd = 0;
                backwards.add(pieces[end]);
            }
            if (unknownEnd > 0) backwards.add(idOf(word, 0, unknownEnd));
            int[] all = backwards.toArray();
            for (int place = all.length - 1; place >= 0; place--) found.add(all[place]);
        }

        /** The best way to each place: where its last piece begins, and which it is. */
        private void steps(int[] word, int[] begins, int[] pieces) {
            double[] best = new double[word.length + 1];
            Arrays.fill(begins, -1);
            for (int begin = 0; begin < word.length; begin++) {
                boolean isKnown = false;
                int most = Math.min(word.length, begin + longest);
                for (int end = begin + 1; end <= most; end++) {
                    Integer id = ids.get(new String(word, begin, end - begin));
                    if (id == null) continue;
                    isKnown |= end == begin + 1;
                    take(scores[id] + best[begin], begin, end, id, best, begins, pieces);
                }
                if (!isKnown) take(unknownScore + best[begin], begin, begin + 1, unknown, best, begins, pieces);
            }
        }

        private static void take(double score, int begin, int end, int id, double[] best, int[] begins, int[] pieces) {
            if (begins[end] >= 0 && !(score > best[end])) return;
            best[end] = score;
            begins[end] = begin;
            pieces[end] = id;
        }

        private int idOf(int[] word, int begin, int end) {
            Integer id = ids.get(new String(word, begin, end - begin));
            return id == null ? unknown : id;
        }
    }
}
