package io.modelyard;

import java.util.Map;

/** A query with the model's own numbers in the places that it leaves open. */
final class ResolvedQuery {
    final int top;
    /** Lowest score of each label, in their order. */
    final double[] floors;
    /** Lowest score for every label; null where it was left open. */
    final Double threshold;
    /** Of the model, by label. */
    final Map<String, Double> thresholds;

    ResolvedQuery(int top, double[] floors, Double threshold, Map<String, Double> thresholds) {
        this.top = top;
        this.floors = floors;
        this.threshold = threshold;
        this.thresholds = thresholds;
    }
}
