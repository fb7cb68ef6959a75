import CoreGraphics
import Modelyard
import SwiftUI

/// A picture with boxes, outlines, masks and heat maps over it.
struct PictureView: View {
    let answered: Answered

    var body: some View {
        let size = CGSize(width: answered.picture.width, height: answered.picture.height)
        Image(decorative: answered.picture, scale: 1)
            .resizable()
            .aspectRatio(size, contentMode: .fit)
            .overlay {
                Canvas { context, shown in
                    let scale = CGAffineTransform(scaleX: shown.width / size.width, y: shown.height / size.height)
                    let whole = CGRect(origin: .zero, size: shown)
                    for (place, each) in answered.answer.annotations.enumerated() {
                        draw(each, in: &context, whole: whole, scale: scale, color: Self.colors[place % Self.colors.count])
                    }
                }
            }
    }

    private static let colors: [Color] = [.yellow, .green, .cyan, .orange, .pink, .purple]

    private func draw(
        _ each: Annotation, in context: inout GraphicsContext, whole: CGRect, scale: CGAffineTransform, color: Color
    ) {
        if let map = each.heatMap, let image = coverImage(map.values, width: map.width, height: map.height) {
            fill(whole, of: image, in: &context, with: .red)
        }
        if let mask = each.mask {
            let cover = mask.pixels.map { $0 * 255 }
            if let image = coverImage(cover, width: mask.width, height: mask.height) {
                fill(whole, of: image, in: &context, with: color)
            }
        }
        for polygon in each.polygons {
            var path = Path()
            path.addLines(polygon)
            path.closeSubpath()
            context.stroke(path.applying(scale), with: .color(color), lineWidth: 2)
        }
        if let box = each.box {
            let place = box.applying(scale)
            context.stroke(Path(place), with: .color(color), lineWidth: 2)
            context.draw(Text(each.label).font(.caption).foregroundColor(color), at: place.origin, anchor: .bottomLeading)
        }
    }

    private func fill(_ whole: CGRect, of cover: CGImage, in context: inout GraphicsContext, with color: Color) {
        context.drawLayer { layer in
            layer.opacity = 0.5
            layer.clipToLayer { $0.draw(Image(decorative: cover, scale: 1), in: whole) }
            layer.fill(Path(whole), with: .color(color))
        }
    }

    /// Black that covers by these bytes, row by row.
    private func coverImage(_ bytes: [UInt8], width: Int, height: Int) -> CGImage? {
        guard let provider = CGDataProvider(data: Data(bytes.flatMap { [0, 0, 0, $0] }) as CFData) else {
            return nil
        }
        return CGImage(
            width: width,
            height: height,
            bitsPerComponent: 8,
            bitsPerPixel: 32,
            bytesPerRow: width * 4,
            space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
            provider: provider,
            decode: nil,
            shouldInterpolate: true,
            intent: .defaultIntent
        )
    }
}
