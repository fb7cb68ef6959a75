package io.modelyard;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What went wrong, with a code that stays the same from version to version. */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final transient Map<String, Object> facts;

    public ModelException(String code, String message) {
        this(code, message, Collections.<String, Object>emptyMap(), null);
    }

    public ModelException(String code, String message, Throwable cause) {
        this(code, message, Collections.<String, Object>emptyMap(), cause);
    }

    public ModelException(String code, String message, Map<String, ?> facts, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.facts = Collections.unmodifiableMap(new LinkedHashMap<String, Object>(facts));
    }

    /** For example {@code picture_unreadable}; the read-me lists all. */
    public String code() {
        return code;
    }

    /** Where it went wrong: {@code item} (from 0) of a batch, {@code row} (from 1), {@code column} and {@code cell} of a table. */
    public Map<String, Object> facts() {
        return facts == null ? Collections.<String, Object>emptyMap() : facts;
    }

    /** The same with one more fact. */
    ModelException with(String name, Object fact) {
        Map<String, Object> more = new LinkedHashMap<>(facts());
        more.put(name, fact);
        return new ModelException(code, getMessage(), more, this);
    }

    /** Something a file of the artefact lacks, or has too much of. */
    static ModelException artefact(String why) {
        return new ModelException("artefact_unreadable", why);
    }

    static ModelException library(Throwable error) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return new ModelException("library_missing", "ONNX Runtime for Java is not there, or does not run here: " + reason(cause), error);
    }

    static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
