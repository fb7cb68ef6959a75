package io.modelyard;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A graph in ONNX Runtime. */
final class Session implements Graph {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final OrtEnvironment environment;
    private final String output;
    private OrtSession session;

    /**
     * @throws ModelException {@code library_missing}, {@code artefact_unreadable}.
     */
    Session(byte[] graph, String output, int threads) {
        this.environment = environment();
        this.output = output;
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL); // what goes wrong is thrown
            session = environment.createSession(graph, options);
        } catch (OrtException error) {
            throw new ModelException("artefact_unreadable", "model.onnx cannot be opened: " + error.getMessage(), error);
        }
        if (!session.getOutputNames().contains(output)) {
            close();
            throw ModelException.artefact("the graph has no output " + output);
        }
    }

    private static OrtEnvironment environment() {
        try {
            OrtEnvironment environment = OrtEnvironment.getEnvironment();
            environment.setTelemetry(false);
            return environment;
        } catch (LinkageError | RuntimeException | OrtException error) {
            throw ModelException.library(error);
        }
    }

    @Override
    public String description() {
        String java = System.getProperty("java.version", "");
        return (java.equals("0") ? "android" : "java " + java) + ", onnxruntime " + environment.getVersion();
    }

    @Override
    public List<Tensor> run(Piece piece) {
        lock.readLock().lock();
        try {
            if (session == null) throw new ModelException("model_closed", "the model was closed");
            Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
            try {
                for (Map.Entry<String, Feed> feed : piece.feeds.entrySet()) inputs.put(feed.getKey(), feed.getValue().open(environment));
                try (OrtSession.Result result = session.run(inputs, Collections.singleton(output))) {
                    return tensors(result.get(0), piece.count);
                }
            } finally {
                OnnxValue.close(inputs);
            }
        } catch (OrtException | IllegalStateException error) {
            throw new ModelException("graph_failed", "the graph did not run: " + error.getMessage(), error);
        } finally {
            lock.readLock().unlock();
        }
    }

    private static List<Tensor> tensors(OnnxValue value, int count) {
        FloatBuffer buffer = value instanceof OnnxTensor ? ((OnnxTensor) value).getFloatBuffer() : null;
        if (buffer == null) throw ModelException.artefact("the graph does not answer with numbers of 32 bits");
        long[] shape = ((OnnxTensor) value).getInfo().getShape();
        if (shape.length == 0 || shape[0] != count) throw ModelException.artefact("the graph does not answer each item");
        int[] axes = new int[shape.length - 1];
        for (int place = 0; place < axes.length; place++) axes[place] = (int) shape[place + 1];
        List<Tensor> found = new ArrayList<>(count);
        for (int item = 0; item < count; item++) {
            float[] data = new float[buffer.capacity() / count];
            buffer.get(data);
            found.add(new Tensor(data, axes));
        }
        return found;
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (session != null) session.close();
        } catch (OrtException error) {
            throw new ModelException("graph_failed", "the model cannot be closed: " + error.getMessage(), error);
        } finally {
            session = null;
            lock.writeLock().unlock();
        }
    }
}
