package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One thing that the model answers. What its kind does not have is empty, 0 or null. */
public final class Annotation {
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private String text = "";

    private Annotation(String kind) {
        fields.put("kind", kind);
    }

    static Annotation ofClass(String label, double score) {
        return new Annotation("class").with("label", label).with("score", score);
    }

    static Annotation ofBox(String label, double score, Bounds bounds) {
        Annotation own = new Annotation("box").with("label", label);
        own.fields.putAll(bounds.toMap());
        return own.with("score", score);
    }

    static Annotation ofMask(String label, double score, int width, int height, String counts) {
        Annotation own = new Annotation("mask").with("label", label);
        return own.with("width", (long) width).with("height", (long) height).with("counts", counts).with("score", score);
    }

    static Annotation ofValue(double value) {
        return new Annotation("value").with("value", value);
    }

    static Annotation ofVector(double[] values) {
        return new Annotation("vector").with("values", values);
    }

    static Annotation ofLine(String label, double score, double[][] points, String text) {
        List<Object> attributes = new ArrayList<>();
        Map<String, Object> attribute = new LinkedHashMap<>();
        attribute.put("name", "text");
        attribute.put("value", text);
        attributes.add(attribute);
        Annotation own = new Annotation("polygon").with("label", label).with("points", points);
        own.text = text;
        return own.with("attributes", attributes).with("score", score);
    }

    /** Adds a field of the kind; a part of the library's own is shown as its fields. */
    Annotation with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    /** {@code class}, {@code box}, {@code mask}, {@code polygon}, {@code value} or {@code vector}. */
    public String kind() {
        return (String) fields.get("kind");
    }

    /** Empty for a value or a vector. */
    public String label() {
        return textOf("label");
    }

    /** 0 to 1. */
    public double score() {
        return number("score");
    }

    /** Left side of a box, in pixels of the upright picture. */
    public double x() {
        return number("x");
    }

    /** Upper side of a box. */
    public double y() {
        return number("y");
    }

    /** Of a box, or of the picture that a mask belongs to. */
    public double width() {
        return number("width");
    }

    /** Of a box, or of the picture that a mask belongs to. */
    public double height() {
        return number("height");
    }

    /** A mask as COCO's compressed run lengths. */
    public String counts() {
        return textOf("counts");
    }

    /** The number that is predicted. */
    public double value() {
        return number("value");
    }

    /** How unlike the normal pictures each place of a picture is, of a class that was answered for that; else null. */
    public HeatMap heatMap() {
        return (HeatMap) fields.get("heat_map");
    }

    /** The numbers of a vector, whose length is one. */
    public double[] values() {
        double[] values = (double[]) fields.get("values");
        return values == null ? new double[0] : values.clone();
    }

    /** How much two items show the same thing, -1 to 1, by the vectors that the same model answered them with. */
    public double similarity(Annotation other) {
        double[] ours = values();
        double[] theirs = other.values();
        if (ours.length == 0 || ours.length != theirs.length)
            throw new ModelException("argument_invalid", "similar are only vectors of the same model");
        double sum = 0;
        for (int place = 0; place < ours.length; place++) sum += ours[place] * theirs[place];
        return Math.min(1, Math.max(-1, sum));
    }

    /** Where the object of a mask lies, if it is the mask of one; else null. */
    public Bounds box() {
        return (Bounds) fields.get("box");
    }

    /** Outlines of the parts of a mask's object, without holes: points (x, y) in pixels of the upright picture. */
    public List<double[][]> polygons() {
        List<double[][]> found = new ArrayList<>();
        for (double[][] polygon : polygonsOrNone()) found.add(copy(polygon));
        return found;
    }

    /** The text of a line, which is a polygon. */
    public String text() {
        return text;
    }

    /** The four corners of a line of text, (x, y) in pixels of the upright picture, around it from where it begins. */
    public double[][] points() {
        double[][] points = (double[][]) fields.get("points");
        return points == null ? new double[0][] : copy(points);
    }

    /** Whether each pixel belongs to a mask, row by row. */
    public boolean[] pixels() {
        if (!fields.containsKey("counts")) throw new ModelException("argument_invalid", "a " + kind() + " has no pixels");
        return RunLengths.pixels(counts(), (int) width(), (int) height());
    }

    /** The fields of its kind, named as in the platform's answers. */
    public Map<String, Object> toMap() {
        Map<String, Object> shown = new LinkedHashMap<>(fields);
        if (heatMap() != null) shown.put("heat_map", heatMap().toMap());
        if (box() != null) shown.put("box", box().toMap());
        if (shown.containsKey("values")) shown.put("values", listOf(values()));
        if (shown.containsKey("points")) shown.put("points", listOf(points()));
        if (shown.containsKey("polygons")) {
            List<Object> polygons = new ArrayList<>();
            for (double[][] polygon : polygonsOrNone()) polygons.add(listOf(polygon));
            shown.put("polygons", polygons);
        }
        return shown;
    }

    /** As JSON. */
    @Override
    public String toString() {
        return Json.write(toMap());
    }

    private String textOf(String name) {
        return (String) fields.getOrDefault(name, "");
    }

    private double number(String name) {
        return ((Number) fields.getOrDefault(name, 0.0)).doubleValue();
    }

    @SuppressWarnings("unchecked")
    private List<double[][]> polygonsOrNone() {
        return (List<double[][]>) fields.getOrDefault("polygons", Collections.emptyList());
    }

    private static double[][] copy(double[][] points) {
        double[][] own = new double[points.length][];
        for (int place = 0; place < own.length; place++) own[place] = points[place].clone();
        return own;
    }

    private static List<Object> listOf(double[][] points) {
        List<Object> found = new ArrayList<>();
        for (double[] point : points) found.add(listOf(point));
        return found;
    }

    private static List<Object> listOf(double[] numbers) {
        List<Object> found = new ArrayList<>();
        for (double each : numbers) found.add(each);
        return found;
    }
}
