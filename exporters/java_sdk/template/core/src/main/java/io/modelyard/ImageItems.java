package io.modelyard;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;

/** Pictures: RGB, uint8, height x width x 3, of any size. */
final class ImageItems extends Items {
    private static final byte GREY = (byte) 128;

    private final String input;
    private final int minSidePx;
    private final PictureDecoder decoder;

    ImageItems(Manifest manifest, LoadOptions options) {
        input = manifest.firstInput();
        minSidePx = Json.asInt(manifest.decode.get("min_side_px"), "min_side_px");
        if (minSidePx < 1) throw ModelException.artefact("min_side_px is less than 1");
        decoder = options.pictureDecoder == null ? found() : options.pictureDecoder;
    }

    private static PictureDecoder found() {
        // The second: inside an app server the loader of the thread may know more than that of this class.
        for (ClassLoader loader : Arrays.asList(ImageItems.class.getClassLoader(), Thread.currentThread().getContextClassLoader())) {
            Iterator<PictureDecoder> each = ServiceLoader.load(PictureDecoder.class, loader).iterator();
            if (each.hasNext()) return each.next();
        }
        return file -> {
            throw new ModelException("decoder_missing", "no decoder of pictures is there: give one with LoadOptions.pictureDecoder, or pixels");
        };
    }

    @Override
    Piece typical() {
        byte[] grey = new byte[minSidePx * minSidePx];
        Arrays.fill(grey, GREY);
        return piece(Upright.of(new Pixels(grey, minSidePx, minSidePx, 1), minSidePx, 1, false));
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
        if (item instanceof Pixels) return piece(Upright.of((Pixels) item, minSidePx, 1, false));
        if (item instanceof byte[]) return piece(decoded((byte[]) item));
        if (item instanceof File) return piece(decoded(contentOf((File) item)));
        throw foreign("pictures (a file, bytes or pixels)", item);
    }

    private Piece piece(Upright picture) {
        Feed feed = Feed.bytes(picture.rgb, 1, picture.height, picture.width, 3);
        return new Piece(Collections.singletonMap(input, feed), 1, picture);
    }

    private Upright decoded(byte[] file) {
        boolean isJpeg = Exif.isJpeg(file);
        if (isJpeg && !Exif.jpegIsWhole(file)) throw unreadable("the file is cut off", null);
        try {
            Pixels pixels = decoder.decode(file);
            if (pixels == null) throw unreadable("the file is broken, or of a kind that is not read", null);
            return Upright.of(pixels, minSidePx, Exif.orientation(file), isJpeg);
        } catch (ModelException error) {
            throw error;
        } catch (OutOfMemoryError error) {
            throw new ModelException("picture_too_large", "the picture does not fit into the memory of this process", error);
        } catch (Exception | StackOverflowError error) {
            throw unreadable(ModelException.reason(error), error);
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
        return new ModelException("picture_unreadable", "the picture cannot be decoded: " + why, cause);
    }
}
