package io.modelyard;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** How unlike the normal pictures each place of a picture is: a coarse grid over all of it. */
public final class HeatMap {
    /** Of the picture: the largest of its cells, 0 to 1. */
    public final double score;
    /** Cells. */
    public final int width;

    public final int height;
    private final byte[] levels;

    HeatMap(double score, int width, int height, byte[] levels) {
        this.score = score;
        this.width = width;
        this.height = height;
        this.levels = levels;
    }

    /** The anomaly score of a cell, 0 to 1, counted from the top left. */
    public double at(int x, int y) {
        if (x < 0 || x >= width || y < 0 || y >= height) throw new ModelException("argument_invalid", "the heat map has no such cell");
        return (levels[y * width + x] & 0xFF) / 255.0;
    }

    Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("score", score);
        fields.put("width", (long) width);
        fields.put("height", (long) height);
        fields.put("values", Base64.getEncoder().encodeToString(levels));
        return fields;
    }
}
