import CModelyard
import CoreGraphics

/// One thing that the model answers. Which parts it has depends on its kind.
public struct Annotation: Equatable, Sendable {
    /// What an annotation is; `rawValue` is the platform's name of it.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A label with its score; of a model for anomalies with a `heatMap`.
        public static let label = Kind(rawValue: "class")
        /// A label with a `box`.
        public static let box = Kind(rawValue: "box")
        /// A label with a `mask`; of a single object also with its `box` and the `polygons` around it.
        public static let mask = Kind(rawValue: "mask")
        /// A line of `text` with its four corners, the only one of the `polygons`.
        public static let polygon = Kind(rawValue: "polygon")
        /// A `vector` to compare pictures by.
        public static let vector = Kind(rawValue: "vector")
    }

    public let kind: Kind
    /// Empty of a vector.
    public let label: String
    /// 0 to 1; 0 of a vector.
    public let score: Double
    /// Where it lies: pixels of the upright picture, from its top left.
    public let box: CGRect?
    /// Closed lines, in the same pixels.
    public let polygons: [[CGPoint]]
    public let mask: Mask?
    public let heatMap: HeatMap?
    /// Numbers whose length, as a vector, is one; else empty.
    public let vector: [Double]
    public let text: String?

    init(_ given: modelyard_annotation) {
        kind = Kind(rawValue: String(cString: given.kind))
        label = String(cString: given.label)
        score = given.score
        if let bounds = given.box {
            let place = bounds.pointee
            box = CGRect(x: place.x, y: place.y, width: place.width, height: place.height)
        } else if kind == .box {
            box = CGRect(x: given.x, y: given.y, width: given.width, height: given.height)
        } else {
            box = nil
        }
        polygons = UnsafeBufferPointer(start: given.polygons, count: given.num_polygons).map { polygon in
            (0..<polygon.num_points).map { CGPoint(x: polygon.points[2 * $0], y: polygon.points[2 * $0 + 1]) }
        }
        mask = given.counts.map { Mask(width: Int(given.width), height: Int(given.height), counts: String(cString: $0)) }
        heatMap = given.heat_map.map { HeatMap($0.pointee) }
        vector = Array(UnsafeBufferPointer(start: given.values, count: given.num_values))
        text = given.text.map { String(cString: $0) }
    }

    /// How much two pictures show the same thing, -1 to 1, by the vectors that the same model answered them with.
    ///
    /// - Throws: ``ModelyardError`` where one is no vector, or of another model.
    public func similarity(to other: Annotation) throws -> Double {
        var found = 0.0
        try vector.withUnsafeBufferPointer { own in
            try other.vector.withUnsafeBufferPointer { others in
                var first = modelyard_annotation()
                first.values = own.baseAddress
                first.num_values = own.count
                var second = modelyard_annotation()
                second.values = others.baseAddress
                second.num_values = others.count
                try check(modelyard_similarity(&first, &second, &found))
            }
        }
        return found
    }
}

/// The pixels of one label or of one object, in a picture of this size.
public struct Mask: Hashable, Sendable {
    public let width: Int
    public let height: Int
    /// COCO's compressed run lengths, column by column.
    public let counts: String

    /// A byte a pixel, row by row from the top left: 1 where the mask is, else 0.
    public var pixels: [UInt8] {
        var pixels = [UInt8](repeating: 0, count: width * height)
        var place = 0
        var isSet = false
        for length in runs {
            let end = min(place + length, pixels.count)
            while place < end {
                if isSet {
                    pixels[place % height * width + place / height] = 1
                }
                place += 1
            }
            isSet.toggle()
        }
        return pixels
    }

    /// Lengths of the runs of pixels outside and inside, in turn.
    private var runs: [Int] {
        var runs = [Int]()
        var value = 0
        var shift = 0
        for byte in counts.utf8 {
            let code = Int(byte) - 48
            value |= (code & 0x1F) << shift
            shift += 5
            if code & 0x20 != 0 {
                continue
            }
            if code & 0x10 != 0 {
                value -= 1 << shift
            }
            // From the fourth on, what differs from the last of its colour.
            runs.append(runs.count > 2 ? value + runs[runs.count - 2] : value)
            value = 0
            shift = 0
        }
        return runs
    }
}

/// How unlike the normal pictures each place of a picture is: a coarse grid over all of it.
public struct HeatMap: Hashable, Sendable {
    /// Of the picture: the largest of its cells, 0 to 1.
    public let score: Double
    /// Cells.
    public let width: Int
    public let height: Int
    /// A byte a cell, row by row from the top left; 255 for one.
    public let values: [UInt8]

    init(_ given: modelyard_heat_map) {
        score = given.score
        width = Int(given.width)
        height = Int(given.height)
        values = Array(UnsafeBufferPointer(start: given.values, count: width * height))
    }
}
