import CoreGraphics
import Foundation
import ImageIO

/// The first picture of a file that the system decodes, such as HEIC, turned upright; nil where there is none.
public func uprightImage(from data: Data) -> CGImage? {
    guard let source = CGImageSourceCreateWithData(data as CFData, nil),
          CGImageSourceGetStatus(source) == .statusComplete
    else {
        return nil
    }
    let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
    ]
    return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
}

/// A picture as the C library takes it: RGBA in sRGB, laid over white where it is transparent.
struct Pixels {
    static let channels = 4
    private static let mostPixels = 100_000_000

    let bytes: [UInt8]
    let width: Int
    let height: Int

    init(_ image: CGImage) throws {
        let (width, height) = (image.width, image.height)
        guard width * height <= Pixels.mostPixels else {
            throw ModelyardError(code: "picture_too_large", message: "the picture has more than 100,000,000 pixels")
        }
        var bytes = [UInt8](repeating: 255, count: width * height * Pixels.channels)
        let isDrawn = bytes.withUnsafeMutableBytes { buffer -> Bool in
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                  let context = CGContext(
                      data: buffer.baseAddress,
                      width: width,
                      height: height,
                      bitsPerComponent: 8,
                      bytesPerRow: width * Pixels.channels,
                      space: space,
                      bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue
                  )
            else {
                return false
            }
            context.interpolationQuality = .none
            context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
            return true
        }
        guard isDrawn else {
            throw ModelyardError(code: "picture_unreadable", message: "the picture cannot be drawn")
        }
        self.bytes = bytes
        self.width = width
        self.height = height
    }
}
