package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A label for each pixel, or none: two planes, the index of the label (-1: none) and how sure the model is, 0 to 1. The planes have a
 * size of the model's own; a pixel of the picture has the label of the plane's pixel in which its centre lies.
 */
final class MaskAnswers extends Answers {
    private static final int NONE = -1;
    /** Up to here two labels of a pixel may be even. */
    private static final double EVEN = 0.501;
    /** Such pixels that may have another label than in a golden sample, of all. */
    private static final double EVEN_SHARE = 0.001;
    /** Difference where the labels are others. */
    private static final double OTHER = 1;

    MaskAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    int defaultTop() {
        return 100;
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 3 || answer.axes[0] != 2 || answer.data.length == 0)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with two planes");
    }

    /** The two planes, by rows. */
    private final class Planes {
        final int height;
        final int width;
        final int[] labels;
        final float[] sure;

        Planes(Tensor answer) {
            height = answer.axes[1];
            width = answer.axes[2];
            labels = new int[height * width];
            sure = Arrays.copyOfRange(answer.data, labels.length, 2 * labels.length);
            for (int place = 0; place < labels.length; place++) {
                float index = answer.data[place];
                if (!isFinite(index) || !isFinite(sure[place]))
                    throw new ModelException("answer_invalid", "the model answers with a pixel that is no number");
                double whole = Math.rint(index);
                labels[place] = whole == NONE ? NONE : labelAt(whole);
            }
        }

        private boolean isFinite(float value) {
            return !Float.isNaN(value) && !Float.isInfinite(value);
        }
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        Planes planes = new Planes(answer);
        for (int place = 0; place < planes.labels.length; place++) {
            int label = planes.labels[place];
            if (label != NONE && planes.sure[place] < resolved.floors[label]) planes.labels[place] = NONE;
        }
        Stretches[] runs = runsOf(planes, width, height);
        List<Annotation> found = new ArrayList<>();
        int numLookedAt = 0;
        double[] scores = new double[labels.size()];
        for (int label : ranked(planes, scores)) {
            if (numLookedAt++ == resolved.top) break;
            if (runs[label] == null) continue;
            found.add(Annotation.ofMask(labels.get(label), scores[label], width, height, runs[label].counts((long) width * height)));
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        Planes planes = new Planes(answer);
        Map<String, Object> golden = Json.asObject(sample.get("mask"), "a golden mask");
        if (!names.equals(labels)) return OTHER;
        if (Json.asInt(golden.get("height"), "height") != planes.height || Json.asInt(golden.get("width"), "width") != planes.width)
            throw ModelException.artefact("the planes have other sides than the golden sample's");
        int[] expected = new int[planes.labels.length];
        Arrays.fill(expected, NONE);
        double worst = 0;
        for (Object segment : Json.asList(golden.get("segments"), "segments")) worst = Math.max(worst, segmentApart(segment, planes, expected));
        double numOther = 0;
        double numEven = 0;
        for (int place = 0; place < expected.length; place++) {
            if (expected[place] == planes.labels[place]) continue;
            if (planes.sure[place] <= EVEN) numEven++;
            else numOther++;
        }
        return Math.max(worst, numOther / expected.length + Math.max(0, numEven / expected.length - EVEN_SHARE));
    }

    /** Writes a golden segment into {@code expected}; how far the model's certainty is from its score. */
    private static double segmentApart(Object segment, Planes planes, int[] expected) {
        List<Object> parts = Json.asList(segment, "a segment");
        if (parts.size() != 3) throw ModelException.artefact("a golden mask has another form");
        int label = Json.asInt(parts.get(0), "a segment's label");
        boolean[] pixels = RunLengths.pixels(Json.asText(parts.get(1), "a segment's runs"), planes.width, planes.height);
        double sum = 0;
        int num = 0;
        for (int place = 0; place < pixels.length; place++) {
            if (!pixels[place]) continue;
            expected[place] = label;
            sum += planes.sure[place];
            num++;
        }
        double apart = Math.abs(sum / num - Json.asNumber(parts.get(2), "a segment's score"));
        return Double.isNaN(apart) ? OTHER : apart;
    }

    private Stretches[] runsOf(Planes planes, int width, int height) {
        Stretches[] found = new Stretches[labels.size()];
        int[] rows = lookedUp(height, planes.height);
        int[] columns = lookedUp(width, planes.width);
        for (int x = 0; x < width; x++) {
            for (int y = 0; y < height; ) {
                int first = y;
                int label = planes.labels[rows[y] * planes.width + columns[x]];
                while (y < height && planes.labels[rows[y] * planes.width + columns[x]] == label) y++;
                if (label == NONE) continue;
                if (found[label] == null) found[label] = new Stretches();
                found[label].add((long) x * height + first, (long) x * height + y);
            }
        }
        return found;
    }

    /** For each pixel of a side of the picture, the planes' pixel in which its centre lies. */
    private static int[] lookedUp(int numThere, int numHere) {
        int[] found = new int[numThere];
        for (int there = 0; there < numThere; there++) found[there] = (int) ((2L * there + 1) * numHere / (2L * numThere));
        return found;
    }

    /** Labels that hold a pixel of the planes, by how many; writes how sure the model is of each on average. */
    private List<Integer> ranked(Planes planes, double[] scores) {
        long[] nums = new long[labels.size()];
        for (int place = 0; place < planes.labels.length; place++) {
            if (planes.labels[place] == NONE) continue;
            nums[planes.labels[place]]++;
            scores[planes.labels[place]] += planes.sure[place];
        }
        List<Integer> order = new ArrayList<>();
        for (int label = 0; label < nums.length; label++) {
            if (nums[label] == 0) continue;
            scores[label] = rounded(within(scores[label] / nums[label]), SCORE_DIGITS);
            order.add(label);
        }
        order.sort((a, b) -> Long.compare(nums[b], nums[a]));
        return order;
    }
}
