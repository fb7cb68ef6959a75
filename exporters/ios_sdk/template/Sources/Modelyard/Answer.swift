import CModelyard

/// The answer to one item.
public struct Answer: Equatable, Sendable {
    /// Best first; lines of text in the order in which they are read.
    public let annotations: [Annotation]
    /// Of the upright picture, in pixels; 0 of a text.
    public let width: Int
    public let height: Int
    /// Whether a person should look; nil where no error rate was chosen for the model.
    public let asksAPerson: Bool?
    /// Labels that are possible at that error rate, best first.
    public let possibleLabels: [String]

    init(_ given: modelyard_answer) {
        annotations = UnsafeBufferPointer(start: given.annotations, count: given.num_annotations).map(Annotation.init)
        width = Int(given.width_px)
        height = Int(given.height_px)
        asksAPerson = given.ask_a_person < 0 ? nil : given.ask_a_person == 1
        possibleLabels = UnsafeBufferPointer(start: given.possible_labels, count: given.num_possible_labels)
            .compactMap { label in label.map { String(cString: $0) } }
    }
}

/// What the replay of the golden samples showed.
public struct SelftestReport: Hashable, Sendable {
    public let numSamples: Int
    /// From the trained model.
    public let maxDifference: Double
    public let tolerance: Double
    public let isPassed: Bool
    /// Compiler and version of ONNX Runtime.
    public let environment: String

    init(_ given: modelyard_selftest_result) {
        numSamples = Int(given.num_samples)
        maxDifference = given.max_difference
        tolerance = given.tolerance
        isPassed = given.is_passed != 0
        environment = withUnsafeBytes(of: given.environment) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// How long one item takes, in milliseconds, on one thread of the caller.
public struct BenchReport: Hashable, Sendable {
    public let numRuns: Int
    /// Medians: reading the file's bytes.
    public let decodeMs: Double
    /// And answering.
    public let predictMs: Double
    /// Of both together.
    public let p95Ms: Double

    init(_ given: modelyard_bench_result) {
        numRuns = Int(given.num_runs)
        decodeMs = given.decode_ms
        predictMs = given.predict_ms
        p95Ms = given.p95_ms
    }
}
