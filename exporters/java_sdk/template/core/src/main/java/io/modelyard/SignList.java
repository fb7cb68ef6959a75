package io.modelyard;

import java.util.Arrays;

/** Characters by their Unicode numbers, or ids: a list that grows. */
final class SignList {
    private int[] values;
    private int size;

    SignList(int expected) {
        values = new int[Math.max(8, expected)];
    }

    void add(int value) {
        if (size == values.length) values = Arrays.copyOf(values, 2 * size);
        values[size++] = value;
    }

    /** Several, or one instead of null. */
    void addAll(int[] several, int otherwise) {
        if (several == null) add(otherwise);
        else for (int each : several) add(each);
    }

    int size() {
        return size;
    }

    /** Forgets all from a place on. */
    void cut(int length) {
        size = Math.min(size, length);
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
