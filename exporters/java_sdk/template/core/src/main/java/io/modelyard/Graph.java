package io.modelyard;

import java.util.List;

/** What answers items: a graph, or several with something between them. Several threads may run it; closing waits for them. */
interface Graph extends AutoCloseable {
    /** The answers of a piece, one an item. */
    List<Tensor> run(Piece piece);

    /** Names the interpreter and the runtime. */
    String description();

    @Override
    void close();
}
