package io.modelyard;

/** What the caller asks for. */
public final class Query {
    Integer top;
    Double threshold;
    boolean isLenient;

    /** At most so many annotations, from 1; usually 5 of scores, 100 of boxes and masks. */
    public Query top(int top) {
        if (top < 1) throw new ModelException("argument_invalid", "top is at least 1");
        this.top = top;
        return this;
    }

    /** Lowest score of every label, 0 to 1, in place of the model's thresholds. */
    public Query threshold(double threshold) {
        this.threshold = checkThreshold(threshold);
        return this;
    }

    /** A cell that cannot be read counts as missing instead of being an error. */
    public Query invalidCellsAreMissing() {
        this.isLenient = true;
        return this;
    }

    static double checkThreshold(double threshold) {
        if (!(threshold >= 0 && threshold <= 1)) throw new ModelException("argument_invalid", "a threshold lies between 0 and 1");
        return threshold;
    }
}
