package io.modelyard;

import java.util.List;

/** Scores of labels that stand by themselves. */
final class LabelScoresAnswers extends Scores {
    LabelScoresAnswers(List<String> labels) {
        super(labels);
    }
}
