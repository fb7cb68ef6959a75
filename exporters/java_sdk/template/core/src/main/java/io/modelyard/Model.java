package io.modelyard;

import java.io.File;
import java.io.FileInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A trained model. Several threads may use it at once.
 *
 * <p>All methods throw {@link ModelException}, and for callers' mistakes nothing else.
 */
public final class Model implements AutoCloseable {
    private static final String SAMPLES = "samples/";
    private static final String PIPELINE = "pipeline.json";

    private final ArtefactSource source;
    private final Manifest manifest;
    private final Items items;
    private final Answers answers;
    private final Graph graph;
    private final Map<String, Double> thresholds;
    private final int batchThreads;

    private Model(ArtefactSource source, LoadOptions options) {
        this.source = source;
        manifest = new Manifest(source);
        items = Items.of(manifest, options);
        answers = AnswerKinds.of(manifest.output, manifest.labels);
        thresholds = options.thresholds == null ? manifest.thresholds : options.thresholds;
        batchThreads = options.batchThreads;
        graph = open(options.threads);
        try {
            // Once, so that the first answer is as fast as the others.
            answers.check(graph.run(items.typical()).get(0));
        } catch (RuntimeException error) {
            graph.close();
            if (error instanceof ModelException && ((ModelException) error).code().equals("graph_failed"))
                throw new ModelException("artefact_unreadable", error.getMessage(), error);
            throw error;
        }
    }

    /** What answers: the graph, or the pipeline that joins it with others. */
    private Graph open(int threads) {
        if (!manifest.files.contains(PIPELINE)) return new Session(manifest.takeGraph(), manifest.outputName, threads);
        Opener opener = (file, output) -> new Session(file.equals(Manifest.GRAPH) ? manifest.takeGraph() : manifest.read(file), output, threads);
        return PipelineKinds.of(Json.object(manifest.read(PIPELINE), PIPELINE), opener);
    }

    /** Loads a model from the folder of its artefact. */
    public static Model load(File folder) {
        return load(folder, new LoadOptions());
    }

    /** Loads a model from the folder of its artefact. */
    public static Model load(File folder, LoadOptions options) {
        if (folder == null) throw new ModelException("argument_invalid", "a folder is needed");
        return load(name -> new FileInputStream(new File(folder, name)), options);
    }

    /** Loads a model from wherever its files are; golden samples are read from there too. */
    public static Model load(ArtefactSource source, LoadOptions options) {
        if (source == null || options == null) throw new ModelException("argument_invalid", "a source and options are needed");
        try {
            return new Model(source, options);
        } catch (LinkageError error) { // without ONNX Runtime's classes even Session cannot be loaded
            throw ModelException.library(error);
        } catch (OutOfMemoryError error) {
            throw new ModelException("artefact_unreadable", "the model does not fit into the memory of this process", error);
        }
    }

    /** What the model reads: {@code image}, {@code row} or {@code text}. */
    public String reads() {
        return manifest.reads;
    }

    /** What it answers: {@code class_scores}, {@code boxes} and so on, as in {@code artefact.json}. */
    public String output() {
        return manifest.output;
    }

    /** The labels, in the order of the model's outputs. */
    public List<String> labels() {
        return Collections.unmodifiableList(manifest.labels);
    }

    /** Answers the file of a picture; of a model of texts a file in UTF-8, which is one text. */
    public List<Annotation> predict(File file) {
        return predict(file, new Query());
    }

    /** Answers the file of a picture; of a model of texts a file in UTF-8, which is one text. */
    public List<Annotation> predict(File file, Query query) {
        return one(file, query);
    }

    /** Answers the bytes of a file; see the other method. */
    public List<Annotation> predict(byte[] content) {
        return predict(content, new Query());
    }

    /** Answers the bytes of a file; see the other method. */
    public List<Annotation> predict(byte[] content, Query query) {
        return one(content, query);
    }

    /** Answers a text. */
    public List<Annotation> predict(String text) {
        return predict(text, new Query());
    }

    /** Answers a text. */
    public List<Annotation> predict(String text, Query query) {
        return one(text, query);
    }

    /** Answers a picture in memory. */
    public List<Annotation> predict(Pixels picture) {
        return predict(picture, new Query());
    }

    /** Answers a picture in memory. */
    public List<Annotation> predict(Pixels picture, Query query) {
        return one(picture, query);
    }

    /** Answers a row of a table: cells by column; texts, numbers, booleans or null. */
    public List<Annotation> predict(Map<String, ?> row) {
        return predict(row, new Query());
    }

    /** Answers a row of a table: cells by column; texts, numbers, booleans or null. */
    public List<Annotation> predict(Map<String, ?> row, Query query) {
        return one(row, query);
    }

    /** Answers several items, in their order; see the other method. */
    public List<List<Annotation>> predictBatch(List<?> items) {
        return predictBatch(items, new Query());
    }

    /**
     * Answers several items, in their order: pictures and texts on several cores, rows in few runs. The first item that cannot be answered ends it.
     *
     * @param items what {@code predict} takes.
     */
    public List<List<Annotation>> predictBatch(List<?> items, Query query) {
        List<List<Annotation>> found = new ArrayList<>();
        for (Answer each : answerBatch(items, query)) found.add(each.annotations());
        return found;
    }

    /** Answers an item; see the other method. */
    public Answer answer(Object item) {
        return answer(item, new Query());
    }

    /**
     * The annotations of an item, with whether a person should look at it.
     *
     * @param item what {@code predict} takes.
     */
    public Answer answer(Object item, Query query) {
        return answerBatch(Collections.singletonList(item), query).get(0);
    }

    /** The same of several items; see the other method. */
    public List<Answer> answerBatch(List<?> items) {
        return answerBatch(items, new Query());
    }

    /** The same of several items, as {@code predictBatch} answers them. */
    public List<Answer> answerBatch(List<?> items, Query query) {
        if (items == null || query == null) throw new ModelException("argument_invalid", "items and a query are needed");
        this.items.check(items);
        ResolvedQuery resolved = resolved(query);
        List<Callable<List<Answer>>> tasks = new ArrayList<>();
        int atOnce = this.items.atOnce();
        for (int first = 0; first < items.size(); first += atOnce) {
            int start = first;
            List<?> own = items.subList(first, Math.min(items.size(), first + atOnce));
            tasks.add(() -> answered(own, start, query, resolved, items.size() > 1));
        }
        return ran(tasks);
    }

    /** Answers the golden samples and compares with the trained model's answers. */
    public SelftestReport selftest() {
        Map<String, Object> golden = golden();
        Object given = golden.get("labels");
        List<String> names = new ArrayList<>();
        for (Object name : given == null ? new ArrayList<>() : Json.asList(given, "labels")) names.add(Json.asText(name, "a label"));
        List<Object> samples = samplesOf(golden);
        double worst = 0;
        for (Object each : samples) {
            Map<String, Object> sample = Json.asObject(each, "a golden sample");
            Tensor answer = graph.run(items.sample(sampleFile(sample))).get(0);
            double apart = answers.difference(sample, names.isEmpty() ? manifest.labels : names, answer);
            if (!(apart <= worst)) worst = apart; // also what is no number
        }
        return new SelftestReport(samples.size(), worst, manifest.tolerance, graph.description());
    }

    /** Measures predictions of a golden sample here. */
    public BenchReport bench(int numRuns) {
        if (numRuns < 1) throw new ModelException("argument_invalid", "the number of runs is at least 1");
        Object item = items.item(sampleFile(Json.asObject(samplesOf(golden()).get(0), "a golden sample")));
        long[] taken = new long[numRuns];
        for (int run = 0; run < numRuns; run++) {
            long beganAt = System.nanoTime();
            one(item, new Query().invalidCellsAreMissing());
            taken[run] = System.nanoTime() - beganAt;
        }
        Arrays.sort(taken);
        return new BenchReport(taken, graph.description());
    }

    /** Frees the model, once running predictions have ended. */
    @Override
    public void close() {
        graph.close();
    }

    private List<Annotation> one(Object item, Query query) {
        return answer(item, query).annotations();
    }

    private List<Answer> answered(List<?> own, int first, Query query, ResolvedQuery resolved, boolean isNamed) {
        List<Answer> found = new ArrayList<>();
        try {
            Piece piece = items.read(own, first, query.isLenient);
            for (Tensor answer : graph.run(piece)) {
                List<Annotation> annotations = answers.encode(answer, piece.width, piece.height, resolved);
                found.add(manifest.coverage == null ? Answer.of(annotations) : answers.answer(annotations, answer, thresholds, manifest.coverage));
            }
            return found;
        } catch (ModelException error) {
            throw isNamed && items.atOnce() == 1 ? error.with("item", first) : error;
        }
    }

    private List<Answer> ran(List<Callable<List<Answer>>> tasks) {
        List<Answer> found = new ArrayList<>();
        int numThreads = Math.min(tasks.size(), items.atOnce() == 1 ? batchThreads : 1);
        ExecutorService pool = numThreads > 1 ? Executors.newFixedThreadPool(numThreads) : null;
        try {
            if (pool == null) {
                for (Callable<List<Answer>> task : tasks) found.addAll(task.call());
                return found;
            }
            List<Future<List<Answer>>> running = new ArrayList<>();
            for (Callable<List<Answer>> task : tasks) running.add(pool.submit(task));
            for (Future<List<Answer>> each : running) found.addAll(each.get());
            return found;
        } catch (ExecutionException error) {
            throw coded(error.getCause());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new ModelException("interrupted", "the thread was interrupted", error);
        } catch (Exception error) {
            throw coded(error);
        } finally {
            if (pool != null) pool.shutdownNow();
        }
    }

    private static RuntimeException coded(Throwable error) {
        if (error instanceof Error) throw (Error) error;
        return error instanceof ModelException ? (ModelException) error : new ModelException("internal_error", error.toString(), error);
    }

    private ResolvedQuery resolved(Query query) {
        double[] floors = new double[manifest.labels.size()];
        for (int place = 0; place < floors.length; place++) {
            Double own = thresholds.get(manifest.labels.get(place));
            floors[place] = query.threshold != null ? query.threshold : own == null ? 0 : own;
        }
        return new ResolvedQuery(query.top == null ? answers.defaultTop() : query.top, floors, query.threshold, thresholds);
    }

    private Map<String, Object> golden() {
        String name = SAMPLES + "expected.json";
        return Json.object(Manifest.file(source, name), name);
    }

    private static List<Object> samplesOf(Map<String, Object> golden) {
        List<Object> samples = Json.asList(golden.get("samples"), "samples");
        if (samples.isEmpty()) throw ModelException.artefact("there are no golden samples");
        return samples;
    }

    private byte[] sampleFile(Map<String, Object> sample) {
        return Manifest.file(source, SAMPLES + Json.asText(sample.get("file"), "the file of a golden sample"));
    }
}
