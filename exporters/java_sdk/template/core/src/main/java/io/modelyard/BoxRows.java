package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows of x, y, width, height as fractions of the picture, score, index of the label, best first: what answers with boxes begin with.
 * Rows that hold no box have the score 0.
 */
abstract class BoxRows extends Answers {
    static final int ROW = 6;
    /** Golden boxes from this score on are all compared; of those below, the best few. */
    static final double LOWEST_SCORE = 0.05;

    static final int NUM_ALWAYS = 10;
    /** Difference that counts for a box which only one side knows. */
    static final double MISSING_BOX = 1;

    private static final int PIXEL_DIGITS = 2;
    private static final double SMALLEST_PX = 0.01;
    /** Below it the last digits of a written score would weigh too much. */
    private static final double LEAST_SCORE = LOWEST_SCORE / 50;

    BoxRows(List<String> labels) {
        super(labels);
    }

    @Override
    final int defaultTop() {
        return 100;
    }

    /** The rows that hold a box, with what follows it. */
    static List<double[]> held(Tensor answer) {
        int length = answer.axes[1];
        List<double[]> rows = new ArrayList<>();
        for (int start = 0; start + length <= answer.data.length; start += length) {
            if (!(answer.data[start + 4] > 0)) continue;
            double[] row = new double[length];
            for (int place = 0; place < length; place++) row[place] = answer.data[start + place];
            rows.add(row);
        }
        return rows;
    }

    static List<double[]> golden(Map<String, Object> sample) {
        List<double[]> expected = new ArrayList<>();
        Object detections = sample.get("detections");
        for (Object given : detections == null ? new ArrayList<>() : Json.asList(detections, "detections")) {
            List<Object> numbers = Json.asList(given, "a golden box");
            if (numbers.size() != ROW) throw ModelException.artefact("a golden box has another length");
            double[] row = new double[ROW];
            for (int place = 0; place < ROW; place++) row[place] = Json.asNumber(numbers.get(place), "a golden box");
            expected.add(row);
        }
        return expected;
    }

    /** Where a box lies, within the picture. */
    static Bounds bounds(double[] row, int width, int height) {
        double left = within(row[0]) * width;
        double right = within(row[0] + row[2]) * width;
        double upper = within(row[1]) * height;
        double lower = within(row[1] + row[3]) * height;
        return new Bounds(
                rounded(left, PIXEL_DIGITS),
                rounded(upper, PIXEL_DIGITS),
                Math.max(SMALLEST_PX, rounded(right - left, PIXEL_DIGITS)),
                Math.max(SMALLEST_PX, rounded(lower - upper, PIXEL_DIGITS)));
    }

    static double score(double[] row) {
        return Math.min(1, rounded(row[4], SCORE_DIGITS));
    }

    /** The larger of both ways, what is missing there and what is too much here. */
    static double apart(List<double[]> expected, List<double[]> there, int most) {
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
            for (double[] other : there) if (other[5] == row[5]) nearest = Math.min(nearest, boxApart(row, other));
            if (nearest == Double.POSITIVE_INFINITY) return MISSING_BOX;
            worst = Math.max(worst, nearest);
        }
        return worst;
    }

    private static double boxApart(double[] row, double[] other) {
        double scale = Math.min(LOWEST_SCORE, Math.max(LEAST_SCORE, Math.max(other[4], row[4])));
        double apart = Math.abs(other[4] - row[4]) * LOWEST_SCORE / scale;
        for (int side = 0; side < 4; side++) apart = Math.max(apart, Math.abs(other[side] - row[side])); // NaN stays NaN
        return Double.isNaN(apart) ? MISSING_BOX : apart;
    }
}
