package io.modelyard;

import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A model update: its file, and whether its model may take the place of another. */
final class Update {
    private static final int KNOWN_FORMAT = 1;
    private static final long LARGEST = 8L << 30;
    private static final String ABOUT = "update.json";
    private static final String MANIFEST = "artefact.json";
    private static final String HASHES = "hashes.json";

    private Update() {}

    /** Writes the update's files, and waits until the disk has them. */
    static void unpack(File file, Path place) throws IOException {
        try (ZipFile packed = new ZipFile(file)) {
            long left = LARGEST;
            for (ZipEntry each : Collections.list(packed.entries())) {
                String name = each.getName();
                if (name.startsWith("/") || name.contains("\\") || name.contains(":") || Arrays.asList(name.split("/")).contains(".."))
                    throw invalid("a file in it has the name " + name, null);
                if (each.isDirectory()) continue;
                Path target = place.resolve(name);
                Files.createDirectories(target.getParent());
                try (InputStream source = packed.getInputStream(each)) {
                    left -= copy(source, target, left);
                }
            }
        } catch (ZipException | EOFException | IllegalArgumentException error) {
            throw invalid("it cannot be unpacked: " + ModelException.reason(error), error);
        }
        modelOf(place);
    }

    /** By which the platform names an update's model; looks whether this library understands the update. */
    static String modelOf(Path place) {
        try {
            Map<String, Object> about = Json.object(Files.readAllBytes(place.resolve(ABOUT)), ABOUT);
            int format = Json.asInt(about.get("format"), "format");
            if (format > KNOWN_FORMAT)
                throw new ModelException("update_too_new", "the update has format " + format + ", this library understands " + KNOWN_FORMAT);
            return Json.asText(about.get("model"), "model");
        } catch (IOException error) {
            throw invalid(ABOUT + " cannot be read", error);
        } catch (ModelException error) {
            throw error.code().equals("update_too_new") ? error : invalid(error.getMessage(), error);
        }
    }

    /** Refuses a model that reads or answers something else, is damaged, or does not answer here as it was trained to. */
    static void check(ArtefactSource before, File after, boolean isOtherLabelsAllowed) throws IOException {
        Map<String, Object> old = manifest(before), next = manifest(name -> new FileInputStream(new File(after, name)));
        hashes(after);
        try {
            int version = Json.asInt(next.get("schema_version"), "schema_version");
            if (version > Json.asInt(old.get("schema_version"), "schema_version"))
                throw new ModelException("update_too_new", "the model has format " + version + ", which this library does not understand");
            List<Object> is = kind(old), becomes = kind(next);
            if (!is.equals(becomes)) throw new ModelException("update_other_task", "installed is a model for " + is + ", the update is for " + becomes);
            Set<String> gone = labels(old), come = labels(next);
            gone.removeAll(labels(next));
            come.removeAll(labels(old));
            if (!isOtherLabelsAllowed && !(gone.isEmpty() && come.isEmpty()))
                throw new ModelException("update_other_labels", "gone: " + gone + "; new: " + come);
        } catch (ModelException error) {
            throw error.code().startsWith("update_") ? error : invalid(error.getMessage(), error);
        }
        selftest(after);
    }

    /** Writes a file, and waits until the disk has it. */
    static void write(Path file, byte[] content) throws IOException {
        try (FileOutputStream written = new FileOutputStream(file.toFile())) {
            written.write(content);
            written.getFD().sync();
        }
    }

    static String sha256(File file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error); // every JVM has it
        }
        byte[] part = new byte[1 << 16];
        try (InputStream source = new DigestInputStream(new FileInputStream(file), digest)) {
            while (source.read(part) >= 0) continue;
        }
        StringBuilder hash = new StringBuilder();
        for (byte each : digest.digest()) hash.append(String.format("%02x", each));
        return hash.toString();
    }

    private static long copy(InputStream source, Path target, long most) throws IOException {
        byte[] part = new byte[1 << 16];
        long size = 0;
        try (FileOutputStream written = new FileOutputStream(target.toFile())) {
            for (int length; (length = source.read(part)) >= 0; ) {
                size += length;
                if (size > most) throw invalid("unpacked it is larger than " + (LARGEST >> 30) + " GiB", null);
                written.write(part, 0, length);
            }
            written.getFD().sync();
        }
        return size;
    }

    private static void hashes(File artefact) throws IOException {
        Map<String, Object> written;
        try {
            written = Json.object(Files.readAllBytes(new File(artefact, HASHES).toPath()), HASHES);
        } catch (IOException | ModelException error) {
            throw invalid(HASHES + " cannot be read", error);
        }
        for (Map.Entry<String, Object> each : written.entrySet()) {
            File file = new File(artefact, each.getKey());
            if (!file.isFile()) throw invalid(each.getKey() + " is missing", null);
            if (!sha256(file).equals(each.getValue()))
                throw new ModelException("artefact_damaged", each.getKey() + " is not the file that was written with the model");
        }
    }

    private static void selftest(File artefact) {
        try (Model model = Model.load(artefact)) {
            SelftestReport report = model.selftest();
            if (!report.isPassed) throw new ModelException("update_selftest_failed", report.toString());
        } catch (ModelException error) {
            if (error.code().equals("update_selftest_failed") || error.code().equals("library_missing")) throw error;
            throw new ModelException("update_selftest_failed", error.code() + ": " + error.getMessage(), error);
        }
    }

    private static Map<String, Object> manifest(ArtefactSource source) {
        try {
            return Json.object(Manifest.file(source, MANIFEST), MANIFEST);
        } catch (ModelException error) {
            throw invalid(error.getMessage(), error);
        }
    }

    /** What a program that calls the model depends on: task, kind of items, of rows also their columns, kind of answers. */
    private static List<Object> kind(Map<String, Object> manifest) {
        Map<String, Object> decode = Json.asObject(manifest.get("decode"), "decode");
        List<Object> kind = new ArrayList<>();
        for (String name : new String[] {"task", "output"}) kind.add(Json.asText(manifest.get(name), name));
        kind.add(Json.asText(decode.get("kind"), "decode.kind"));
        Object columns = decode.get("columns");
        if (columns != null)
            for (Object column : Json.asList(columns, "columns")) kind.add(Json.asObject(column, "a column").get("name"));
        return kind;
    }

    private static Set<String> labels(Map<String, Object> manifest) {
        Set<String> names = new LinkedHashSet<>();
        for (Object label : Json.asList(Json.asObject(manifest.get("label_set"), "label_set").get("labels"), "labels"))
            names.add(Json.asText(Json.asObject(label, "a label").get("name"), "the name of a label"));
        return new TreeSet<>(names);
    }

    private static ModelException invalid(String why, Throwable cause) {
        return new ModelException("update_invalid", why, cause);
    }
}
