package io.modelyard;

import java.io.IOException;
import java.io.InputStream;

/** Where the files of an artefact are: a folder, the assets of an app, a resource of a jar. */
public interface ArtefactSource {
    /**
     * Opens a file.
     *
     * @param name path within the artefact, with slashes: {@code artefact.json}, {@code samples/0.png}.
     * @throws IOException there is none.
     */
    InputStream open(String name) throws IOException;
}
