package io.modelyard;

/** A picture as RGB by rows; changes its size and cuts parts out of it, in Pillow's arithmetic. */
final class Raster {
    private static final int CHANNELS = 3;
    /** Bits of a weight behind the point. */
    private static final int PRECISION = 32 - 8 - 2;

    final byte[] rgb;
    final int width;
    final int height;

    Raster(byte[] rgb, int width, int height) {
        this.rgb = rgb;
        this.width = width;
        this.height = height;
    }

    /** Bilinear, over all pixels that a smaller one covers. */
    Raster resized(int toWidth, int toHeight) {
        Raster wide = toWidth == width ? this : across(toWidth);
        return toHeight == height ? wide : wide.down(toHeight);
    }

    /**
     * The part within a quadrilateral, bicubic.
     *
     * @param corners x and y in pixels, those of the result clockwise from the upper left.
     */
    Raster flattened(double[][] corners, int toWidth, int toHeight) {
        double[] to = perspective(corners, toWidth, toHeight);
        byte[] found = new byte[toWidth * toHeight * CHANNELS];
        for (int row = 0; row < toHeight; row++) {
            for (int column = 0; column < toWidth; column++) {
                double x = column + 0.5;
                double y = row + 0.5;
                double depth = to[6] * x + to[7] * y + 1;
                int place = (row * toWidth + column) * CHANNELS;
                sample((to[0] * x + to[1] * y + to[2]) / depth, (to[3] * x + to[4] * y + to[5]) / depth, found, place);
            }
        }
        return new Raster(found, toWidth, toHeight);
    }

    /** Of a result's pixels along an axis, the first of the pixels that each is mixed from, and their weights. */
    private static final class Mixes {
        final int[] firsts;
        final int[][] weights;

        /** Triangles of at least a pixel to both sides. */
        Mixes(int numFrom, int numTo) {
            firsts = new int[numTo];
            weights = new int[numTo][];
            double scale = (double) numFrom / numTo;
            double support = Math.max(scale, 1);
            for (int place = 0; place < numTo; place++) {
                double middle = (place + 0.5) * scale;
                firsts[place] = Math.max(0, (int) (middle - support + 0.5));
                double[] shares = new double[Math.min(numFrom, (int) (middle + support + 0.5)) - firsts[place]];
                double sum = 0;
                for (int each = 0; each < shares.length; each++) {
                    shares[each] = Math.max(0, 1 - Math.abs((each + firsts[place] - middle + 0.5) * (1 / support)));
                    sum += shares[each];
                }
                weights[place] = new int[shares.length];
                for (int each = 0; each < shares.length; each++)
                    weights[place][each] = (int) (0.5 + (sum == 0 ? 0 : shares[each] * (1 / sum)) * (1 << PRECISION));
            }
        }

        byte mixed(int place, byte[] source, int start, int step) {
            int sum = 1 << (PRECISION - 1);
            int at = start + firsts[place] * step;
            for (int weight : weights[place]) {
                sum += (source[at] & 0xFF) * weight;
                at += step;
            }
            return (byte) Math.min(255, Math.max(0, sum >> PRECISION));
        }
    }

    private Raster across(int toWidth) {
        Mixes mixes = new Mixes(width, toWidth);
        byte[] found = new byte[toWidth * height * CHANNELS];
        int at = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < toWidth; x++)
                for (int channel = 0; channel < CHANNELS; channel++) found[at++] = mixes.mixed(x, rgb, y * width * CHANNELS + channel, CHANNELS);
        return new Raster(found, toWidth, height);
    }

    private Raster down(int toHeight) {
        Mixes mixes = new Mixes(height, toHeight);
        int row = width * CHANNELS;
        byte[] found = new byte[row * toHeight];
        int at = 0;
        for (int y = 0; y < toHeight; y++) for (int x = 0; x < row; x++) found[at++] = mixes.mixed(y, rgb, x, row);
        return new Raster(found, width, toHeight);
    }

    /** Eight numbers that take the corners of a result to those of a quadrilateral. */
    private static double[] perspective(double[][] corners, int width, int height) {
        double[][] ends = {{0, 0}, {width, 0}, {width, height}, {0, height}};
        double[][] rows = new double[8][];
        for (int place = 0; place < 4; place++) {
            double toX = ends[place][0];
            double toY = ends[place][1];
            double x = corners[place][0];
            double y = corners[place][1];
            rows[2 * place] = new double[] {toX, toY, 1, 0, 0, 0, -toX * x, -toY * x, x};
            rows[2 * place + 1] = new double[] {0, 0, 0, toX, toY, 1, -toX * y, -toY * y, y};
        }
        double[] numbers = new double[8];
        if (isSolved(rows)) {
            for (int row = 0; row < 8; row++) numbers[row] = rows[row][8] / rows[row][row];
            return numbers;
        }
        // Three corners on a line: the upright rectangle around them.
        double[] low = corners[0].clone();
        double[] high = corners[0].clone();
        for (double[] corner : corners) {
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = Math.min(low[axis], corner[axis]);
                high[axis] = Math.max(high[axis], corner[axis]);
            }
        }
        return new double[] {(high[0] - low[0]) / width, 0, low[0], 0, (high[1] - low[1]) / height, low[1], 0, 0};
    }

    /** Gauss' elimination, with the right side behind the left; false where there is not one solution. */
    private static boolean isSolved(double[][] rows) {
        for (int column = 0; column < rows.length; column++) {
            int pivot = column;
            for (int row = column + 1; row < rows.length; row++) if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
            double[] own = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = own;
            if (own[column] == 0) return false;
            for (int row = 0; row < rows.length; row++) {
                double factor = row == column ? 0 : rows[row][column] / own[column];
                if (factor != 0) for (int each = column; each < own.length; each++) rows[row][each] -= factor * own[each];
            }
        }
        return true;
    }

    /** Writes the colour at a place, bicubic; outside of the picture it stays black. */
    private void sample(double x, double y, byte[] found, int place) {
        if (!(x >= 0 && x < width && y >= 0 && y < height)) return;
        int column = (int) Math.floor(x - 0.5);
        int row = (int) Math.floor(y - 0.5);
        double right = x - 0.5 - column;
        double below = y - 0.5 - row;
        double[] line = new double[4];
        double[] lines = new double[4];
        for (int channel = 0; channel < CHANNELS; channel++) {
            for (int each = 0; each < 4; each++) {
                int at = row - 1 + each;
                if (each > 0 && (at < 0 || at >= height)) {
                    lines[each] = lines[each - 1];
                    continue;
                }
                int start = Math.min(height - 1, Math.max(0, at)) * width;
                for (int next = 0; next < 4; next++)
                    line[next] = rgb[(start + Math.min(width - 1, Math.max(0, column - 1 + next))) * CHANNELS + channel] & 0xFF;
                lines[each] = cubic(line, right);
            }
            found[place + channel] = (byte) (int) Math.min(255, Math.max(0, cubic(lines, below)));
        }
    }

    private static double cubic(double[] four, double way) {
        double first = four[2] - four[0];
        double second = 2 * (four[0] - four[1]) + four[2] - four[3];
        double third = -four[0] + four[1] - four[2] + four[3];
        return four[1] + way * (first + way * (second + way * third));
    }
}
