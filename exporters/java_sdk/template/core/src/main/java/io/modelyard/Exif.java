package io.modelyard;

import java.nio.charset.StandardCharsets;

/** How a camera was held, and whether a JPEG file is whole. */
final class Exif {
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int ENTRY_BYTES = 12;
    private static final String EXIF = "Exif\0\0";

    private final byte[] file;
    /** Where the TIFF structure begins; -1: nowhere. */
    private int start = -1;

    private Exif(byte[] file) {
        this.file = file;
    }

    /** The EXIF orientation of a JPEG, PNG or WebP file, 1 to 8; 1 where it has none or is broken. */
    static int orientation(byte[] file) {
        Exif exif = new Exif(file);
        if (isJpeg(file)) exif.walkJpeg();
        else if (startsWith(file, 0, "\u0089PNG")) exif.walkChunks(8, "eXIf", true);
        else if (startsWith(file, 0, "RIFF")) exif.walkChunks(12, "EXIF", false);
        return exif.start < 0 ? 1 : exif.fromTiff();
    }

    static boolean isJpeg(byte[] file) {
        return startsWith(file, 0, "\u00FF\u00D8\u00FF");
    }

    /** Whether a JPEG file has its end: decoders fill what is cut off with grey. */
    static boolean jpegIsWhole(byte[] file) {
        return new Exif(file).walkJpeg();
    }

    static boolean startsWith(byte[] file, int at, String mark) {
        byte[] bytes = mark.getBytes(StandardCharsets.ISO_8859_1);
        if (at < 0 || at > file.length - bytes.length) return false;
        for (int place = 0; place < bytes.length; place++) if (file[at + place] != bytes[place]) return false;
        return true;
    }

    /** Goes over the segments of a JPEG file and notes the first EXIF data. Returns whether the end was reached. */
    private boolean walkJpeg() {
        int at = 2;
        boolean isInScan = false;
        while (at + 1 < file.length) {
            int mark = file[at + 1] & 0xFF;
            boolean isMark = file[at] == (byte) 0xFF;
            if (!isMark || (isInScan && (mark == 0x00 || (mark >= 0xD0 && mark <= 0xD7)))) {
                if (!isInScan) return false;
                at += isMark ? 2 : 1;
                continue;
            }
            if (mark == 0xFF) { // filling
                at++;
                continue;
            }
            if (mark == 0xD9) return true;
            long length = number(at + 2, 2, true);
            if (length < 2 || length > file.length - at - 2) return false;
            if (mark == 0xE1 && start < 0 && startsWith(file, at + 4, EXIF)) start = at + 10;
            isInScan = mark == 0xDA;
            at += 2 + (int) length;
        }
        return false;
    }

    private void walkChunks(int first, String name, boolean isPng) {
        for (long at = first; at + 8 <= file.length; ) {
            long size = number((int) at + (isPng ? 0 : 4), 4, isPng);
            if (startsWith(file, (int) at + (isPng ? 4 : 0), name)) {
                start = (int) at + 8 + (startsWith(file, (int) at + 8, EXIF) ? EXIF.length() : 0);
                return;
            }
            at += 8 + size + (isPng ? 4 : size & 1);
        }
    }

    private int fromTiff() {
        boolean isBig = startsWith(file, start, "MM");
        if (!isBig && !startsWith(file, start, "II")) return 1;
        long directory = start + number(start + 4, 4, isBig);
        if (directory > file.length) return 1;
        long numEntries = number((int) directory, 2, isBig);
        for (long entry = 0; entry < numEntries; entry++) {
            long place = directory + 2 + entry * ENTRY_BYTES;
            if (place + ENTRY_BYTES > file.length) break;
            int at = (int) place;
            if (number(at, 2, isBig) != ORIENTATION) continue;
            long type = number(at + 2, 2, isBig);
            long value = number(at + 8, type == LONG ? 4 : 2, isBig);
            return (type == SHORT || type == LONG) && value >= 1 && value <= 8 ? (int) value : 1;
        }
        return 1;
    }

    /** A number of the file; 0 beyond its end. */
    private long number(int place, int numBytes, boolean isBig) {
        if (place < 0 || place > file.length - numBytes) return 0;
        long value = 0;
        for (int each = 0; each < numBytes; each++) value = value << 8 | (file[place + (isBig ? each : numBytes - 1 - each)] & 0xFF);
        return value;
    }
}
