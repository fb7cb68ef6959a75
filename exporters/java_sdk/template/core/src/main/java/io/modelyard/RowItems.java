package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of a table: one tensor for each kind of columns. */
final class RowItems extends Items {
    /** Rows times columns of one run: a graph of trees needs some memory for each row. */
    private static final int BATCH_CELLS = 400_000;
    /** Of one row. */
    private static final int MAX_CELLS = 2_000;

    private static final int SHOWN_CHARACTERS = 80;
    private static final int NAMED_COLUMNS = 20;

    private final List<String> names = new ArrayList<>();
    private final Map<String, Object> typical = new LinkedHashMap<>();
    private final List<Column> numbers = new ArrayList<>();
    private final List<Column> moments = new ArrayList<>();
    private final List<Column> categories = new ArrayList<>();
    private final List<Column> texts = new ArrayList<>();

    RowItems(Manifest manifest) {
        for (Object each : Json.asList(manifest.decode.get("columns"), "columns")) {
            Map<String, Object> entry = Json.asObject(each, "a column");
            String name = Json.asText(entry.get("name"), "the name of a column");
            add(Json.asText(entry.get("kind"), "the kind of a column"), name, entry);
            names.add(name);
            typical.put(name, entry.get("typical") == null ? "" : Json.asText(entry.get("typical"), "typical"));
        }
        if (names.isEmpty()) throw ModelException.artefact("the model reads no column");
    }

    private void add(String kind, String name, Map<String, Object> entry) {
        switch (kind) {
            case "number":
                numbers.add(Column.number(name, entry));
                break;
            case "datetime":
                moments.add(Column.moment(name, entry));
                break;
            case "category":
                categories.add(Column.category(name, entry));
                break;
            case "text":
                texts.add(Column.text(name));
                break;
            default:
                throw ModelException.artefact("columns of the kind " + kind + " are not known");
        }
    }

    @Override
    Piece typical() {
        return read(Collections.singletonList(typical), 0, true);
    }

    @Override
    Piece sample(byte[] file) {
        return read(Collections.singletonList(item(file)), 0, true);
    }

    @Override
    Map<String, Object> item(byte[] file) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (String name : names) row.put(name, null);
        row.putAll(Json.asObject(Json.object(file, "a golden sample").get("cells"), "the cells of a golden sample"));
        return row;
    }

    @Override
    int atOnce() {
        return Math.max(2, BATCH_CELLS / names.size());
    }

    @Override
    void check(List<?> items) {
        for (int place = 0; place < items.size(); place++) check(place + 1, items.get(place));
    }

    private void check(int number, Object item) {
        Map<String, Object> at = Collections.<String, Object>singletonMap("row", number);
        if (!(item instanceof Map)) {
            if (number == 1 && (item instanceof byte[] || item instanceof java.io.File || item instanceof Pixels)) throw foreign("rows", item);
            throw new ModelException("row_invalid", "row " + number + " is no map of cells", at, null);
        }
        Map<?, ?> row = (Map<?, ?>) item;
        if (row.size() > MAX_CELLS)
            throw new ModelException("row_invalid", "row " + number + " has " + row.size() + " cells, at most " + MAX_CELLS + " are read", at, null);
        for (Map.Entry<?, ?> cell : row.entrySet()) {
            Object value = cell.getValue();
            if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean) continue;
            Map<String, Object> place = new HashMap<>(at);
            place.put("column", String.valueOf(cell.getKey()));
            throw new ModelException(
                    "row_invalid", "row " + number + ", column " + cell.getKey() + ": a cell is a text, a number, true, false or null", place, null);
        }
        for (String name : names) if (row.containsKey(name)) return;
        List<String> named = names.subList(0, Math.min(NAMED_COLUMNS, names.size()));
        throw new ModelException("columns_missing", "row " + number + " has none of the model's columns: " + String.join(", ", named), at, null);
    }

    @Override
    Piece read(List<?> items, int first, boolean isLenient) {
        int count = items.size();
        Map<String, Feed> feeds = new LinkedHashMap<>();
        if (!numbers.isEmpty()) {
            float[] values = new float[count * numbers.size()];
            each(items, first, numbers, "number", (place, value) -> values[place] = ((Double) value).floatValue(), isLenient, Double.NaN);
            feeds.put("numbers", Feed.floats(values, count, numbers.size()));
        }
        if (!moments.isEmpty()) {
            long[] values = new long[count * moments.size()];
            each(items, first, moments, "moment", (place, value) -> values[place] = (Long) value, isLenient, Moments.MISSING);
            feeds.put("datetimes", Feed.longs(values, count, moments.size()));
        }
        textFeed("categories", items, first, categories, feeds);
        textFeed("texts", items, first, texts, feeds);
        return new Piece(feeds, count, null);
    }

    private static void textFeed(String input, List<?> items, int first, List<Column> columns, Map<String, Feed> feeds) {
        if (columns.isEmpty()) return;
        String[] values = new String[items.size() * columns.size()];
        each(items, first, columns, "text", (place, value) -> values[place] = (String) value, false, "");
        feeds.put(input, Feed.texts(values, items.size(), columns.size()));
    }

    private interface Write {
        void at(int place, Object value);
    }

    private static void each(
            List<?> items, int first, List<Column> columns, String expected, Write write, boolean isLenient, Object missing) {
        int place = 0;
        for (int number = 0; number < items.size(); number++) {
            Map<?, ?> row = (Map<?, ?>) items.get(number);
            for (Column column : columns) {
                Object cell = row.get(column.name);
                Object value = column.read(cell);
                if (value == null && !isLenient) throw invalid(first + number + 1, column.name, cell, expected);
                write.at(place++, value == null ? missing : value);
            }
        }
    }

    private static ModelException invalid(int number, String column, Object cell, String expected) {
        String shown = String.valueOf(cell);
        if (shown.length() > SHOWN_CHARACTERS) shown = shown.substring(0, SHOWN_CHARACTERS);
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("row", number);
        facts.put("column", column);
        facts.put("cell", shown);
        return new ModelException("cell_invalid", "row " + number + ", column " + column + ": '" + shown + "' is no " + expected, facts, null);
    }
}
