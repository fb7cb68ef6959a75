package io.modelyard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The kinds of answers by their names, each with a class {@code ...Answers}. Written when the library was packed. */
final class AnswerKinds {
    private static final Map<String, Function<List<String>, Answers>> KINDS = new HashMap<>();

    static {
{{kinds}}
    }

    private AnswerKinds() {}

    static Answers of(String output, List<String> labels) {
        Function<List<String>, Answers> maker = KINDS.get(output);
        if (maker == null) throw ModelException.artefact("answers of the kind " + output + " are not known");
        return maker.apply(labels);
    }
}
