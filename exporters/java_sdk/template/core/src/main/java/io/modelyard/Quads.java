package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Quadrilaterals around lines of text: their corners (x, y) go around as the text is read, from where it begins above. */
final class Quads {
    /** What is so many times as high as wide is a line that runs downwards. */
    private static final double UPRIGHT = 1.5;
    /** Of the smaller height: lines that lie beside each other by so much are of one row. */
    private static final double SAME_ROW = 0.5;

    private static final double NOWHERE = 1e-9;

    private Quads() {}

    /** The corners clockwise, the upper left one first. */
    static double[][] fromUpperLeft(double[][] corners) {
        double[][] byX = corners.clone();
        Arrays.sort(byX, Comparator.comparingDouble(corner -> corner[0]));
        Arrays.sort(byX, 0, 2, Comparator.comparingDouble(corner -> corner[1]));
        Arrays.sort(byX, 2, 4, Comparator.comparingDouble(corner -> corner[1]));
        return new double[][] {byX[0], byX[2], byX[3], byX[1]};
    }

    /** Width and height: the longer of two opposite sides. */
    static double[] sides(double[][] corners) {
        double[] lengths = new double[4];
        for (int place = 0; place < 4; place++) lengths[place] = length(way(corners[place], corners[(place + 1) % 4]));
        return new double[] {Math.max(lengths[0], lengths[2]), Math.max(lengths[1], lengths[3])};
    }

    /** From where the text begins: a line that runs downwards begins at its upper right. */
    static double[][] asRead(double[][] corners) {
        double[] sides = sides(corners);
        if (sides[1] < UPRIGHT * sides[0]) return corners;
        return new double[][] {corners[1], corners[2], corners[3], corners[0]};
    }

    /** A rectangle with its sides moved outwards. */
    static double[][] enlarged(double[][] corners, double distance) {
        double[] right = way(corners[0], corners[1]);
        double[] below = way(corners[0], corners[3]);
        double alongScale = distance / Math.max(length(right), NOWHERE);
        double downScale = distance / Math.max(length(below), NOWHERE);
        double[][] moved = new double[4][2];
        for (int place = 0; place < 4; place++) {
            double along = place == 1 || place == 2 ? alongScale : -alongScale;
            double down = place > 1 ? downScale : -downScale;
            for (int axis = 0; axis < 2; axis++) moved[place][axis] = corners[place][axis] + along * right[axis] + down * below[axis];
        }
        return moved;
    }

    /** The same quadrilaterals row by row, as their lines run; rows from the top, each from its beginning. */
    static List<double[][]> inReadingOrder(List<double[][]> quads) {
        double[] along = direction(quads);
        double[] down = {-along[1], along[0]};
        List<double[][]> ordered = new ArrayList<>(quads);
        ordered.sort(Comparator.comparingDouble(quad -> reach(quad, down)[0] + reach(quad, down)[1]));
        List<double[][]> found = new ArrayList<>();
        List<double[][]> row = new ArrayList<>();
        Comparator<double[][]> byLeft = Comparator.comparingDouble(quad -> reach(quad, along)[0]);
        for (double[][] quad : ordered) {
            if (!row.isEmpty() && !isSameRow(reach(quad, down), reach(row.get(row.size() - 1), down))) {
                row.sort(byLeft);
                found.addAll(row);
                row.clear();
            }
            row.add(quad);
        }
        row.sort(byLeft);
        found.addAll(row);
        return found;
    }

    private static boolean isSameRow(double[] one, double[] other) {
        double shared = Math.min(one[1], other[1]) - Math.max(one[0], other[0]);
        return shared > SAME_ROW * Math.min(one[1] - one[0], other[1] - other[0]);
    }

    /** As the lines run, together. */
    private static double[] direction(List<double[][]> quads) {
        double[] along = new double[2];
        for (double[][] quad : quads)
            for (int axis = 0; axis < 2; axis++) along[axis] += quad[1][axis] - quad[0][axis] + quad[2][axis] - quad[3][axis];
        double length = Math.max(length(along), NOWHERE);
        boolean isDownwards = along[0] < Math.abs(along[1]); // mostly
        return isDownwards ? new double[] {1, 0} : new double[] {along[0] / length, along[1] / length};
    }

    /** How far a quadrilateral reaches along a direction: from, to. */
    private static double[] reach(double[][] quad, double[] direction) {
        double[] found = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double[] corner : quad) {
            double at = corner[0] * direction[0] + corner[1] * direction[1];
            found[0] = Math.min(found[0], at);
            found[1] = Math.max(found[1], at);
        }
        return found;
    }

    private static double[] way(double[] from, double[] to) {
        return new double[] {to[0] - from[0], to[1] - from[1]};
    }

    private static double length(double[] way) {
        return Math.hypot(way[0], way[1]);
    }
}
