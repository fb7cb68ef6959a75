package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** How long a prediction takes here, from the item's bytes to its annotations. */
public final class BenchReport {
    public final int numRuns;
    public final double medianMs;
    public final double p90Ms;
    public final double minMs;
    public final String environment;

    BenchReport(long[] sortedNs, String environment) {
        this.numRuns = sortedNs.length;
        this.medianMs = at(sortedNs, 0.5);
        this.p90Ms = at(sortedNs, 0.9);
        this.minMs = at(sortedNs, 0);
        this.environment = environment;
    }

    private static double at(long[] sortedNs, double share) {
        return sortedNs[Math.min(sortedNs.length - 1, (int) (share * sortedNs.length))] / 1e6;
    }

    /** As JSON. */
    @Override
    public String toString() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("num_runs", (long) numRuns);
        fields.put("median_ms", medianMs);
        fields.put("p90_ms", p90Ms);
        fields.put("min_ms", minMs);
        fields.put("environment", environment);
        return Json.write(fields);
    }
}
