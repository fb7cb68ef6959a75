package io.modelyard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Scores of labels that exclude each other. */
final class ClassScoresAnswers extends Scores {
    ClassScoresAnswers(List<String> labels) {
        super(labels);
    }

    @Override
    Answer answer(List<Annotation> annotations, Tensor answer, Map<String, Double> thresholds, Coverage coverage) {
        List<Integer> possible = new ArrayList<>();
        for (int place = 0; place < labels.size(); place++)
            if (answer.data[place] >= coverage.limitOf(labels.get(place))) possible.add(place);
        possible.sort((a, b) -> Float.compare(answer.data[b], answer.data[a]));
        List<String> names = new ArrayList<>();
        for (int place : possible) names.add(labels.get(place));
        boolean asksAPerson = possible.size() != 1 || possible.get(0) != predicted(answer, thresholds);
        return new Answer(annotations, asksAPerson, names, null);
    }

    /** Where each label has a threshold, the one that is furthest above its own; otherwise the one with the highest score. */
    private int predicted(Tensor answer, Map<String, Double> thresholds) {
        boolean haveThresholds = true;
        for (String label : labels) haveThresholds &= thresholds.getOrDefault(label, 0.0) > 0;
        int best = 0;
        double highest = Double.NEGATIVE_INFINITY;
        for (int place = 0; place < labels.size(); place++) {
            double rank = haveThresholds ? answer.data[place] / thresholds.get(labels.get(place)) : answer.data[place];
            if (!(rank > highest)) continue;
            highest = rank;
            best = place;
        }
        return best;
    }
}
