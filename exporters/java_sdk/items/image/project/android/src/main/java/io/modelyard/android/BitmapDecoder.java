package io.modelyard.android;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import io.modelyard.PictureDecoder;
import io.modelyard.Pixels;
import java.io.IOException;

/** Decodes what Android decodes: JPEG, PNG, WebP, BMP and GIF (the first picture). */
public final class BitmapDecoder implements PictureDecoder {
    @Override
    public Pixels decode(byte[] file) throws IOException {
        BitmapFactory.Options options = new BitmapFactory.Options();
        options.inJustDecodeBounds = true;
        BitmapFactory.decodeByteArray(file, 0, file.length, options);
        if (options.outWidth < 1 || options.outHeight < 1) throw new IOException("the file is broken, or of a kind that is not read");
        Pixels.checkSize(options.outWidth, options.outHeight);
        options.inJustDecodeBounds = false;
        options.inPremultiplied = false; // else colours below transparency would be lost
        options.inPreferredConfig = Bitmap.Config.ARGB_8888;
        Bitmap bitmap = BitmapFactory.decodeByteArray(file, 0, file.length, options);
        if (bitmap == null) throw new IOException("the file is broken");
        try {
            return pixelsOf(bitmap);
        } finally {
            bitmap.recycle();
        }
    }

    /** The pixels of a bitmap, row by row, so that they are in memory once. */
    public static Pixels pixelsOf(Bitmap bitmap) {
        int width = bitmap.getWidth();
        int height = bitmap.getHeight();
        Pixels.checkSize(width, height);
        byte[] rgba = new byte[width * height * 4];
        int[] row = new int[width];
        for (int y = 0, to = 0; y < height; y++) {
            bitmap.getPixels(row, 0, width, 0, y, width, 1);
            for (int argb : row) {
                rgba[to++] = (byte) (argb >> 16);
                rgba[to++] = (byte) (argb >> 8);
                rgba[to++] = (byte) argb;
                rgba[to++] = (byte) (argb >> 24);
            }
        }
        return new Pixels(rgba, width, height, 4);
    }
}
