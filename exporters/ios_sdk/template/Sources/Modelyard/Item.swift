import CoreGraphics
import Foundation

/// What a model is asked about. A picture is never changed once it is made, so threads may share it.
public enum Item: @unchecked Sendable {
    /// A picture's file; of a model of texts a file in UTF-8, which is one text.
    case file(URL)
    /// The bytes of such a file.
    case data(Data)
    /// An upright picture.
    case image(CGImage)
    case text(String)
}

/// What is asked for. Without values: what is usual.
public struct Query: Hashable, Sendable {
    /// Lowest score, 0 to 1; nil: the model's own thresholds.
    public var threshold: Double?
    /// At most so many annotations; nil: 5 labels, 100 boxes or masks, 256 lines of text.
    public var top: Int?

    public init(threshold: Double? = nil, top: Int? = nil) {
        self.threshold = threshold
        self.top = top
    }
}
