package io.modelyard;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A direction for the whole item: numbers whose squares add up to one, to be compared with those of other items. */
final class VectorAnswers extends Answers {
    private static final double LENGTH_TOLERANCE = 1e-2;
    /** Difference that counts for what is no number. */
    private static final double OTHER = 1;

    VectorAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return 1;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 1 || answer.data.length == 0)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with a vector");
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        double[] values = new double[answer.data.length];
        double squares = 0;
        for (int place = 0; place < values.length; place++) {
            squares += (double) answer.data[place] * answer.data[place];
            values[place] = rounded(answer.data[place], SCORE_DIGITS);
        }
        if (!(Math.abs(Math.sqrt(squares) - 1) <= LENGTH_TOLERANCE))
            throw new ModelException("answer_invalid", "the model answers with a vector of length " + Math.sqrt(squares) + ", not one");
        return Collections.singletonList(Annotation.ofVector(values));
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        List<Object> golden = Json.asList(sample.get("vector"), "a golden vector");
        if (golden.size() != answer.data.length) throw ModelException.artefact("the vector has another length than the golden sample's");
        return largestApart(golden, answer.data, OTHER);
    }
}
