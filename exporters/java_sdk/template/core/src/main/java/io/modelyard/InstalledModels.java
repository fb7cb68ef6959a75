package io.modelyard;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The models of a product on this machine: the one that came with it, and those of model updates.
 *
 * <pre>
 * models/current.json     which model answers; not there: the one that came with the product
 * models/SHA-256/         the model of an update
 * </pre>
 *
 * <p>{@code current.json} is replaced in one step, after the new model has been written to disk and has answered its golden
 * samples. So a program that is killed at any moment comes back with one of the two models, whole. All methods throw {@link
 * ModelException}.
 */
public final class InstalledModels {
    private static final String CURRENT = "current.json";
    private static final String PARTIAL = ".partial";
    private static final String FOLDER = "folder";
    private static final String PREVIOUS = "previous";

    private final ArtefactSource shipped;
    private final Path models;

    /** Of a product whose model lies in a folder; the first update makes {@code models} beside it. */
    public InstalledModels(File artefact) {
        this(in(artefact), new File(artefact.getAbsoluteFile().getParentFile(), "models"));
    }

    /** Of an app: the model that came with it is wherever its files are, those of updates in {@code models}. */
    public InstalledModels(ArtefactSource shipped, File models) {
        if (shipped == null || models == null) throw new ModelException("argument_invalid", "a source and a folder are needed");
        this.shipped = shipped;
        this.models = models.toPath();
    }

    /** Loads the model that answers now. */
    public Model load() {
        return load(new LoadOptions());
    }

    /** Loads the model that answers now. */
    public Model load(LoadOptions options) {
        return Model.load(current(), options);
    }

    /** The folder of the model that answers now; null: the one that came with the product. */
    public synchronized File folder() {
        Object name = state().get(FOLDER);
        return name == null ? null : artefactOf(models.resolve((String) name)).toFile();
    }

    /** By which the platform names the model that answers now; empty: the one that came with the product. */
    public synchronized String model() {
        Object name = state().get(FOLDER);
        return name == null ? "" : Update.modelOf(models.resolve((String) name));
    }

    /** Whether there is a model before the one that answers now. */
    public synchronized boolean canRollBack() {
        return state().containsKey(PREVIOUS);
    }

    /** Checks an update, lets it answer its golden samples, and switches to it: whoever loads from now on gets its model. */
    public void install(File update) {
        install(update, false);
    }

    /**
     * Checks an update, lets it answer its golden samples, and switches to it: whoever loads from now on gets its model. If it is
     * refused, the model before stays.
     *
     * @param update the file that the platform exported as a model update.
     * @param isOtherLabelsAllowed takes a model of other labels too.
     */
    public synchronized void install(File update, boolean isOtherLabelsAllowed) {
        if (update == null) throw new ModelException("argument_invalid", "the file of an update is needed");
        try {
            String name = Update.sha256(update);
            Files.createDirectories(models);
            for (Path each : listed()) if (each.toString().endsWith(PARTIAL)) delete(each);
            Path partial = models.resolve(name + PARTIAL);
            try {
                Update.unpack(update, partial);
                Update.check(current(), artefactOf(partial).toFile(), isOtherLabelsAllowed);
                if (!Files.exists(models.resolve(name))) Files.move(partial, models.resolve(name));
            } finally {
                delete(partial);
            }
            Object before = state().get(FOLDER);
            if (!name.equals(before)) change(name, before, true);
        } catch (IOException error) {
            throw new ModelException("update_not_writable", error.toString(), error);
        }
    }

    /** Lets the model before answer again. */
    public synchronized void rollBack() {
        Map<String, Object> state = state();
        if (!state.containsKey(PREVIOUS)) throw new ModelException("update_none_before", "no model was there before");
        try {
            change(state.get(PREVIOUS), null, false);
        } catch (IOException error) {
            throw new ModelException("update_not_writable", error.toString(), error);
        }
    }

    private synchronized ArtefactSource current() {
        File folder = folder();
        return folder == null ? shipped : in(folder);
    }

    private void change(Object folder, Object previous, boolean isPreviousKept) throws IOException {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put(FOLDER, folder);
        if (isPreviousKept) state.put(PREVIOUS, previous);
        Path partial = models.resolve(CURRENT + PARTIAL);
        Update.write(partial, Json.write(state).getBytes(StandardCharsets.UTF_8));
        Files.move(partial, models.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        for (Path each : listed()) {
            String name = each.getFileName().toString();
            if (Files.isDirectory(each) && !name.equals(folder) && !name.equals(previous)) delete(each);
        }
    }

    /** What {@code current.json} says; empty where it is not there, or names a model that is not. */
    private Map<String, Object> state() {
        try {
            Map<String, Object> state = Json.object(Files.readAllBytes(models.resolve(CURRENT)), CURRENT);
            Object name = state.get(FOLDER);
            return name == null || Files.isDirectory(models.resolve(name.toString())) ? state : new LinkedHashMap<>();
        } catch (IOException | ModelException error) {
            return new LinkedHashMap<>();
        }
    }

    private List<Path> listed() throws IOException {
        try (Stream<Path> found = Files.list(models)) {
            return found.collect(Collectors.toList());
        }
    }

    private static Path artefactOf(Path update) {
        return update.resolve("artefact");
    }

    private static ArtefactSource in(File folder) {
        if (folder == null) throw new ModelException("argument_invalid", "a folder is needed");
        return name -> new FileInputStream(new File(folder, name));
    }

    /** Deletes what can be deleted: a file that is in use on Windows stays until the next update. */
    private static void delete(Path place) throws IOException {
        if (!Files.exists(place)) return;
        List<Path> inside;
        try (Stream<Path> found = Files.walk(place)) {
            inside = found.collect(Collectors.toCollection(ArrayList::new));
        }
        for (int at = inside.size() - 1; at >= 0; at--) inside.get(at).toFile().delete();
    }
}
