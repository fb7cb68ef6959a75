package io.modelyard;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Whether a picture is like those that were learned from, and where it is not: one plane of anomaly scores, 0 to 1. The score of the
 * picture is the largest of the plane. One of the two labels is the normal one; the other is answered from its threshold on, one half
 * where there is none.
 */
final class HeatMapAnswers extends Answers {
    private static final Set<String> NORMAL_NAMES = new HashSet<>(Arrays.asList("normal", "good", "ok", "正常", "良品", "合格"));
    private static final double NEUTRAL_SCORE = 0.5;
    private static final float LEVELS = 255;
    /** Difference that counts for a place that is no number. */
    private static final double OTHER = 1;

    private final String normal;
    private final String defect;

    HeatMapAnswers(List<String> labels) {
        super(labels);
        if (labels.isEmpty()) throw ModelException.artefact("the model has no label for normal pictures");
        String known = labels.get(0);
        for (int place = labels.size() - 1; place >= 0; place--) if (isNormal(labels.get(place))) known = labels.get(place);
        String other = "defect";
        for (int place = labels.size() - 1; place >= 0; place--) if (!labels.get(place).equals(known)) other = labels.get(place);
        normal = known;
        defect = other;
    }

    private static boolean isNormal(String label) {
        return NORMAL_NAMES.contains(label.trim().toLowerCase(Locale.ROOT));
    }

    @Override
    int defaultTop() {
        return 1;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 2 || answer.data.length == 0)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with a plane");
    }

    /** The thresholds decide which label it is; it is left out where its score is below that of the query. */
    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        HeatMap map = heatMapOf(answer);
        Double limit = resolved.thresholds.get(defect);
        boolean isDefect = map.score >= (limit == null ? NEUTRAL_SCORE : limit);
        double score = isDefect ? map.score : rounded(1 - map.score, SCORE_DIGITS);
        if (resolved.threshold != null && score < resolved.threshold) return Collections.emptyList();
        return Collections.singletonList(Annotation.ofClass(isDefect ? defect : normal, score).with("heat_map", map));
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        Map<String, Object> golden = Json.asObject(sample.get("heat_map"), "a golden heat map");
        List<Object> places = Json.asList(golden.get("values"), "values");
        boolean hasSides = Json.asInt(golden.get("height"), "height") == answer.axes[0] && Json.asInt(golden.get("width"), "width") == answer.axes[1];
        if (!hasSides || places.size() != answer.data.length)
            throw ModelException.artefact("the plane has other sides than the golden sample's");
        return largestApart(places, answer.data, OTHER);
    }

    private static HeatMap heatMapOf(Tensor answer) {
        byte[] levels = new byte[answer.data.length];
        float anomaly = 0;
        for (int place = 0; place < levels.length; place++) {
            float score = answer.data[place];
            if (Float.isNaN(score) || Float.isInfinite(score))
                throw new ModelException("answer_invalid", "the model answers with a place that is no number");
            float within = Math.min(1, Math.max(0, score));
            levels[place] = (byte) Math.rint(within * LEVELS);
            anomaly = Math.max(anomaly, within);
        }
        return new HeatMap(rounded(anomaly, SCORE_DIGITS), answer.axes[1], answer.axes[0], levels);
    }
}
