package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answer to one item. What goes beyond the annotations is there where an error rate was chosen for the model. */
public final class Answer {
    private final List<Annotation> annotations;
    private final Boolean asksAPerson;
    private final List<String> possibleLabels;
    private final Interval interval;

    Answer(List<Annotation> annotations, Boolean asksAPerson, List<String> possibleLabels, Interval interval) {
        this.annotations = Collections.unmodifiableList(annotations);
        this.asksAPerson = asksAPerson;
        this.possibleLabels = Collections.unmodifiableList(possibleLabels);
        this.interval = interval;
    }

    static Answer of(List<Annotation> annotations) {
        return new Answer(annotations, null, Collections.emptyList(), null);
    }

    /** Best first. */
    public List<Annotation> annotations() {
        return annotations;
    }

    /** Whether a person should look: the scores do not leave exactly the predicted label possible; null where no error rate was chosen. */
    public Boolean asksAPerson() {
        return asksAPerson;
    }

    /** Labels that are possible at the error rate, best first. */
    public List<String> possibleLabels() {
        return possibleLabels;
    }

    /** Where the true number lies; null of a model that predicts labels, and where no error rate was chosen. */
    public Interval interval() {
        return interval;
    }

    /** The fields by the names that the server gives them. */
    public Map<String, Object> toMap() {
        List<Object> shown = new ArrayList<>();
        for (Annotation each : annotations) shown.add(each.toMap());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("annotations", shown);
        if (asksAPerson != null) {
            fields.put("ask_a_person", asksAPerson);
            fields.put("possible_labels", new ArrayList<Object>(possibleLabels));
        }
        if (interval != null) fields.put("interval", interval.toMap());
        return fields;
    }

    @Override
    public String toString() {
        return Json.write(toMap());
    }
}
