package io.modelyard;

import java.util.Arrays;

/** The pixels of a mask that follow one another down the columns of the picture, as lengths of runs. */
final class Stretches {
    private long[] runs = new long[16];
    private int numRuns;
    private long end;

    boolean isEmpty() {
        return numRuns == 0;
    }

    void add(long start, long stop) {
        if (numRuns > 0 && start == end) {
            runs[numRuns - 1] += stop - start; // goes on at the top of the next column
        } else {
            append(start - end);
            append(stop - start);
        }
        end = stop;
    }

    String counts(long numPixels) {
        if (end < numPixels) append(numPixels - end);
        return RunLengths.pack(runs, numRuns);
    }

    private void append(long run) {
        if (numRuns == runs.length) runs = Arrays.copyOf(runs, 2 * numRuns);
        runs[numRuns++] = run;
    }
}
