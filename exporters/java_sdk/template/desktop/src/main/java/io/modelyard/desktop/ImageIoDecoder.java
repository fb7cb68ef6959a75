package io.modelyard.desktop;

import io.modelyard.PictureDecoder;
import io.modelyard.Pixels;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.w3c.dom.NodeList;

/**
 * Decodes JPEG, PNG, BMP and GIF (the first picture) with the JDK's own readers.
 *
 * <p>Samples are taken as they lie in the file: profiles of colours are left aside, as in training, and {@code getRGB} is not asked, since
 * it changes grey.
 */
public final class ImageIoDecoder implements PictureDecoder {
    private static final String OWN_READERS = "com.sun.imageio.";
    private static final String GIF_STREAM = "javax_imageio_gif_stream_1.0";
    private static final String GIF_IMAGE = "javax_imageio_gif_image_1.0";
    private static final String PNG_IMAGE = "javax_imageio_png_1.0";
    private static final byte OPAQUE = (byte) 255;
    /** Where a PNG file says how many bits a sample has, and what the samples are. */
    private static final int DEPTH = 24;

    private static final int COLOUR_TYPE = 25;
    private static final int GREY = 0;

    @Override
    public Pixels decode(byte[] file) throws IOException {
        String format = formatOf(file);
        if (format == null) throw new IOException("not a JPEG, PNG, BMP or GIF file");
        ImageReader reader = readerOf(format);
        try (ImageInputStream stream = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            reader.setInput(stream);
            Pixels.checkSize(reader.getWidth(0), reader.getHeight(0));
            switch (format) {
                case "jpeg":
                    return JpegSamples.of(file, reader.readRaster(0, null));
                case "gif":
                    return gif(reader);
                case "png":
                    return png(file, reader);
                default:
                    return bmp(file, reader.read(0));
            }
        } finally {
            reader.dispose();
        }
    }

    private static String formatOf(byte[] file) {
        if (startsWith(file, 0xFF, 0xD8, 0xFF)) return "jpeg";
        if (startsWith(file, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n')) return "png";
        if (startsWith(file, 'G', 'I', 'F', '8')) return "gif";
        return startsWith(file, 'B', 'M') ? "bmp" : null;
    }

    private static boolean startsWith(byte[] file, int... mark) {
        if (file.length < mark.length) return false;
        for (int place = 0; place < mark.length; place++) if ((file[place] & 0xFF) != mark[place]) return false;
        return true;
    }

    /** The JDK's own reader, also where others are installed. */
    private static ImageReader readerOf(String format) throws IOException {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
        while (readers.hasNext()) {
            ImageReader reader = readers.next();
            if (reader.getClass().getName().startsWith(OWN_READERS)) return reader;
        }
        throw new IOException("this Java has no reader of " + format + " files");
    }

    private static Pixels png(byte[] file, ImageReader reader) throws IOException {
        BufferedImage image = reader.read(0);
        // Of grey with 16 bits training leaves the transparent colour aside.
        if (file[DEPTH] == 16 && file[COLOUR_TYPE] == GREY) return firstChannel(image);
        Pixels pixels = pixelsOf(image);
        return image.getColorModel().hasAlpha() ? pixels : withoutKey(pixels, image, reader);
    }

    private static Pixels firstChannel(BufferedImage image) {
        int[] samples = image.getRaster().getSamples(0, 0, image.getWidth(), image.getHeight(), 0, (int[]) null);
        byte[] grey = new byte[samples.length];
        for (int place = 0; place < samples.length; place++) grey[place] = (byte) (samples[place] >> 8);
        return new Pixels(grey, image.getWidth(), image.getHeight(), 1);
    }

    /** Pixels whose colour stands for transparency become transparent: readers of older JDKs leave that aside. */
    private static Pixels withoutKey(Pixels pixels, BufferedImage image, ImageReader reader) throws IOException {
        IIOMetadataNode key = node(reader.getImageMetadata(0), PNG_IMAGE, "tRNS");
        if (key == null || key.getFirstChild() == null || image.getColorModel() instanceof IndexColorModel) return pixels;
        IIOMetadataNode colour = (IIOMetadataNode) key.getFirstChild();
        String[] names = colour.getNodeName().equals("tRNS_Grayscale") ? new String[] {"gray"} : new String[] {"red", "green", "blue"};
        Raster raster = image.getRaster();
        if (raster.getNumBands() != names.length) return pixels;
        byte[] rgba = new byte[image.getWidth() * image.getHeight() * 4];
        int[] samples = new int[raster.getNumBands() * image.getWidth()];
        int shift = Math.max(0, raster.getSampleModel().getSampleSize(0) - 8);
        for (int y = 0, to = 0; y < image.getHeight(); y++) {
            raster.getPixels(0, y, image.getWidth(), 1, samples);
            for (int x = 0; x < image.getWidth(); x++, to += 4) {
                boolean isKey = true;
                for (int band = 0; band < names.length; band++) isKey &= samples[x * names.length + band] == attribute(colour, names[band]);
                for (int channel = 0; channel < 3; channel++)
                    rgba[to + channel] = (byte) (samples[x * names.length + Math.min(channel, names.length - 1)] >> shift);
                rgba[to + 3] = isKey ? 0 : OPAQUE;
            }
        }
        return new Pixels(rgba, image.getWidth(), image.getHeight(), 4);
    }

    /** The first picture in its place on the screen, which may be larger. */
    private static Pixels gif(ImageReader reader) throws IOException {
        BufferedImage image = reader.read(0);
        IIOMetadataNode screen = node(reader.getStreamMetadata(), GIF_STREAM, "LogicalScreenDescriptor");
        IIOMetadataNode place = node(reader.getImageMetadata(0), GIF_IMAGE, "ImageDescriptor");
        if (screen == null || place == null) return pixelsOf(image);
        int left = attribute(place, "imageLeftPosition");
        int upper = attribute(place, "imageTopPosition");
        int width = Math.max(attribute(screen, "logicalScreenWidth"), left + image.getWidth());
        int height = Math.max(attribute(screen, "logicalScreenHeight"), upper + image.getHeight());
        if (width == image.getWidth() && height == image.getHeight()) return pixelsOf(image);
        Pixels.checkSize(width, height);
        byte[] rgba = new byte[width * height * 4];
        if (!image.getColorModel().hasAlpha()) fill(rgba, image.getColorModel().getRGB(0));
        for (int y = 0; y < image.getHeight(); y++) indexed(image, y, rgba, ((upper + y) * width + left) * 4);
        return new Pixels(rgba, width, height, 4);
    }

    /** What is not drawn has the palette's first colour. */
    private static void fill(byte[] rgba, int argb) {
        for (int at = 0; at < rgba.length; at += 4) write(argb, rgba, at);
    }

    private static void write(int argb, byte[] rgba, int at) {
        rgba[at] = (byte) (argb >> 16);
        rgba[at + 1] = (byte) (argb >> 8);
        rgba[at + 2] = (byte) argb;
        rgba[at + 3] = (byte) (argb >> 24);
    }

    private static IIOMetadataNode node(IIOMetadata metadata, String format, String name) {
        if (metadata == null) return null;
        NodeList found = ((IIOMetadataNode) metadata.getAsTree(format)).getElementsByTagName(name);
        return found.getLength() == 0 ? null : (IIOMetadataNode) found.item(0);
    }

    private static int attribute(IIOMetadataNode node, String name) {
        return Integer.parseInt(node.getAttribute(name));
    }

    /** The fourth channel of an uncompressed bitmap of 32 bits means nothing. */
    private static Pixels bmp(byte[] file, BufferedImage image) throws IOException {
        if (!(image.getColorModel() instanceof IndexColorModel) && image.getRaster().getNumBands() == 4 && file[30] == 0) {
            byte[] rgb = new byte[image.getWidth() * image.getHeight() * 3];
            int[] samples = new int[4 * image.getWidth()];
            for (int y = 0, to = 0; y < image.getHeight(); y++) {
                image.getRaster().getPixels(0, y, image.getWidth(), 1, samples);
                for (int x = 0; x < image.getWidth(); x++) for (int channel = 0; channel < 3; channel++) rgb[to++] = (byte) samples[4 * x + channel];
            }
            return new Pixels(rgb, image.getWidth(), image.getHeight(), 3);
        }
        return pixelsOf(image);
    }

    private static Pixels pixelsOf(BufferedImage image) throws IOException {
        ColorModel colours = image.getColorModel();
        int width = image.getWidth();
        int height = image.getHeight();
        if (colours instanceof IndexColorModel) {
            byte[] rgba = new byte[width * height * 4];
            for (int y = 0; y < height; y++) indexed(image, y, rgba, y * width * 4);
            return new Pixels(rgba, width, height, 4);
        }
        return samplesOf(image.getRaster(), colours);
    }

    private static void indexed(BufferedImage image, int y, byte[] rgba, int start) {
        IndexColorModel colours = (IndexColorModel) image.getColorModel();
        int[] indices = image.getRaster().getPixels(0, y, image.getWidth(), 1, (int[]) null);
        for (int x = 0, to = start; x < indices.length; x++, to += 4) write(colours.getRGB(indices[x]), rgba, to);
    }

    /** Samples of 8 bits, or the upper 8 of 16: grey, grey with alpha, colours, colours with alpha. */
    private static Pixels samplesOf(Raster raster, ColorModel colours) throws IOException {
        int numBands = raster.getNumBands();
        if (numBands > 4) throw new IOException("a picture with " + numBands + " channels is not read");
        int channels = numBands == 2 ? 4 : numBands;
        byte[] data = new byte[raster.getWidth() * raster.getHeight() * channels];
        int[] samples = new int[numBands * raster.getWidth()];
        int[] bits = colours.getComponentSize();
        for (int y = 0, to = 0; y < raster.getHeight(); y++) {
            raster.getPixels(0, y, raster.getWidth(), 1, samples);
            for (int from = 0; from < samples.length; from += numBands) {
                for (int channel = 0; channel < channels; channel++) {
                    int band = numBands == 2 ? channel / 3 : channel;
                    data[to++] = (byte) eightBits(samples[from + band], bits[band]);
                }
            }
        }
        return new Pixels(data, raster.getWidth(), raster.getHeight(), channels);
    }

    private static int eightBits(int sample, int bits) {
        if (bits == 8) return sample;
        return bits > 8 ? sample >> (bits - 8) : sample * 255 / ((1 << bits) - 1);
    }
}
