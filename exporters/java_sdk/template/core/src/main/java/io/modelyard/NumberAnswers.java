package io.modelyard;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** One number that belongs to the item, such as a price. */
final class NumberAnswers extends Answers {
    private static final int MOST_DIGITS = 9;

    NumberAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return 1;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 1 || answer.axes[0] != 1)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with one number");
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        return Collections.singletonList(Annotation.ofValue(valueOf(answer)));
    }

    @Override
    Answer answer(List<Annotation> annotations, Tensor answer, Map<String, Double> thresholds, Coverage coverage) {
        Interval interval = new Interval(end(answer, -coverage.reach()), end(answer, coverage.reach()), coverage.errorRate);
        return new Answer(annotations, null, Collections.emptyList(), interval);
    }

    private static double end(Tensor answer, double apart) {
        return new BigDecimal(answer.data[0] + apart).round(new MathContext(MOST_DIGITS)).doubleValue();
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        List<Object> scores = Json.asList(sample.get("scores"), "scores");
        if (scores.size() != 1) throw ModelException.artefact("a golden number is missing");
        return Math.abs(valueOf(answer) - Json.asNumber(scores.get(0), "a golden number"));
    }

    /** The number, with as many digits as tell it from its neighbours among floats. */
    private static double valueOf(Tensor answer) {
        float number = answer.data[0];
        if (Float.isNaN(number) || Float.isInfinite(number)) throw new ModelException("answer_invalid", "the model answers " + number);
        BigDecimal exact = new BigDecimal(number);
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            double shorter = exact.round(new MathContext(digits)).doubleValue();
            if ((float) shorter == number) return shorter;
        }
        return exact.round(new MathContext(MOST_DIGITS)).doubleValue();
    }
}
