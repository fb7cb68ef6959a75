package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** Between which numbers the true one lies, but for the error rate. */
public final class Interval {
    private final double low;
    private final double high;
    private final double errorRate;

    Interval(double low, double high, double errorRate) {
        this.low = low;
        this.high = high;
        this.errorRate = errorRate;
    }

    public double low() {
        return low;
    }

    public double high() {
        return high;
    }

    /** The share of items like those the model was judged by that lie outside, 0 to 1. */
    public double errorRate() {
        return errorRate;
    }

    Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("low", low);
        fields.put("high", high);
        fields.put("error_rate", errorRate);
        return fields;
    }
}
