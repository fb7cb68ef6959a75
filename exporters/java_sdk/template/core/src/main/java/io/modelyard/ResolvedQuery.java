package io.modelyard;

/** A query with the model's own numbers in the places that it leaves open. */
final class ResolvedQuery {
    final int top;
    /** Lowest score of each label, in their order. */
    final double[] floors;

    ResolvedQuery(int top, double[] floors) {
        this.top = top;
        this.floors = floors;
    }
}
