package io.modelyard.desktop;

import io.modelyard.Pixels;
import java.awt.image.Raster;
import java.io.IOException;

/**
 * Turns what a JPEG file holds into colours, by the rules and in the arithmetic of libjpeg: which colours they are, say the file's
 * marks, and else the names of its components. Files for print (CMYK, YCCK) are read too.
 */
final class JpegSamples {
    private static final int HALF = 1 << 15;

    private boolean isJfif;
    /** What Adobe's mark says: 0 as it is, 1 YCbCr, 2 YCCK; -1: there is no mark. */
    private int transform = -1;

    private String names = "";

    private JpegSamples(byte[] file) {
        for (int at = 2; at + 4 <= file.length; ) {
            int mark = file[at + 1] & 0xFF;
            if (mark == 0xFF) {
                at++;
                continue;
            }
            int length = (file[at + 2] & 0xFF) << 8 | (file[at + 3] & 0xFF);
            if (mark == 0xDA || at + 2 + length > file.length) return;
            if (mark == 0xE0 && length >= 7 && starts(file, at + 4, "JFIF")) isJfif = true;
            if (mark == 0xEE && length >= 14 && starts(file, at + 4, "Adobe")) transform = file[at + 15] & 0xFF;
            boolean isFrame = mark >= 0xC0 && mark <= 0xCF && mark != 0xC4 && mark != 0xC8 && mark != 0xCC;
            if (isFrame) for (int place = at + 10; place + 2 < at + 2 + length; place += 3) names += (char) (file[place] & 0xFF);
            at += 2 + length;
        }
    }

    private static boolean starts(byte[] file, int at, String mark) {
        for (int place = 0; place < mark.length(); place++) if (file[at + place] != mark.charAt(place)) return false;
        return true;
    }

    /** Grey, or red, green and blue. */
    static Pixels of(byte[] file, Raster raster) throws IOException {
        JpegSamples marks = new JpegSamples(file);
        int numBands = raster.getNumBands();
        if (numBands != 1 && numBands != 3 && numBands != 4) throw new IOException("a picture with " + numBands + " channels is not read");
        boolean isYcc = numBands == 3 ? marks.isYcc() : marks.transform == 2;
        int channels = numBands == 1 ? 1 : 3;
        byte[] data = new byte[raster.getWidth() * raster.getHeight() * channels];
        int[] row = new int[raster.getWidth() * numBands];
        for (int y = 0, to = 0; y < raster.getHeight(); y++) {
            raster.getPixels(0, y, raster.getWidth(), 1, row);
            for (int from = 0; from < row.length; from += numBands, to += channels) {
                if (numBands > 1 && isYcc) colours(row, from);
                if (numBands == 4) inks(row, from, isYcc, marks.transform >= 0);
                for (int channel = 0; channel < channels; channel++) data[to + channel] = (byte) row[from + channel];
            }
        }
        return new Pixels(data, raster.getWidth(), raster.getHeight(), channels);
    }

    private boolean isYcc() {
        if (isJfif) return true;
        if (transform >= 0) return transform != 0;
        return !names.equals("RGB");
    }

    /** YCbCr becomes red, green and blue, in place. */
    private static void colours(int[] row, int at) {
        int luma = row[at];
        int blue = row[at + 1] - 128;
        int red = row[at + 2] - 128;
        row[at] = clipped(luma + ((91881 * red + HALF) >> 16));
        row[at + 1] = clipped(luma + ((-22554 * blue - 46802 * red + HALF) >> 16));
        row[at + 2] = clipped(luma + ((116130 * blue + HALF) >> 16));
    }

    /** Inks become red, green and blue, in place, as Pillow does it: Adobe's programs write inks the other way round. */
    private static void inks(int[] row, int at, boolean isYcc, boolean isAdobe) {
        for (int place = 0; place < 3; place++) if (isYcc) row[at + place] = 255 - row[at + place];
        for (int place = 0; place < 4; place++) if (isAdobe) row[at + place] = 255 - row[at + place];
        int light = 255 - row[at + 3];
        for (int place = 0; place < 3; place++) {
            int product = row[at + place] * light + 128;
            row[at + place] = clipped(light - (((product >> 8) + product) >> 8));
        }
    }

    private static int clipped(int value) {
        return Math.min(255, Math.max(0, value));
    }
}
