package io.modelyard;

import java.util.LinkedHashMap;
import java.util.Map;

/** How a model is loaded. */
public final class LoadOptions {
    int threads = 1;
    int batchThreads = Runtime.getRuntime().availableProcessors();
    Map<String, Double> thresholds;
    PictureDecoder pictureDecoder;

    /** Processor cores of one prediction, 1 to 256; usually 1. */
    public LoadOptions threads(int threads) {
        this.threads = counted("threads", threads);
        return this;
    }

    /** How many pictures of a batch are answered at the same time, 1 to 256; usually one a core. */
    public LoadOptions batchThreads(int threads) {
        this.batchThreads = counted("batchThreads", threads);
        return this;
    }

    /** Lowest score by label, in place of the model's own; labels that are not named have 0. */
    public LoadOptions thresholds(Map<String, Double> thresholds) {
        for (Double each : thresholds.values()) Query.checkThreshold(each == null ? Double.NaN : each);
        this.thresholds = new LinkedHashMap<>(thresholds);
        return this;
    }

    /** Decodes pictures, in place of the one that is found. */
    public LoadOptions pictureDecoder(PictureDecoder decoder) {
        this.pictureDecoder = decoder;
        return this;
    }

    private static int counted(String name, int value) {
        if (value < 1 || value > 256) throw new ModelException("argument_invalid", name + " lies between 1 and 256");
        return value;
    }
}
