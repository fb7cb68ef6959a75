package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Lines of text with their corners, in the order in which they are read: rows of x and y of four corners as fractions of the picture,
 * from where the text begins, the score, and the characters as Unicode numbers. Rows without a line have the score 0.
 */
final class QuadsAnswers extends Answers {
    /** Numbers of the corners. */
    static final int CORNERS = 8;

    private static final int PIXEL_DIGITS = 2;
    /** Golden lines below are not compared: which of two unlikely symbols is read is a matter of rounding. */
    private static final double SURE = 0.5;
    /** Difference that counts for a line which only one side knows. */
    private static final double MISSING = 1;

    QuadsAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return TextLinesPipeline.MAX_LINES;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 2 || answer.axes[1] <= CORNERS + 1)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with lines of text");
    }

    /** Corners and score, and the text. */
    private static final class Line {
        final double[] numbers = new double[CORNERS + 1];
        String text = "";
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        String label = labels.isEmpty() ? "text" : labels.get(0);
        double floor = resolved.floors.length > 0 ? resolved.floors[0] : resolved.threshold == null ? 0 : resolved.threshold;
        List<Annotation> found = new ArrayList<>();
        for (Line line : lines(answer, floor)) {
            if (found.size() == resolved.top) break;
            double[][] points = new double[CORNERS / 2][2];
            for (int place = 0; place < CORNERS; place++)
                points[place / 2][place % 2] = rounded(line.numbers[place] * (place % 2 == 0 ? width : height), PIXEL_DIGITS);
            found.add(Annotation.ofLine(label, Math.min(1, rounded(line.numbers[CORNERS], SCORE_DIGITS)), points, line.text));
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        List<Line> golden = new ArrayList<>();
        Object given = sample.get("quads");
        for (Object each : given == null ? Collections.emptyList() : Json.asList(given, "golden lines")) {
            Map<String, Object> fields = Json.asObject(each, "a golden line");
            List<Object> corners = Json.asList(fields.get("corners"), "corners");
            if (corners.size() != CORNERS) throw ModelException.artefact("a golden line has not four corners");
            Line line = new Line();
            line.text = Json.asText(fields.get("text"), "a text");
            for (int place = 0; place < CORNERS; place++) line.numbers[place] = Json.asNumber(corners.get(place), "a corner");
            line.numbers[CORNERS] = Json.asNumber(fields.get("score"), "a score");
            if (line.numbers[CORNERS] >= SURE) golden.add(line);
        }
        List<Line> there = lines(answer, SURE);
        return Math.max(farthest(golden, there), farthest(there, golden));
    }

    /** The rows that hold a line with that score or a higher one. */
    private static List<Line> lines(Tensor answer, double lowest) {
        for (float each : answer.data)
            if (Float.isNaN(each) || Float.isInfinite(each)) throw new ModelException("answer_invalid", "the model answers with what is no number");
        int length = answer.axes[1];
        List<Line> found = new ArrayList<>();
        for (int start = 0; start + length <= answer.data.length; start += length) {
            float score = answer.data[start + CORNERS];
            if (!(score > 0) || score < lowest) continue;
            Line line = new Line();
            for (int place = 0; place <= CORNERS; place++) line.numbers[place] = answer.data[start + place];
            StringBuilder text = new StringBuilder();
            for (int place = CORNERS + 1; place < length; place++) {
                int sign = (int) answer.data[start + place];
                if (sign > Character.MAX_CODE_POINT) throw new ModelException("answer_invalid", "the model answers with what is no character");
                if (sign > 0) text.appendCodePoint(sign);
            }
            line.text = text.toString();
            found.add(line);
        }
        return found;
    }

    /** How far the worst line is from the nearest one with the same text. */
    private static double farthest(List<Line> expected, List<Line> there) {
        double worst = 0;
        for (Line line : expected) {
            double nearest = MISSING;
            for (Line other : there) {
                if (!other.text.equals(line.text)) continue;
                double apart = 0;
                for (int place = 0; place <= CORNERS; place++) apart = Math.max(apart, Math.abs(other.numbers[place] - line.numbers[place]));
                nearest = Math.min(nearest, apart);
            }
            worst = Math.max(worst, nearest);
        }
        return worst;
    }
}
