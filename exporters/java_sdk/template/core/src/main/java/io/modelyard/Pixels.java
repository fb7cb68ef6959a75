package io.modelyard;

/** A picture in memory: rows from the top, without gaps, one byte a channel. */
public final class Pixels {
    /** Larger than any camera's picture. */
    public static final int MAX_PIXELS = 100_000_000;

    final byte[] data;
    final int width;
    final int height;
    final int channels;

    /**
     * @param data {@code width * height * channels} bytes; the array is not copied.
     * @param channels 1 (grey), 3 (red, green, blue) or 4 (with alpha, not premultiplied).
     */
    public Pixels(byte[] data, int width, int height, int channels) {
        if (channels != 1 && channels != 3 && channels != 4) throw invalid("pixels have 1, 3 or 4 channels, not " + channels);
        if (width < 1 || height < 1) throw invalid("a picture of " + width + " x " + height + " pixels is none");
        checkSize(width, height);
        if (data == null || data.length != (long) width * height * channels)
            throw invalid((data == null ? 0 : data.length) + " bytes are no " + width + " x " + height + " pixels of " + channels + " bytes");
        this.data = data;
        this.width = width;
        this.height = height;
        this.channels = channels;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /**
     * Refuses what claims more pixels than are decoded.
     *
     * @throws ModelException {@code picture_too_large}.
     */
    public static void checkSize(long width, long height) {
        if (width < 0 || height < 0 || (height > 0 && width > MAX_PIXELS / height))
            throw new ModelException(
                    "picture_too_large", "the picture has " + width + " x " + height + " pixels, at most " + MAX_PIXELS + " are decoded");
    }

    private static ModelException invalid(String why) {
        return new ModelException("argument_invalid", why);
    }
}
