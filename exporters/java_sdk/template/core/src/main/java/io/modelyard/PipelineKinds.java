package io.modelyard;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Pipelines, which are models of several graphs with something between them: by the names of {@code pipeline.json}, each with a class
 * {@code ...Pipeline}. Written when the library was packed.
 */
final class PipelineKinds {
    private static final Map<String, BiFunction<Map<String, Object>, Opener, Graph>> KINDS = new HashMap<>();

    static {
{{pipelines}}
    }

    private PipelineKinds() {}

    static Graph of(Map<String, Object> spec, Opener opener) {
        String kind = Json.asText(spec.get("kind"), "the kind of the pipeline");
        BiFunction<Map<String, Object>, Opener, Graph> maker = KINDS.get(kind);
        if (maker == null) throw ModelException.artefact("pipelines of the kind " + kind + " are not known");
        return maker.apply(spec, opener);
    }
}
