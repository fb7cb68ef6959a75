package io.modelyard;

/** Brings pixels to what the graph takes: RGB over white, upright, and shrunk by a whole factor where they are many. */
final class Upright {
    private static final int CHANNELS = 3;

    /** RGB by rows. */
    final byte[] rgb;
    /** Of {@link #rgb}. */
    final int width;

    final int height;
    /** Of the picture as it was given, upright. */
    int widthPx;

    int heightPx;

    private Upright(byte[] rgb, int width, int height) {
        this.rgb = rgb;
        this.width = width;
        this.height = height;
    }

    /**
     * @param orientation of the EXIF tag, 1 to 8.
     * @param isJpeg the pixels are those of a JPEG file, which the training's decoder shrinks in two steps.
     */
    static Upright of(Pixels pixels, int minSidePx, int orientation, boolean isJpeg) {
        Upright flat = new Upright(overWhite(pixels), pixels.width, pixels.height);
        if (isJpeg) flat = flat.shrunk(jpegFactor(Math.min(flat.width, flat.height) / minSidePx));
        flat = flat.shrunk(Math.min(flat.width, flat.height) / minSidePx).turned(orientation);
        boolean isOnItsSide = orientation >= 5;
        flat.widthPx = isOnItsSide ? pixels.height : pixels.width;
        flat.heightPx = isOnItsSide ? pixels.width : pixels.height;
        return flat;
    }

    /** What a JPEG decoder could leave out already: seven eighths, three quarters or half of each side. */
    private static int jpegFactor(int most) {
        return most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;
    }

    private static byte[] overWhite(Pixels pixels) {
        if (pixels.channels == CHANNELS) return pixels.data;
        byte[] in = pixels.data;
        byte[] rgb = new byte[pixels.width * pixels.height * CHANNELS];
        for (int from = 0, to = 0; to < rgb.length; from += pixels.channels, to += CHANNELS) {
            for (int channel = 0; channel < CHANNELS; channel++) {
                byte colour = in[pixels.channels == 1 ? from : from + channel];
                rgb[to + channel] = pixels.channels == 1 ? colour : overWhite(colour & 0xFF, in[from + 3] & 0xFF);
            }
        }
        return rgb;
    }

    /** One colour over white, in Pillow's arithmetic (alpha_composite). */
    private static byte overWhite(int colour, int alpha) {
        if (alpha == 255) return (byte) colour;
        if (alpha == 0) return (byte) 255;
        int outer = alpha * 255 + 255 * (255 - alpha);
        int share = alpha * 255 * 255 * 128 / outer;
        int sum = colour * share + 255 * (255 * 128 - share) + (128 << 7);
        return (byte) (((sum >> 8) + sum) >> 8 >> 7);
    }

    /** Means of squares of the picture, in Pillow's arithmetic (reduce); at its right and lower edge, of what is left of them. */
    private Upright shrunk(int factor) {
        if (factor <= 1) return this;
        int wide = (width + factor - 1) / factor;
        int high = (height + factor - 1) / factor;
        byte[] small = new byte[wide * high * CHANNELS];
        long[] sums = new long[wide * CHANNELS];
        for (int y = 0; y < high; y++) {
            java.util.Arrays.fill(sums, 0);
            int lowest = Math.min((y + 1) * factor, height);
            for (int fromY = y * factor; fromY < lowest; fromY++) {
                int from = fromY * width * CHANNELS;
                for (int x = 0; x < width; x++) {
                    int to = x / factor * CHANNELS;
                    for (int channel = 0; channel < CHANNELS; channel++) sums[to + channel] += rgb[from++] & 0xFF;
                }
            }
            for (int at = 0; at < sums.length; at++) {
                int x = at / CHANNELS;
                long num = (long) (lowest - y * factor) * (Math.min((x + 1) * factor, width) - x * factor);
                long share = (long) (4294967296.0F / (float) (num * 256));
                small[y * sums.length + at] = (byte) ((((sums[at] + num / 2) * share) & 0xFFFFFFFFL) >> 24);
            }
        }
        return new Upright(small, wide, high);
    }

    /** Undoes an EXIF orientation. */
    private Upright turned(int orientation) {
        if (orientation <= 1 || orientation > 8) return this;
        boolean isOnItsSide = orientation >= 5;
        boolean isMirrored = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
        boolean isUpsideDown = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
        int wide = isOnItsSide ? height : width;
        int high = isOnItsSide ? width : height;
        byte[] out = new byte[rgb.length];
        for (int y = 0, to = 0; y < high; y++) {
            for (int x = 0; x < wide; x++, to += CHANNELS) {
                int column = isOnItsSide ? y : x;
                int row = isOnItsSide ? x : y;
                if (isMirrored) column = width - 1 - column;
                if (isUpsideDown) row = height - 1 - row;
                System.arraycopy(rgb, (row * width + column) * CHANNELS, out, to, CHANNELS);
            }
        }
        return new Upright(out, wide, high);
    }
}
