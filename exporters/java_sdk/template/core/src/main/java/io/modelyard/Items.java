package io.modelyard;

import java.util.List;
import java.util.Map;

/** A kind of items: how what is given becomes tensors. */
abstract class Items {
    /** The kind of that name, by {@code decode.kind} of the manifest. */
    static Items of(Manifest manifest, LoadOptions options) {
        switch (manifest.reads) {
            case "image":
                return new ImageItems(manifest, options);
            case "row":
                return new RowItems(manifest);
            case "text":
                return new TextItems(manifest);
            default:
                throw ModelException.artefact("items of the kind " + manifest.reads + " are not known");
        }
    }

    /** An item to try the graph with. */
    abstract Piece typical();

    /** A golden sample, from its file. */
    abstract Piece sample(byte[] file);

    /** A golden sample as somebody would give it to {@code predict}. */
    abstract Object item(byte[] file);

    /** How many items one run takes. */
    abstract int atOnce();

    /**
     * Items of one run.
     *
     * @param first place of the first of them among those that were given, from 0.
     */
    abstract Piece read(List<?> items, int first, boolean isLenient);

    /** Looks at all items before the first is answered. */
    void check(List<?> items) {}

    static ModelException foreign(String reads, Object item) {
        String given = item == null ? "null" : item instanceof Map ? "a row" : item.getClass().getSimpleName();
        return new ModelException("item_invalid", "this model reads " + reads + ", not " + given);
    }
}
