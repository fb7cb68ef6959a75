package io.modelyard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Closed borders of what is at least one half in a grid of likelihoods, by marching squares (Lorensen and Cline 1987, in the plane).
 * The outermost cells go on to the grid's edge, and behind it there is nothing.
 */
final class Outlines {
    private static final double HALF = 0.5;
    /** Cells around the grid: its outermost once more, and then nothing. */
    private static final int MARGIN = 2;

    private static final int[] NONE = {};
    /**
     * From which side of a square to which the border runs, by the corners inside: 1, 2, 4, 8 clockwise from the top left; sides 0 to 3
     * from the top. Inside is on the left. Of two opposite corners the middle decides whether they are one.
     */
    private static final int[][] STEPS = {
        NONE, {3, 0}, {0, 1}, {3, 1}, {1, 2}, {3, 0, 1, 2}, {0, 2}, {3, 2}, {2, 3}, {2, 0}, {0, 1, 2, 3}, {2, 1}, {1, 3}, {1, 0}, {0, 3}, NONE
    };

    private static final int[] JOINED_5 = {3, 2, 1, 0};
    private static final int[] JOINED_10 = {0, 3, 2, 1};

    private final double[] row;
    private final int start;
    private final int side;
    private final int length;
    private final List<Integer> order = new ArrayList<>();
    /**
     * Which border follows which. A border is the number of its first cell, doubled, and one more where the second lies below it.
     */
    private final Map<Integer, Integer> onward = new HashMap<>();

    private Outlines(double[] row, int start, int side) {
        this.row = row;
        this.start = start;
        this.side = side;
        length = side + 2 * MARGIN;
        for (int y = 0; y + 1 < length; y++) for (int x = 0; x + 1 < length; x++) follow(y, x);
    }

    /**
     * Outlines without those of holes, as points (x, y) in fractions of the grid.
     *
     * @param row holds the grid, row by row, from {@code start} on.
     */
    static List<double[][]> of(double[] row, int start, int side) {
        Outlines grid = new Outlines(row, start, side);
        List<double[][]> found = new ArrayList<>();
        // The last first, as the platform follows them.
        for (int place = grid.order.size() - 1; place >= 0; place--) {
            List<double[]> ring = new ArrayList<>();
            Integer at = grid.order.get(place);
            for (Integer next = grid.onward.remove(at); next != null; next = grid.onward.remove(at)) {
                ring.add(grid.crossing(at));
                at = next;
            }
            if (area(ring) < 0) found.add(ring.toArray(new double[0][]));
        }
        return found;
    }

    private void follow(int y, int x) {
        double[] square = {at(y, x), at(y, x + 1), at(y + 1, x + 1), at(y + 1, x)};
        int[] edges = {number(y, x), number(y, x + 1) + 1, number(y + 1, x), number(y, x) + 1};
        int corners = 0;
        for (int corner = 0; corner < 4; corner++) if (square[corner] >= HALF) corners |= 1 << corner;
        boolean isJoined = (square[0] + square[1] + square[2] + square[3]) / 4 >= HALF;
        int[] steps = STEPS[corners];
        if (isJoined && corners == 5) steps = JOINED_5;
        if (isJoined && corners == 10) steps = JOINED_10;
        for (int step = 0; step < steps.length; step += 2) {
            order.add(edges[steps[step]]);
            onward.put(edges[steps[step]], edges[steps[step + 1]]);
        }
    }

    /** Where between two neighbours one half is crossed. */
    private double[] crossing(int edge) {
        int y = edge / 2 / length;
        int x = edge / 2 % length;
        int otherY = y + edge % 2;
        int otherX = x + 1 - edge % 2;
        double share = (HALF - at(y, x)) / (at(otherY, otherX) - at(y, x));
        return new double[] {mark(x) + share * (mark(otherX) - mark(x)), mark(y) + share * (mark(otherY) - mark(y))};
    }

    private int number(int y, int x) {
        return 2 * (y * length + x);
    }

    private double at(int y, int x) {
        if (Math.min(x, y) == 0 || Math.max(x, y) == length - 1) return 0;
        return row[start + inner(y) * side + inner(x)];
    }

    private int inner(int place) {
        return Math.min(side - 1, Math.max(0, place - MARGIN));
    }

    private double mark(int place) {
        return Math.min(side, Math.max(0, place - MARGIN + HALF)) / side;
    }

    /** Twice the area within a ring; negative where what is inside the border is inside the ring too. */
    private static double area(List<double[]> ring) {
        double area = 0;
        for (int place = 0; place < ring.size(); place++) {
            double[] here = ring.get(place);
            double[] next = ring.get((place + 1) % ring.size());
            area += here[0] * next[1] - here[1] * next[0];
        }
        return area;
    }
}
