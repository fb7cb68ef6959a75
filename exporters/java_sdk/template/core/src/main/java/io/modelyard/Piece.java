package io.modelyard;

import java.util.Map;

/** Items that the graph answers in one run. */
final class Piece {
    final Map<String, Feed> feeds;
    final int count;
    /** Of the picture, upright; 0 of what is none. */
    final int width;

    final int height;

    Piece(Map<String, Feed> feeds, int count, int width, int height) {
        this.feeds = feeds;
        this.count = count;
        this.width = width;
        this.height = height;
    }
}
