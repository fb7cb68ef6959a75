package io.modelyard;

import java.util.List;

/** Scores of labels that exclude each other. */
final class ClassScoresAnswers extends Scores {
    ClassScoresAnswers(List<String> labels) {
        super(labels);
    }
}
