package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** An upright rectangle in pixels of the upright picture, from its top left. */
public final class Bounds {
    public final double x;
    public final double y;
    public final double width;
    public final double height;

    Bounds(double x, double y, double width, double height) {
        this.x = x;
        this.y = y;
        this.width = width;
        this.height = height;
    }

    Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("x", x);
        fields.put("y", y);
        fields.put("width", width);
        fields.put("height", height);
        return fields;
    }
}
