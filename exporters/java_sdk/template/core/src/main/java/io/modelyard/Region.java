package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pixels of a map that touch each other, also across corners. */
final class Region {
    /** The first and the last pixel of each of its runs, as x and y. */
    private final List<double[]> points = new ArrayList<>();

    private double sum;
    private int num;

    private Region() {}

    /** Pixels of a row above the threshold that follow one another. */
    private static final class Run {
        int row;
        int start;
        int end;
        double sum;
    }

    /**
     * The regions of a map above a threshold, from the top.
     *
     * @param values row by row.
     */
    static List<Region> of(float[] values, int width, int height, float threshold) {
        List<Run> runs = runs(values, width, height, threshold);
        int[] firsts = joined(runs);
        Map<Integer, Region> found = new TreeMap<>();
        for (int place = 0; place < firsts.length; place++) {
            Run run = runs.get(place);
            Region region = found.computeIfAbsent(firsts[place], first -> new Region());
            region.points.add(new double[] {run.start, run.row});
            region.points.add(new double[] {run.end - 1, run.row});
            region.sum += run.sum;
            region.num += run.end - run.start;
        }
        return new ArrayList<>(found.values());
    }

    /** Of the map's values. */
    double mean() {
        return sum / num;
    }

    /**
     * The corners of the smallest rectangle around it, in order. One of its sides lies on a side of the convex hull (Freeman and Shapira
     * 1975), so each of these is tried.
     */
    double[][] smallestRectangle() {
        List<double[]> hull = hull();
        double smallest = Double.POSITIVE_INFINITY;
        double[][] found = null;
        for (int place = 0; place < hull.size(); place++) {
            double[] from = hull.get(place);
            double[] to = hull.get((place + 1) % hull.size());
            double length = Math.hypot(to[0] - from[0], to[1] - from[1]);
            double x = length > 0 ? (to[0] - from[0]) / length : 1;
            double y = length > 0 ? (to[1] - from[1]) / length : 0;
            double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
            double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
            for (double[] point : hull) {
                double[] at = {point[0] * x + point[1] * y, point[1] * x - point[0] * y};
                for (int axis = 0; axis < 2; axis++) {
                    low[axis] = Math.min(low[axis], at[axis]);
                    high[axis] = Math.max(high[axis], at[axis]);
                }
            }
            double area = (high[0] - low[0]) * (high[1] - low[1]);
            if (!(area < smallest)) continue;
            smallest = area;
            double[][] corners = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
            for (double[] corner : corners) {
                double along = corner[0];
                double across = corner[1];
                corner[0] = along * x - across * y;
                corner[1] = along * y + across * x;
            }
            found = corners;
        }
        return found;
    }

    private static List<Run> runs(float[] values, int width, int height, float threshold) {
        List<Run> runs = new ArrayList<>();
        for (int row = 0; row < height; row++) {
            for (int x = 0; x < width; x++) {
                if (!(values[row * width + x] > threshold)) continue;
                Run run = new Run();
                run.row = row;
                run.start = x;
                for (; x < width && values[row * width + x] > threshold; x++) run.sum += values[row * width + x];
                run.end = x;
                runs.add(run);
            }
        }
        return runs;
    }

    /** For each run the first one of its region. */
    private static int[] joined(List<Run> runs) {
        int[] parents = new int[runs.size()];
        for (int place = 0; place < parents.length; place++) parents[place] = place;
        int upper = 0;
        for (int lower = 0; lower < parents.length; lower++) {
            Run own = runs.get(lower);
            while (isPassed(runs.get(upper), own)) upper++;
            for (int each = upper; runs.get(each).row == own.row - 1 && runs.get(each).start <= own.end; each++) {
                int one = root(parents, each);
                int other = root(parents, lower);
                parents[Math.max(one, other)] = Math.min(one, other);
            }
        }
        for (int place = 0; place < parents.length; place++) parents[place] = root(parents, place);
        return parents;
    }

    private static boolean isPassed(Run upper, Run own) {
        return upper.row < own.row - 1 || (upper.row == own.row - 1 && upper.end < own.start);
    }

    private static int root(int[] parents, int place) {
        int at = place;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    /** The convex hull (Andrew 1979). */
    private List<double[]> hull() {
        double[][] sorted = points.toArray(new double[0][]);
        Arrays.sort(sorted, (one, other) -> one[0] != other[0] ? Double.compare(one[0], other[0]) : Double.compare(one[1], other[1]));
        List<double[]> ordered = new ArrayList<>();
        for (double[] point : sorted) if (ordered.isEmpty() || !Arrays.equals(point, ordered.get(ordered.size() - 1))) ordered.add(point);
        if (ordered.size() < 3) return ordered;
        List<double[]> hull = new ArrayList<>();
        for (int half = 0; half < 2; half++) {
            int first = hull.size();
            for (int place = 0; place < ordered.size(); place++) {
                double[] point = ordered.get(half == 0 ? place : ordered.size() - 1 - place);
                while (hull.size() > first + 1 && turn(hull.get(hull.size() - 2), hull.get(hull.size() - 1), point) <= 0) hull.remove(hull.size() - 1);
                hull.add(point);
            }
            hull.remove(hull.size() - 1); // where the other half begins
        }
        return hull;
    }

    private static double turn(double[] one, double[] other, double[] point) {
        return (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0]);
    }
}
