package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** The error rate that was chosen for a model, and what follows from it. */
final class Coverage {
    final double errorRate;
    /** Lowest score by label with which it is possible. */
    final Map<String, Double> limits = new LinkedHashMap<>();
    /** To either side of a number; null of labels. */
    private final Double reach;

    Coverage(Map<String, Object> fields) {
        errorRate = Json.asNumber(fields.get("error_rate"), "an error rate");
        Object given = fields.get("limits");
        if (given != null)
            for (Map.Entry<String, Object> each : Json.asObject(given, "limits").entrySet())
                limits.put(each.getKey(), Json.asNumber(each.getValue(), "a limit"));
        Object far = fields.get("reach");
        reach = far == null ? null : Json.asNumber(far, "a reach");
    }

    double reach() {
        if (reach == null) throw ModelException.artefact("the error rate of a number has no reach");
        return reach;
    }

    double limitOf(String label) {
        Double limit = limits.get(label);
        if (limit == null) throw ModelException.artefact("there is no limit of the label " + label);
        return limit;
    }
}
