package io.modelyard;

import java.util.Arrays;

/** What the graph gives for one item: numbers and their axes, without that of the batch. */
final class Tensor {
    final float[] data;
    final int[] axes;

    Tensor(float[] data, int[] axes) {
        this.data = data;
        this.axes = axes;
    }

    String shape() {
        return Arrays.toString(axes);
    }
}
