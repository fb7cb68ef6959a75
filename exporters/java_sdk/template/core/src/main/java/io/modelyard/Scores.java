package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A score a label, 0 to 1: what kinds of scores have in common. */
abstract class Scores extends Answers {
    /** Difference that counts for a label which only one side knows. */
    private static final double MISSING_LABEL = 1;

    Scores(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return 5;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 1 || answer.axes[0] != labels.size())
            throw ModelException.artefact("the model answers in shape " + answer.shape() + " for " + labels.size() + " labels");
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        List<Integer> order = new ArrayList<>();
        for (int place = labels.size() - 1; place >= 0; place--) {
            if (Float.isNaN(answer.data[place])) throw new ModelException("answer_invalid", "the model answers with a score that is no number");
            order.add(place);
        }
        order.sort((a, b) -> Float.compare(answer.data[b], answer.data[a]));
        List<Annotation> found = new ArrayList<>();
        for (int place : order) {
            double score = within(rounded(answer.data[place], SCORE_DIGITS));
            if (score < resolved.floors[place]) continue;
            found.add(Annotation.ofClass(labels.get(place), score));
            if (found.size() == resolved.top) break;
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        List<Object> scores = Json.asList(sample.get("scores"), "scores");
        if (names.size() != labels.size() || scores.size() != labels.size()) return MISSING_LABEL;
        double worst = 0;
        for (int place = 0; place < labels.size(); place++) {
            int same = names.indexOf(labels.get(place));
            if (same < 0) return MISSING_LABEL;
            double apart = Math.abs(answer.data[place] - Json.asNumber(scores.get(same), "a score"));
            worst = Math.max(worst, Double.isNaN(apart) ? MISSING_LABEL : apart);
        }
        return worst;
    }
}
