package io.modelyard;

/**
 * Decodes the file of a picture. The JVM and Android each have their own; it is found by {@link java.util.ServiceLoader}, or given
 * with {@link LoadOptions#pictureDecoder}. It may be called from several threads at once.
 */
public interface PictureDecoder {
    /**
     * The pixels as they lie in the file, not turned: the library does what EXIF says.
     *
     * <p>A decoder calls {@link Pixels#checkSize} as soon as it knows the size, before it takes memory for pixels.
     *
     * @throws Exception the file is broken or of a kind that is not read; becomes {@code picture_unreadable}.
     */
    Pixels decode(byte[] file) throws Exception;
}
