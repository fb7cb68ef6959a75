package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** Whether the model answers its golden samples here as it did where it was trained. */
public final class SelftestReport {
    public final int numSamples;
    public final double maxDifference;
    public final double tolerance;
    public final boolean isPassed;
    public final String environment;

    SelftestReport(int numSamples, double maxDifference, double tolerance, String environment) {
        this.numSamples = numSamples;
        this.maxDifference = maxDifference;
        this.tolerance = tolerance;
        this.isPassed = maxDifference <= tolerance;
        this.environment = environment;
    }

    /** As JSON. */
    @Override
    public String toString() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("num_samples", (long) numSamples);
        fields.put("max_difference", maxDifference);
        fields.put("tolerance", tolerance);
        fields.put("is_passed", isPassed);
        fields.put("environment", environment);
        return Json.write(fields);
    }
}
