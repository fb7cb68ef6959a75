package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** One thing that the model answers. */
public final class Annotation {
    private final String kind;
    private final String label;
    private final double score;
    private final double x;
    private final double y;
    private final double width;
    private final double height;
    private final String counts;
    private final double value;

    private Annotation(
            String kind, String label, double score, double x, double y, double width, double height, String counts, double value) {
        this.kind = kind;
        this.label = label;
        this.score = score;
        this.x = x;
        this.y = y;
        this.width = width;
        this.height = height;
        this.counts = counts;
        this.value = value;
    }

    static Annotation ofClass(String label, double score) {
        return new Annotation("class", label, score, 0, 0, 0, 0, "", 0);
    }

    static Annotation ofBox(String label, double score, double x, double y, double width, double height) {
        return new Annotation("box", label, score, x, y, width, height, "", 0);
    }

    static Annotation ofMask(String label, double score, int width, int height, String counts) {
        return new Annotation("mask", label, score, 0, 0, width, height, counts, 0);
    }

    static Annotation ofValue(double value) {
        return new Annotation("value", "", 0, 0, 0, 0, 0, "", value);
    }

    /** {@code class}, {@code box}, {@code mask} or {@code value}. */
    public String kind() {
        return kind;
    }

    /** Empty for a value. */
    public String label() {
        return label;
    }

    /** 0 to 1. */
    public double score() {
        return score;
    }

    /** Left side of a box, in pixels of the upright picture. */
    public double x() {
        return x;
    }

    /** Upper side of a box. */
    public double y() {
        return y;
    }

    /** Of a box, or of the picture that a mask belongs to. */
    public double width() {
        return width;
    }

    /** Of a box, or of the picture that a mask belongs to. */
    public double height() {
        return height;
    }

    /** A mask as COCO's compressed run lengths. */
    public String counts() {
        return counts;
    }

    /** The number that is predicted. */
    public double value() {
        return value;
    }

    /** Whether each pixel belongs to a mask, row by row. */
    public boolean[] pixels() {
        if (!kind.equals("mask")) throw new ModelException("argument_invalid", "a " + kind + " has no pixels");
        return RunLengths.pixels(counts, (int) width, (int) height);
    }

    /** The fields of its kind, named as in the platform's answers. */
    public Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        if (kind.equals("value")) {
            fields.put("value", value);
            return fields;
        }
        fields.put("label", label);
        if (kind.equals("box")) {
            fields.put("x", x);
            fields.put("y", y);
            fields.put("width", width);
            fields.put("height", height);
        } else if (kind.equals("mask")) {
            fields.put("width", (long) width);
            fields.put("height", (long) height);
            fields.put("counts", counts);
        }
        fields.put("score", score);
        return fields;
    }

    /** As JSON. */
    @Override
    public String toString() {
        return Json.write(toMap());
    }
}
