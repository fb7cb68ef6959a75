package io.modelyard;

import java.io.File;
import java.io.FileInputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls the library as a list of calls in JSON on standard input says, and prints what came of each: an answer, or an error's code. */
final class Ask {
    private Model model;

    public static void main(String[] arguments) throws Exception {
        Ask ask = new Ask();
        List<Object> results = new ArrayList<>();
        for (Object call : Json.asList(Json.read(new String(Manifest.all(System.in), "UTF-8")), "calls")) {
            List<Object> parts = Json.asList(call, "a call");
            try {
                results.add(ask.call((String) parts.get(0), parts.subList(1, parts.size())));
            } catch (ModelException error) {
                results.add(described(error));
            }
        }
        new PrintStream(System.out, true, "UTF-8").println(Json.write(results));
    }

    private static Map<String, Object> described(ModelException error) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", error.code());
        fields.put("message", error.getMessage());
        fields.put("facts", error.facts());
        return fields;
    }

    private Object call(String name, List<Object> given) throws Exception {
        switch (name) {
            case "load":
                LoadOptions options = new LoadOptions();
                if (given.size() > 1) options.threads(Json.asInt(given.get(1), "threads"));
                Model loaded = Model.load(new File((String) given.get(0)), options);
                if (model != null) model.close();
                model = loaded;
                return null;
            case "facts":
                List<Object> facts = new ArrayList<>();
                facts.add(model.reads());
                facts.add(model.output());
                facts.add(model.labels());
                return facts;
            case "predict":
                return fields(predict(item(given.get(0)), query(given)));
            case "batch":
                List<Object> items = new ArrayList<>();
                for (Object each : Json.asList(given.get(0), "items")) items.add(item(each));
                List<Object> all = new ArrayList<>();
                for (List<Annotation> each : model.predictBatch(items, query(given))) all.add(fields(each));
                return all;
            case "answer":
                return model.answer(item(given.get(0)), query(given)).toMap();
            case "selftest":
                return Json.read(model.selftest().toString());
            case "bench":
                return Json.read(model.bench(Json.asInt(given.get(0), "runs")).toString());
            case "close":
                model.close();
                return null;
            case "threads":
                return threads(given);
            case "pixels":
                int held = 0;
                for (boolean each : predict(item(given.get(0)), query(given)).get(0).pixels()) if (each) held++;
                return held;
            case "similarity":
                Annotation one = predict(item(given.get(0)), new Query()).get(0);
                Annotation none = Annotation.ofValue(1);
                return one.similarity(given.get(1) == null ? none : predict(item(given.get(1)), new Query()).get(0));
            case "ids":
                Tokenizer tokenizer = new Tokenizer(Json.object(Manifest.file(path -> new FileInputStream(path), (String) given.get(0)), "it"));
                List<Object> ids = new ArrayList<>();
                for (Object text : Json.asList(given.get(1), "texts")) {
                    List<Object> own = new ArrayList<>();
                    for (int id : tokenizer.ids(((String) text).codePoints().toArray())) own.add(id);
                    ids.add(own);
                }
                return ids;
            case "number":
                List<Object> some = Json.asList(given.get(1), "with");
                List<String> units = new ArrayList<>();
                for (Object unit : some.subList(1, some.size())) units.add((String) unit);
                Double number = new Cells((String) some.get(0), units).numberOf(given.get(0));
                return number != null && number.isNaN() ? "NaN" : number;
            case "text":
                return Cells.textOf(given.get(0));
            case "folded":
                return Cells.folded((String) given.get(0));
            case "moment":
                Long seconds = new Moments((String) Json.asList(given.get(1), "with").get(0)).secondsOf(given.get(0));
                return seconds == null ? null : String.valueOf(seconds);
            default:
                throw new IllegalArgumentException(name);
        }
    }

    @SuppressWarnings("unchecked")
    private List<Annotation> predict(Object item, Query query) {
        if (item instanceof byte[]) return model.predict((byte[]) item, query);
        if (item instanceof File) return model.predict((File) item, query);
        if (item instanceof String) return model.predict((String) item, query);
        if (item instanceof Pixels) return model.predict((Pixels) item, query);
        return model.predict((Map<String, Object>) item, query);
    }

    /** Asks from eight threads at once, while another closes the model in the end. */
    private Object threads(List<Object> given) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        List<Future<Object>> running = new ArrayList<>();
        for (int round = 0; round < 6; round++) for (Object each : given) running.add(pool.submit(() -> fields(predict(item(each), new Query()))));
        running.get(running.size() / 2).get();
        model.close();
        List<Object> found = new ArrayList<>();
        for (Future<Object> each : running) {
            try {
                found.add(each.get());
            } catch (java.util.concurrent.ExecutionException error) {
                found.add(((ModelException) error.getCause()).code());
            }
        }
        pool.shutdown();
        return found;
    }

    private static List<Object> fields(List<Annotation> answer) {
        List<Object> fields = new ArrayList<>();
        for (Annotation each : answer) fields.add(each.toMap());
        return fields;
    }

    private static Query query(List<Object> given) {
        Query query = new Query();
        if (given.size() < 2) return query;
        Map<String, Object> asked = Json.asObject(given.get(1), "a query");
        if (asked.containsKey("top")) query.top(Json.asInt(asked.get("top"), "top"));
        if (asked.containsKey("threshold")) query.threshold(Json.asNumber(asked.get("threshold"), "threshold"));
        if (asked.containsKey("lenient")) query.invalidCellsAreMissing();
        return query;
    }

    /** {"base64": ...}: bytes, with width, height and channels pixels; {"file": ...}; anything else as it is. */
    private static Object item(Object given) {
        if (!(given instanceof Map)) return given;
        Map<?, ?> fields = (Map<?, ?>) given;
        if (fields.containsKey("file")) return new File((String) fields.get("file"));
        if (!fields.containsKey("base64")) return given;
        byte[] bytes = Base64.getDecoder().decode((String) fields.get("base64"));
        if (!fields.containsKey("width")) return bytes;
        return new Pixels(
                bytes, Json.asInt(fields.get("width"), "width"), Json.asInt(fields.get("height"), "height"), Json.asInt(fields.get("channels"), "channels"));
    }
}
