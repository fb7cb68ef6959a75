package io.modelyard;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Texts: the ids of the artefact's tokenizer. */
final class TextItems extends Items {
    private static final char MARK = 0xFEFF; // of byte order, at the beginning of a file

    private final String input;
    private final int padId;
    private final Tokenizer tokenizer;

    TextItems(Manifest manifest) {
        input = manifest.firstInput();
        padId = Json.asInt(manifest.decode.get("pad_id"), "pad_id");
        String file = Json.asText(manifest.decode.get("tokenizer"), "tokenizer");
        tokenizer = new Tokenizer(Json.object(manifest.read(file), file));
    }

    @Override
    Piece typical() {
        return piece("?");
    }

    @Override
    Piece sample(byte[] file) {
        return piece(decoded(file));
    }

    @Override
    Object item(byte[] file) {
        return file;
    }

    @Override
    int atOnce() {
        return 1;
    }

    @Override
    Piece read(List<?> items, int first, boolean isLenient) {
        Object item = items.get(0);
        if (item instanceof String) return piece((String) item);
        if (item instanceof byte[]) return piece(decoded((byte[]) item));
        if (item instanceof File) return piece(decoded(contentOf((File) item)));
        throw foreign("texts (a string, UTF-8 or a file)", item);
    }

    private Piece piece(String text) {
        int[] signs = text.codePoints().toArray();
        for (int sign : signs) if (sign >= Character.MIN_SURROGATE && sign <= Character.MAX_SURROGATE) throw unreadable("it holds half a character", null);
        Signs.Ranges white = Signs.known().ends;
        int begin = signs.length > 0 && signs[0] == MARK ? 1 : 0;
        int end = signs.length;
        while (begin < end && white.hold(signs[begin])) begin++;
        while (end > begin && white.hold(signs[end - 1])) end--;
        if (begin == end) throw new ModelException("text_missing", "the text holds nothing but white space");
        int[] ids = tokenizer.ids(Arrays.copyOfRange(signs, begin, end));
        if (ids.length == 0) ids = new int[] {padId};
        return new Piece(Collections.singletonMap(input, Feed.longs(Arrays.stream(ids).asLongStream().toArray(), 1, ids.length)), 1, null);
    }

    private static String decoded(byte[] file) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString();
        } catch (CharacterCodingException error) {
            throw unreadable("it is not UTF-8", error);
        }
    }

    private static byte[] contentOf(File file) {
        try (FileInputStream stream = new FileInputStream(file)) {
            return Manifest.all(stream);
        } catch (IOException error) {
            throw unreadable(ModelException.reason(error), error);
        }
    }

    private static ModelException unreadable(String why, Throwable cause) {
        return new ModelException("text_unreadable", "the text cannot be read: " + why, cause);
    }
}
