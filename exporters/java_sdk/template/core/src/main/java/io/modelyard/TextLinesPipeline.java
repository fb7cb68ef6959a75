package io.modelyard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Lines of text in a picture: one graph says which pixels lie in the core of a line (DB, Liao et al. 2020), another one reads lines.
 * Regions become rectangles, which are cut out, sorted by length and read in batches; what is read is decoded greedily (CTC, Graves et
 * al. 2006). The answer has a row a line, as of {@link QuadsAnswers}.
 */
final class TextLinesPipeline implements Graph {
    static final int MAX_LINES = 256;
    /** Of a line; what is behind them is left out. */
    static final int MAX_CHARACTERS = 128;

    /** Both sides of the picture in which lines are looked for are a multiple of it. */
    private static final int STRIDE_PX = 32;
    /** Of a line of text. */
    private static final int HEIGHT_PX = 48;
    /** The width of a line is a multiple of it; one symbol is read in each of these steps. */
    private static final int LINE_STRIDE_PX = 8;

    private static final int MAX_WIDTH_PX = 2400;
    /** Shorter side of a region in pixels of the map. */
    private static final double SMALLEST = 3;

    private static final int BATCH = 8;
    /** Within a batch no line is so many times as wide as the narrowest. */
    private static final double WIDER = 1.25;

    private static final byte GREY = (byte) 128;

    private final Session detector;
    private final Session recogniser;
    private final String[] symbols;
    private final int sidePx;
    private final float threshold;
    private final double leastScore;
    private final double unclip;

    TextLinesPipeline(Map<String, Object> spec, Opener opener) {
        List<Object> given = Json.asList(spec.get("symbols"), "symbols");
        symbols = new String[given.size()];
        for (int place = 0; place < symbols.length; place++) symbols[place] = Json.asText(given.get(place), "a symbol");
        sidePx = Json.asInt(spec.get("side_px"), "side_px");
        threshold = (float) Json.asNumber(spec.get("threshold"), "threshold");
        leastScore = Json.asNumber(spec.get("least_score"), "least_score");
        unclip = Json.asNumber(spec.get("unclip"), "unclip");
        detector = opener.open("model.onnx", "map");
        try {
            recogniser = opener.open(Json.asText(spec.get("recogniser"), "recogniser"), "symbols");
        } catch (RuntimeException error) {
            detector.close();
            throw error;
        }
    }

    /** What was read. */
    private static final class Line {
        String text = "";
        /** Mean probability of its symbols. */
        double score;
    }

    @Override
    public List<Tensor> run(Piece piece) {
        Raster picture = new Raster(piece.picture.rgb, piece.picture.width, piece.picture.height);
        List<double[][]> quads = new ArrayList<>();
        List<Raster> lines = new ArrayList<>();
        for (double[][] corners : quads(picture)) {
            quads.add(Quads.asRead(corners));
            lines.add(line(picture, Quads.asRead(corners)));
        }
        Line[] read = read(lines);
        int length = QuadsAnswers.CORNERS + 1 + MAX_CHARACTERS;
        float[] data = new float[MAX_LINES * length];
        int start = 0;
        for (int place = 0; place < read.length; place++) {
            if (read[place].text.isEmpty()) continue;
            int at = start;
            for (double[] corner : quads.get(place)) {
                data[at++] = (float) (corner[0] / picture.width);
                data[at++] = (float) (corner[1] / picture.height);
            }
            data[at++] = (float) read[place].score;
            int[] characters = read[place].text.codePoints().limit(MAX_CHARACTERS).toArray();
            for (int character : characters) data[at++] = character;
            start += length;
        }
        return Collections.singletonList(new Tensor(data, new int[] {MAX_LINES, length}));
    }

    @Override
    public String description() {
        return detector.description();
    }

    @Override
    public void close() {
        try {
            detector.close();
        } finally {
            recogniser.close();
        }
    }

    /** Where lines are, in pixels of the picture, in the order in which they are read. */
    private List<double[][]> quads(Raster picture) {
        double scale = Math.min(1, (double) sidePx / Math.max(picture.width, picture.height));
        Raster seen = picture.resized(seen(picture.width, scale), seen(picture.height, scale));
        Feed feed = Feed.bytes(seen.rgb, 1, seen.height, seen.width, 3);
        Tensor map = detector.run(new Piece(Collections.singletonMap("picture", feed), 1, null)).get(0);
        if (map.axes.length != 2) throw ModelException.artefact("the detector answers in shape " + map.shape() + ", not with a map");
        double[] scales = {(double) picture.width / map.axes[1], (double) picture.height / map.axes[0]};
        int[] limits = {picture.width, picture.height};
        List<double[][]> found = new ArrayList<>();
        for (Region region : Region.of(map.data, map.axes[1], map.axes[0], threshold)) {
            if (region.mean() < leastScore) continue;
            double[][] corners = Quads.fromUpperLeft(region.smallestRectangle());
            double across = Quads.sides(corners)[0] + 1;
            double down = Quads.sides(corners)[1] + 1;
            if (Math.min(across, down) < SMALLEST) continue;
            double[][] quad = Quads.enlarged(corners, 0.5 + across * down * unclip / (2 * (across + down)));
            // Pixels are counted from their middle.
            for (double[] corner : quad)
                for (int axis = 0; axis < 2; axis++) corner[axis] = Math.min(limits[axis], Math.max(0, (corner[axis] + 0.5) * scales[axis]));
            found.add(quad);
        }
        List<double[][]> ordered = Quads.inReadingOrder(found);
        return ordered.subList(0, Math.min(MAX_LINES, ordered.size()));
    }

    private static int seen(int side, double scale) {
        return Math.max(STRIDE_PX, (int) Math.rint(side * scale / STRIDE_PX) * STRIDE_PX);
    }

    /** A line, turned upright, without its perspective. */
    private static Raster line(Raster picture, double[][] corners) {
        double[] sides = Quads.sides(corners);
        int width = Math.max(1, (int) Math.rint(sides[0]));
        int height = Math.max(1, (int) Math.rint(sides[1]));
        int across = (int) Math.rint((double) width * HEIGHT_PX / height);
        return picture.flattened(corners, width, height).resized(Math.min(MAX_WIDTH_PX, Math.max(1, across)), HEIGHT_PX);
    }

    private Line[] read(List<Raster> lines) {
        List<Integer> order = new ArrayList<>();
        for (int place = 0; place < lines.size(); place++) order.add(place);
        order.sort(Comparator.comparingInt(place -> lines.get(place).width));
        Line[] found = new Line[lines.size()];
        for (int first = 0, stop = 0; first < order.size(); first = stop) {
            double widest = WIDER * Math.max(lines.get(order.get(first)).width, HEIGHT_PX);
            while (stop < order.size() && stop < first + BATCH && lines.get(order.get(stop)).width <= widest) stop++;
            readBatch(lines, order.subList(first, stop), found);
        }
        return found;
    }

    /** Lines of one width: what is missing at their end is grey. */
    private void readBatch(List<Raster> lines, List<Integer> places, Line[] found) {
        int numSteps = numSteps(lines.get(places.get(places.size() - 1)));
        int row = numSteps * LINE_STRIDE_PX * 3;
        byte[] stacked = new byte[places.size() * HEIGHT_PX * row];
        Arrays.fill(stacked, GREY);
        for (int number = 0; number < places.size(); number++) {
            Raster line = lines.get(places.get(number));
            int own = line.width * 3;
            for (int y = 0; y < HEIGHT_PX; y++) System.arraycopy(line.rgb, y * own, stacked, (number * HEIGHT_PX + y) * row, own);
        }
        Feed feed = Feed.bytes(stacked, places.size(), HEIGHT_PX, row / 3, 3);
        List<Tensor> answers = recogniser.run(new Piece(Collections.singletonMap("line", feed), places.size(), null));
        for (int number = 0; number < places.size(); number++) {
            Tensor steps = answers.get(number);
            if (steps.axes.length != 2 || steps.axes[0] != numSteps || steps.axes[1] != 2)
                throw ModelException.artefact("the recogniser answers in shape " + steps.shape() + ", not with a symbol for each step");
            found[places.get(number)] = decoded(steps.data, numSteps(lines.get(places.get(number))));
        }
    }

    private static int numSteps(Raster line) {
        return (line.width + LINE_STRIDE_PX - 1) / LINE_STRIDE_PX;
    }

    private Line decoded(float[] steps, int numSteps) {
        StringBuilder text = new StringBuilder();
        Line line = new Line();
        int last = 0;
        int num = 0;
        for (int step = 0; step < numSteps; step++) {
            float given = steps[2 * step];
            if (!(given >= 0 && given <= symbols.length))
                throw new ModelException("answer_invalid", "the model answers with a symbol that does not exist");
            int symbol = (int) given;
            if (symbol > 0 && symbol != last) {
                text.append(symbols[symbol - 1]);
                line.score += steps[2 * step + 1];
                num++;
            }
            last = symbol;
        }
        if (num > 0) line.score /= num;
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) start++;
        while (end > start && isSpace(text.charAt(end - 1))) end--;
        line.text = text.substring(start, end);
        return line;
    }

    private static boolean isSpace(char sign) {
        return Character.isWhitespace(sign) || Character.isSpaceChar(sign) || sign == 0x85;
    }
}
