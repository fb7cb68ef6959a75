package io.modelyard;

/** Opens a graph of the artefact by its file and the name of its output. */
interface Opener {
    Session open(String file, String output);
}
