package io.modelyard;

import java.util.List;
import java.util.Map;

/** A kind of answers: how numbers become annotations, and how far they are from a golden sample. */
abstract class Answers {
    static final int SCORE_DIGITS = 6;

    final List<String> labels;

    Answers(List<String> labels) {
        this.labels = labels;
    }

    abstract int defaultTop();

    /** Looks whether the model answers in the form of this kind. */
    abstract void check(Tensor answer);

    /** Annotations, best first; width and height in pixels of the upright picture. */
    abstract List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved);

    /** The annotations with what follows from an error rate; thresholds are those by which the model predicts. */
    Answer answer(List<Annotation> annotations, Tensor answer, Map<String, Double> thresholds, Coverage coverage) {
        throw ModelException.artefact("this kind of answers has no error rate");
    }

    /**
     * The largest difference from a golden sample.
     *
     * @param names labels in the order of the sample's numbers.
     */
    abstract double difference(Map<String, Object> sample, List<String> names, Tensor answer);

    /** The label of a number that the model gives. */
    final int labelAt(double index) {
        if (!(index >= 0) || index >= labels.size())
            throw new ModelException("answer_invalid", "the model answers with a label that does not exist");
        return (int) index;
    }

    /** The largest difference of numbers; {@code missing} where one is none. */
    static double largestApart(List<Object> expected, float[] given, double missing) {
        double worst = 0;
        for (int place = 0; place < given.length; place++) {
            double apart = Math.abs(given[place] - Json.asNumber(expected.get(place), "a golden number"));
            worst = Math.max(worst, Double.isNaN(apart) ? missing : apart);
        }
        return worst;
    }

    static double rounded(double value, int digits) {
        double unit = Math.pow(10, digits);
        return Math.rint(value * unit) / unit;
    }

    static double within(double value) {
        return Math.min(1, Math.max(0, value));
    }
}
