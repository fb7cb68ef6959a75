package io.modelyard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A column of the model: what a cell means there. */
abstract class Column {
    final String name;

    Column(String name) {
        this.name = name;
    }

    /** A number, a moment in seconds, or a text; null where the cell is none. */
    abstract Object read(Object cell);

    static Column number(String name, Map<String, Object> entry) {
        Object decimal = entry.get("decimal");
        Cells cells = new Cells(decimal == null ? "." : Json.asText(decimal, "decimal"), texts(entry.get("units"), "units"));
        return new Column(name) {
            @Override
            Object read(Object cell) {
                return cells.numberOf(cell);
            }
        };
    }

    static Column moment(String name, Map<String, Object> entry) {
        Object format = entry.get("datetime_format");
        Moments moments = new Moments(format == null ? "" : Json.asText(format, "datetime_format"));
        return new Column(name) {
            @Override
            Object read(Object cell) {
                return moments.secondsOf(cell);
            }
        };
    }

    static Column text(String name) {
        return new Column(name) {
            @Override
            Object read(Object cell) {
                return Cells.textOf(cell);
            }
        };
    }

    static Column category(String name, Map<String, Object> entry) {
        return new Category(name, texts(entry.get("choices"), "choices"), entry.get("known") == null ? null : texts(entry.get("known"), "known"));
    }

    private static List<String> texts(Object given, String what) {
        List<String> found = new ArrayList<>();
        if (given != null) for (Object each : Json.asList(given, what)) found.add(Json.asText(each, what));
        return found;
    }

    /** The value of a category; a number or a boolean is taken for the value that reads so: true for True, 3 for 3.0. */
    private static final class Category extends Column {
        private static final Pattern FLOAT =
                Pattern.compile("[+-]?([0-9]+(_[0-9]+)*\\.?([0-9]+(_[0-9]+)*)?|\\.[0-9]+(_[0-9]+)*)([eE][+-]?[0-9]+)?");

        private final boolean isClosed;
        private final Set<String> seen;
        private final Map<Object, String> spoken = new HashMap<>();
        private final Map<String, String> spellings = new HashMap<>();

        Category(String name, List<String> choices, List<String> known) {
            super(name);
            isClosed = known != null;
            List<String> values = known == null || known.isEmpty() ? choices : known;
            seen = new HashSet<>(values);
            for (int place = values.size() - 1; place >= 0; place--) {
                String value = values.get(place); // of several that read alike the commonest wins
                spoken.put(value.toLowerCase(Locale.ROOT), value);
                String number = White.asciiDigits(White.stripped(value));
                if (FLOAT.matcher(number).matches()) spoken.put(Double.parseDouble(number.replace("_", "")) + 0.0, value);
                spellings.put(Cells.folded(value), value);
            }
        }

        @Override
        Object read(Object cell) {
            String text = Cells.textOf(cell);
            if (text.isEmpty() || seen.contains(text)) return text;
            String found;
            if (cell instanceof String) {
                found = isClosed ? spellings.get(Cells.folded(text)) : null;
            } else if (cell instanceof Boolean) {
                found = spoken.get(text);
                if (found == null) found = spoken.get((Boolean) cell ? 1.0 : 0.0);
            } else {
                found = spoken.get(((Number) cell).doubleValue() + 0.0); // + 0.0: there is one zero
            }
            return found == null ? text : found;
        }
    }
}
