package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Single objects with their pixels: rows as of boxes, each followed by a square mask within its box, row by row: how likely each cell
 * shows the object. Masks are laid over the picture here, bilinear between the cells' centres.
 */
final class InstancesAnswers extends BoxRows {
    /** A pixel belongs to an object from this likelihood on. */
    private static final double HALF = 0.5;
    /** Cells so near to one half may be on the other side of it than in a golden sample: which is a matter of rounding. */
    private static final double EVEN = 0.01;

    private static final int POINT_DIGITS = 2;
    private static final double NOWHERE = 1e-9;

    InstancesAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    void check(Tensor answer) {
        int side = answer.axes.length == 2 ? side(answer) : 0;
        if (side < 1 || answer.axes[1] != side * side + ROW)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with rows of a box and a square mask");
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        int side = side(answer);
        List<Annotation> found = new ArrayList<>();
        for (double[] row : finite(answer)) {
            int label = labelAt(row[5]);
            if (found.size() == resolved.top || row[4] < resolved.floors[label]) continue;
            Annotation mask = Annotation.ofMask(labels.get(label), score(row), width, height, counts(row, side, width, height));
            found.add(mask.with("box", bounds(row, width, height)).with("polygons", polygons(row, side, width, height)));
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        int side = side(answer);
        Map<String, Object> golden = Json.asObject(sample.get("instances"), "golden instances");
        List<double[]> expected = golden(sample);
        List<Object> masks = Json.asList(golden.get("masks"), "masks");
        if (Json.asInt(golden.get("side"), "side") != side || masks.size() != expected.size())
            throw ModelException.artefact("the masks have other sides than the golden sample's");
        if (!names.equals(labels)) return MISSING_BOX;
        List<double[]> there = finite(answer);
        double boxesApart = apart(expected, there, answer.axes[0]);
        double worst = boxesApart;
        for (int place = 0; place < expected.size(); place++) {
            double[] row = expected.get(place);
            double[] nearest = nearest(row, there);
            // That a box is missing was counted; it may also stand where the list was cut.
            boolean isCounted = row[4] > LOWEST_SCORE || place < NUM_ALWAYS;
            if (nearest != null && isCounted && sidesApart(row, nearest) <= boxesApart + NOWHERE)
                worst = Math.max(worst, maskApart(nearest, side, masks.get(place)));
        }
        return worst;
    }

    private static int side(Tensor answer) {
        return (int) Math.round(Math.sqrt(Math.max(0, answer.axes[1] - ROW)));
    }

    private static List<double[]> finite(Tensor answer) {
        List<double[]> rows = held(answer);
        for (double[] row : rows)
            for (double each : row)
                if (Double.isNaN(each) || Double.isInfinite(each))
                    throw new ModelException("answer_invalid", "the model answers with a cell that is no number");
        return rows;
    }

    /** The pixels whose centres a box covers along an axis: of each the cell before it, and how far it is on the way to the next. */
    private static final class Axis {
        final int first;
        final int[] cells;
        final double[] shares;

        Axis(double start, double size, int numPixels, int numCells) {
            first = Math.min(Math.max(edge(start, numPixels), 0), numPixels - 1);
            int stop = Math.min(Math.max(edge(start + size, numPixels), first + 1), numPixels);
            cells = new int[stop - first];
            shares = new double[cells.length];
            for (int pixel = first; pixel < stop; pixel++) {
                double at = (pixel + HALF - start * numPixels) / Math.max(size * numPixels, NOWHERE) * numCells - HALF;
                double place = Math.min(Math.max(at, 0), numCells - 1);
                cells[pixel - first] = (int) place;
                shares[pixel - first] = place - (int) place;
            }
        }

        private static int edge(double fraction, int numPixels) {
            return (int) Math.ceil(within(fraction) * numPixels - HALF);
        }
    }

    /** The mask of a row as run lengths. An object has at least one pixel: where none is inside, the likeliest. */
    private static String counts(double[] row, int side, int width, int height) {
        Axis columns = new Axis(row[0], row[2], width, side);
        Axis rows = new Axis(row[1], row[3], height, side);
        Stretches found = new Stretches();
        double likeliest = Double.NEGATIVE_INFINITY;
        int likeliestRow = 0;
        long only = 0;
        double[] line = new double[side];
        for (int column = 0; column < columns.cells.length; column++) {
            int x = columns.cells[column];
            for (int y = 0; y < side; y++) {
                int start = ROW + y * side;
                line[y] = mixed(row[start + x], row[start + Math.min(x + 1, side - 1)], columns.shares[column]);
            }
            long top = (long) (columns.first + column) * height + rows.first;
            for (int at = 0; at < rows.cells.length; at++) {
                int y = rows.cells[at];
                double likely = mixed(line[y], line[Math.min(y + 1, side - 1)], rows.shares[at]);
                if (likely >= HALF) found.add(top + at, top + at + 1);
                if (likely < likeliest || (likely == likeliest && at >= likeliestRow)) continue;
                likeliest = likely;
                likeliestRow = at;
                only = top + at;
            }
        }
        if (found.isEmpty()) found.add(only, only + 1);
        return found.counts((long) width * height);
    }

    private static double mixed(double one, double other, double share) {
        return one * (1 - share) + other * share;
    }

    private static List<double[][]> polygons(double[] row, int side, int width, int height) {
        List<double[][]> found = new ArrayList<>();
        for (double[][] ring : Outlines.of(row, ROW, side)) {
            for (double[] point : ring) {
                point[0] = rounded(within(point[0] * row[2] + row[0]) * width, POINT_DIGITS);
                point[1] = rounded(within(point[1] * row[3] + row[1]) * height, POINT_DIGITS);
            }
            List<double[]> points = new ArrayList<>();
            double[] before = ring[ring.length - 1];
            for (double[] point : ring) {
                if (!Arrays.equals(point, before)) points.add(point);
                before = point;
            }
            if (points.size() > 2) found.add(points.toArray(new double[0][]));
        }
        return found;
    }

    private static double[] nearest(double[] row, List<double[]> there) {
        double[] nearest = null;
        for (double[] other : there)
            if (other[5] == row[5] && (nearest == null || sidesApart(row, other) < sidesApart(row, nearest))) nearest = other;
        return nearest;
    }

    private static double sidesApart(double[] one, double[] other) {
        double apart = 0;
        for (int place = 0; place < 5; place++) apart = Math.max(apart, Math.abs(one[place] - other[place]));
        return apart;
    }

    /** How far a mask is from a golden one: the share of its cells on the other side of one half, or the difference of their mean. */
    private static double maskApart(double[] row, int side, Object golden) {
        List<Object> parts = Json.asList(golden, "a golden mask");
        if (parts.size() != 2) throw ModelException.artefact("a golden mask has another form");
        boolean[] isInside = RunLengths.pixels(Json.asText(parts.get(0), "a golden mask's runs"), side, side);
        double sum = 0;
        double numOther = 0;
        for (int place = 0; place < isInside.length; place++) {
            double cell = row[ROW + place];
            sum += cell;
            if ((cell >= HALF) != isInside[place] && Math.abs(cell - HALF) > EVEN) numOther++;
        }
        double meanApart = Math.abs(sum / isInside.length - Json.asNumber(parts.get(1), "a golden mask's mean"));
        return Math.max(numOther / isInside.length, meanApart);
    }
}
