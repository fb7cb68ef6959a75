package io.modelyard;

import java.util.Map;

/** Items that the graph answers in one run. */
final class Piece {
    final Map<String, Feed> feeds;
    final int count;
    /** Of the picture, upright; 0 of what is none. */
    final int width;

    final int height;
    /** Null of what is none. */
    final Upright picture;

    Piece(Map<String, Feed> feeds, int count, Upright picture) {
        this.feeds = feeds;
        this.count = count;
        this.picture = picture;
        width = picture == null ? 0 : picture.widthPx;
        height = picture == null ? 0 : picture.heightPx;
    }
}
