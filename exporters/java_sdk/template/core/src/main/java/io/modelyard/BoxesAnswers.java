package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Boxes around things: rows of x, y, width, height as fractions of the picture, score, index of the label, best first. Rows that
 * hold no box have the score 0.
 */
final class BoxesAnswers extends Answers {
    private static final int ROW = 6;
    private static final int PIXEL_DIGITS = 2;
    private static final double SMALLEST_PX = 0.01;
    /** Golden boxes from this score on are all compared; of those below, the best few. */
    private static final double LOWEST_SCORE = 0.05;

    private static final int NUM_ALWAYS = 10;
    /** Below it the last digits of a written score would weigh too much. */
    private static final double LEAST_SCORE = LOWEST_SCORE / 50;
    /** Difference that counts for a box which only one side knows. */
    private static final double MISSING_BOX = 1;

    BoxesAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return 100;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 2 || answer.axes[1] != ROW)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with rows of " + ROW);
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        List<Annotation> found = new ArrayList<>();
        for (double[] row : held(answer)) {
            int label = labelAt(row[5]);
            if (row[4] < resolved.floors[label]) continue;
            double left = within(row[0]) * width;
            double right = within(row[0] + row[2]) * width;
            double upper = within(row[1]) * height;
            double lower = within(row[1] + row[3]) * height;
            found.add(
                    Annotation.ofBox(
                            labels.get(label),
                            Math.min(1, rounded(row[4], SCORE_DIGITS)),
                            rounded(left, PIXEL_DIGITS),
                            rounded(upper, PIXEL_DIGITS),
                            Math.max(SMALLEST_PX, rounded(right - left, PIXEL_DIGITS)),
                            Math.max(SMALLEST_PX, rounded(lower - upper, PIXEL_DIGITS))));
            if (found.size() == resolved.top) break;
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        if (!names.equals(labels)) return MISSING_BOX;
        List<double[]> expected = new ArrayList<>();
        Object detections = sample.get("detections");
        for (Object given : detections == null ? new ArrayList<>() : Json.asList(detections, "detections")) {
            List<Object> numbers = Json.asList(given, "a golden box");
            if (numbers.size() != ROW) throw ModelException.artefact("a golden box has another length");
            double[] row = new double[ROW];
            for (int place = 0; place < ROW; place++) row[place] = Json.asNumber(numbers.get(place), "a golden box");
            expected.add(row);
        }
        List<double[]> there = held(answer);
        int most = answer.axes[0];
        return Math.max(farthest(expected, there, most), farthest(there, expected, most));
    }

    /**
     * How far the worst of the expected boxes is from the nearest of its label; the last of several may stand at the list's end, whose
     * length is {@code most}, and need not be found. Scores below the lowest are measured as if they stood there.
     */
    private static double farthest(List<double[]> expected, List<double[]> there, int most) {
        double worst = 0;
        for (int place = 0; place < expected.size(); place++) {
            double[] row = expected.get(place);
            boolean isLow = row[4] <= LOWEST_SCORE;
            boolean isAtCut = place > 0 && place == expected.size() - 1 && (isLow || expected.size() == most);
            if (isAtCut || (isLow && place >= NUM_ALWAYS)) continue;
            double nearest = Double.POSITIVE_INFINITY;
            for (double[] other : there) if (other[5] == row[5]) nearest = Math.min(nearest, apart(row, other));
            if (nearest == Double.POSITIVE_INFINITY) return MISSING_BOX;
            worst = Math.max(worst, nearest);
        }
        return worst;
    }

    private static double apart(double[] row, double[] other) {
        double scale = Math.min(LOWEST_SCORE, Math.max(LEAST_SCORE, Math.max(other[4], row[4])));
        double apart = Math.abs(other[4] - row[4]) * LOWEST_SCORE / scale;
        for (int side = 0; side < 4; side++) apart = Math.max(apart, Math.abs(other[side] - row[side])); // NaN stays NaN
        return Double.isNaN(apart) ? MISSING_BOX : apart;
    }

    private static List<double[]> held(Tensor answer) {
        List<double[]> rows = new ArrayList<>();
        for (int start = 0; start + ROW <= answer.data.length; start += ROW) {
            if (!(answer.data[start + 4] > 0)) continue;
            double[] row = new double[ROW];
            for (int place = 0; place < ROW; place++) row[place] = answer.data[start + place];
            rows.add(row);
        }
        return rows;
    }
}
