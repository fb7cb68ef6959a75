package io.modelyard;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the artefact says of itself, and its graph; both compared with the hashes that were written with the model. */
final class Manifest {
    private static final int KNOWN_SCHEMA = 1;
    /** Bytes of an array. */
    private static final int LARGEST = Integer.MAX_VALUE - 8;
    private static final String FILE = "artefact.json";
    static final String GRAPH = "model.onnx";
    private static final String HASHES = "hashes.json";

    final String reads;
    final String output;
    final Map<String, Object> decode;
    final List<String> labels = new ArrayList<>();
    final Map<String, Double> thresholds = new LinkedHashMap<>();
    final double tolerance;
    /** What was chosen for the model; null where nothing was. */
    final Coverage coverage;
    final String outputName;
    /** What answering takes beside the graph. */
    final List<String> files = new ArrayList<>();

    private final ArtefactSource source;
    private final Map<String, Object> hashes;
    private final List<String> inputs = new ArrayList<>();
    /** The bytes of {@code model.onnx}. */
    private byte[] graph;

    Manifest(ArtefactSource source) {
        this.source = source;
        byte[] file = file(source, FILE);
        graph = file(source, GRAPH);
        hashes = Json.object(file(source, HASHES), HASHES);
        compare(hashes, FILE, file);
        compare(hashes, GRAPH, graph);
        Map<String, Object> fields = Json.object(file, FILE);
        if (Json.asInt(fields.get("schema_version"), "schema_version") != KNOWN_SCHEMA)
            throw ModelException.artefact("artefact schema " + fields.get("schema_version") + ", this library knows " + KNOWN_SCHEMA);
        decode = Json.asObject(fields.get("decode"), "decode");
        reads = Json.asText(decode.get("kind"), "decode.kind");
        output = Json.asText(fields.get("output"), "output");
        tolerance = Json.asNumber(fields.get("tolerance"), "tolerance");
        Object chosen = fields.get("coverage");
        coverage = chosen == null ? null : new Coverage(Json.asObject(chosen, "coverage"));
        List<Object> named = Json.asList(Json.asObject(fields.get("label_set"), "label_set").get("labels"), "labels");
        for (Object label : named) labels.add(nameOf(label, "a label"));
        for (Map.Entry<String, Object> each : Json.asObject(fields.get("thresholds"), "thresholds").entrySet())
            thresholds.put(each.getKey(), Json.asNumber(each.getValue(), "a threshold"));
        for (Object input : Json.asList(fields.get("inputs"), "inputs")) inputs.add(nameOf(input, "an input"));
        List<Object> outputs = Json.asList(fields.get("outputs"), "outputs");
        if (outputs.isEmpty()) throw ModelException.artefact("the model has no output");
        outputName = nameOf(outputs.get(0), "an output");
        Object listed = fields.get("files");
        for (Object each : listed == null ? new ArrayList<>() : Json.asList(listed, "files")) files.add(Json.asText(each, "a file"));
    }

    String firstInput() {
        if (inputs.isEmpty()) throw ModelException.artefact("the model has no input");
        return inputs.get(0);
    }

    /** The graph; gives it away, since it is needed once. */
    byte[] takeGraph() {
        byte[] taken = graph;
        graph = null;
        return taken;
    }

    /** A file that answering takes beside the graph. */
    byte[] read(String name) {
        byte[] content = file(source, name);
        compare(hashes, name, content);
        return content;
    }

    private static String nameOf(Object entry, String what) {
        return Json.asText(Json.asObject(entry, what).get("name"), "the name of " + what);
    }

    /** A file of the artefact. */
    static byte[] file(ArtefactSource source, String name) {
        try (InputStream stream = source.open(name)) {
            if (stream == null) throw new IOException("it is not there");
            return all(stream);
        } catch (IOException error) {
            throw new ModelException("artefact_unreadable", name + " cannot be read: " + ModelException.reason(error), error);
        }
    }

    /** All of a stream; of a file that knows its size without a second copy of it. */
    static byte[] all(InputStream stream) throws IOException {
        byte[] content = new byte[Math.max(1 << 12, stream.available())];
        int size = 0;
        for (; ; ) {
            if (size == content.length) {
                int next = stream.read();
                if (next < 0) return content;
                if (size >= LARGEST) throw new IOException("it is larger than 2 GB");
                content = Arrays.copyOf(content, (int) Math.min(LARGEST, 2L * size));
                content[size++] = (byte) next;
            }
            int more = stream.read(content, size, content.length - size);
            if (more < 0) return Arrays.copyOf(content, size);
            size += more;
        }
    }

    private static void compare(Map<String, Object> hashes, String name, byte[] content) {
        StringBuilder hash = new StringBuilder();
        try {
            for (byte each : MessageDigest.getInstance("SHA-256").digest(content)) hash.append(String.format("%02x", each));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error); // every JVM has it
        }
        Object written = hashes.get(name);
        if (written != null && !hash.toString().equals(written))
            throw new ModelException("artefact_damaged", name + " is not the file that was written with the model");
    }
}
