package io.modelyard.desktop;

import io.modelyard.Annotation;
import io.modelyard.InstalledModels;
import io.modelyard.Json;
import io.modelyard.Model;
import io.modelyard.ModelException;
import io.modelyard.Query;
import io.modelyard.SelftestReport;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A sample program: answers files, one line of JSON each; says how the model does on this machine. */
public final class Main {
    private static final String USAGE =
            "usage: java -jar modelyard.jar ARTEFACT [--top N] [--threshold SCORE] (--selftest | --bench RUNS | FILE...)\n"
                    + "       java -jar modelyard.jar ARTEFACT update (FILE.zip [--allow-other-labels] | --rollback)\n"
                    + "FILE is a picture, a text in UTF-8, or, for a model of tables, JSON with a row or a list of rows.";

    private final PrintStream out;
    private final Query query = new Query();
    private final List<String> files = new ArrayList<>();
    private boolean isSelftest;
    private int numRuns;

    private Main(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("java.awt.headless", "true");
        System.exit(new Main(new PrintStream(System.out, true, "UTF-8")).run(arguments));
    }

    /** 0: all was answered; 1: some was not, or the self-test failed; 2: nothing could be asked. */
    private int run(String[] arguments) {
        try {
            if (arguments.length < 2) throw new ModelException("argument_invalid", USAGE);
            InstalledModels installed = new InstalledModels(new File(arguments[0]));
            if (arguments[1].equals("update")) return update(installed, Arrays.asList(arguments).subList(2, arguments.length));
            read(arguments);
            try (Model model = installed.load()) {
                if (isSelftest) return selftest(model);
                if (numRuns > 0) out.println(model.bench(numRuns));
                boolean isWhole = true;
                for (String file : files) isWhole &= answer(model, file);
                return isWhole ? 0 : 1;
            }
        } catch (ModelException error) {
            out.println(Json.write(described(error)));
            return 2;
        }
    }

    private void read(String[] arguments) {
        for (int place = 1; place < arguments.length; place++) {
            switch (arguments[place]) {
                case "--selftest":
                    isSelftest = true;
                    break;
                case "--bench":
                    numRuns = (int) number(arguments, ++place);
                    break;
                case "--top":
                    query.top((int) number(arguments, ++place));
                    break;
                case "--threshold":
                    query.threshold(number(arguments, ++place));
                    break;
                default:
                    files.add(arguments[place]);
            }
        }
    }

    private static double number(String[] arguments, int place) {
        try {
            return Double.parseDouble(arguments[place]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException error) {
            throw new ModelException("argument_invalid", arguments[place - 1] + " needs a number\n" + USAGE);
        }
    }

    /** Gives the product another model, or the one before. */
    private int update(InstalledModels installed, List<String> words) {
        boolean isOtherLabelsAllowed = words.contains("--allow-other-labels");
        if (words.size() != (isOtherLabelsAllowed ? 2 : 1)) throw new ModelException("argument_invalid", USAGE);
        if (words.get(0).equals("--rollback")) installed.rollBack();
        else installed.install(new File(words.get(0)), isOtherLabelsAllowed);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("model", installed.model());
        line.put("artefact_dir", installed.folder() == null ? "" : installed.folder().getPath());
        line.put("can_roll_back", installed.canRollBack());
        out.println(Json.write(line));
        return 0;
    }

    private int selftest(Model model) {
        SelftestReport report = model.selftest();
        out.println(report);
        return report.isPassed ? 0 : 1;
    }

    private boolean answer(Model model, String file) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("file", file);
        try {
            List<List<Annotation>> answers = model.predictBatch(itemsOf(model, file), query);
            List<Object> predictions = new ArrayList<>();
            for (List<Annotation> answer : answers) {
                List<Object> fields = new ArrayList<>();
                for (Annotation each : answer) fields.add(each.toMap());
                predictions.add(fields);
            }
            line.put("predictions", predictions);
        } catch (ModelException error) {
            line.putAll(described(error));
        }
        out.println(Json.write(line));
        return line.containsKey("predictions");
    }

    private static List<?> itemsOf(Model model, String file) {
        if (!model.reads().equals("row")) return Collections.singletonList(new File(file));
        try {
            Object rows = Json.read(new String(Files.readAllBytes(new File(file).toPath()), StandardCharsets.UTF_8));
            return rows instanceof List ? (List<?>) rows : Collections.singletonList(rows);
        } catch (IOException error) {
            throw new ModelException("file_unreadable", "the file cannot be read: " + error.getMessage(), error);
        }
    }

    private static Map<String, Object> described(ModelException error) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", error.code());
        fields.put("detail", error.getMessage());
        fields.putAll(error.facts());
        return fields;
    }
}
