package io.modelyard;

import java.util.Arrays;

/** COCO's compressed run lengths of masks: down the columns, alternating what is not and what is in the mask. */
final class RunLengths {
    /** Characters of one number: more than any picture needs. */
    private static final int MOST_CHARS = 7;

    private RunLengths() {}

    static String pack(long[] runs, int numRuns) {
        StringBuilder counts = new StringBuilder();
        for (int place = 0; place < numRuns; place++) {
            // From the third on, what differs from the last of its colour.
            long value = place > 2 ? runs[place] - runs[place - 2] : runs[place];
            for (boolean isOpen = true; isOpen; ) {
                long low = value & 0x1F;
                value >>= 5;
                isOpen = (low & 0x10) != 0 ? value != -1 : value != 0;
                counts.append((char) ((low | (isOpen ? 0x20 : 0)) + 48));
            }
        }
        return counts.toString();
    }

    static long[] unpack(String counts) {
        long[] runs = new long[counts.length()];
        int numRuns = 0;
        for (int at = 0; at < counts.length(); ) {
            long value = 0;
            int num = 0;
            for (boolean isOpen = true; isOpen; num++) {
                int code = at < counts.length() ? counts.charAt(at++) - 48 : -1;
                if (code < 0 || code > 63 || num == MOST_CHARS) throw broken();
                value |= (long) (code & 0x1F) << (5 * num);
                isOpen = (code & 0x20) != 0;
                if (!isOpen && (code & 0x10) != 0) value -= 1L << (5 * (num + 1));
            }
            if (numRuns > 2) value += runs[numRuns - 2];
            if (value < 0) throw broken();
            runs[numRuns++] = value;
        }
        return Arrays.copyOf(runs, numRuns);
    }

    static boolean[] pixels(String counts, int width, int height) {
        boolean[] pixels = new boolean[width * height];
        long at = 0;
        boolean isHeld = false;
        for (long run : unpack(counts)) {
            if (run > pixels.length - at) throw broken();
            for (long end = at + run; at < end; at++) if (isHeld) pixels[(int) (at % height) * width + (int) (at / height)] = true;
            isHeld = !isHeld;
        }
        return pixels;
    }

    private static ModelException broken() {
        return ModelException.artefact("a golden mask has no compressed run lengths");
    }
}
