package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Boxes around things. */
final class BoxesAnswers extends BoxRows {
    BoxesAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    void check(Tensor answer) {
        if (answer.axes.length != 2 || answer.axes[1] != ROW)
            throw ModelException.artefact("the model answers in shape " + answer.shape() + ", not with rows of " + ROW);
    }

    @Override
    List<Annotation> encode(Tensor answer, int width, int height, ResolvedQuery resolved) {
        List<Annotation> found = new ArrayList<>();
        for (double[] row : held(answer)) {
            int label = labelAt(row[5]);
            if (row[4] < resolved.floors[label]) continue;
            found.add(Annotation.ofBox(labels.get(label), score(row), bounds(row, width, height)));
            if (found.size() == resolved.top) break;
        }
        return found;
    }

    @Override
    double difference(Map<String, Object> sample, List<String> names, Tensor answer) {
        if (!names.equals(labels)) return MISSING_BOX;
        return apart(golden(sample), held(answer), answer.axes[0]);
    }
}
