import CModelyard
import CoreGraphics
import Foundation

/// A model, loaded and warm. It may be used from several threads at once and is given back with its last user.
///
/// Every call takes its time on the thread of its caller: load and predict outside the main one.
public final class Model: @unchecked Sendable {
    private typealias Ask = (
        UnsafePointer<modelyard_query>, UnsafeMutablePointer<UnsafeMutablePointer<modelyard_answer>?>
    ) -> modelyard_status

    private let handle: OpaquePointer

    /// Loads the model of this package and runs it once.
    ///
    /// - Parameter numThreads: of one prediction, 1 to 256.
    /// - Throws: ``ModelyardError``
    public convenience init(numThreads: Int = 1) throws {
        guard let folder = Bundle.module.url(forResource: "artefact", withExtension: nil) else {
            throw ModelyardError(code: "artefact_unreadable", message: "the package has no folder artefact")
        }
        try self.init(folder: folder, numThreads: numThreads)
    }

    /// Loads another model, such as one that was fetched after the app had been installed, and runs it once.
    ///
    /// - Parameters:
    ///   - folder: holds artefact.json and model.onnx.
    ///   - numThreads: of one prediction, 1 to 256.
    /// - Throws: ``ModelyardError``
    public init(folder: URL, numThreads: Int = 1) throws {
        var options = modelyard_options()
        options.num_threads = Int32(clamping: numThreads)
        var loaded: OpaquePointer?
        try check(modelyard_load(folder.path, &options, &loaded))
        guard let model = loaded else {
            throw ModelyardError(code: "failed", message: "there is no model")
        }
        handle = model
    }

    deinit {
        modelyard_free(handle)
    }

    /// Answers a picture's file, or one with a text.
    ///
    /// - Throws: ``ModelyardError``
    public func predict(file: URL, query: Query = Query()) throws -> Answer {
        try predict(.file(file), query: query)
    }

    /// The same of the file's bytes. JPEG, PNG, BMP and GIF are read as the platform reads them, others by the system.
    ///
    /// - Throws: ``ModelyardError``
    public func predict(data: Data, query: Query = Query()) throws -> Answer {
        try predict(.data(data), query: query)
    }

    /// Answers an upright picture, in its own size.
    ///
    /// - Throws: ``ModelyardError``
    public func predict(image: CGImage, query: Query = Query()) throws -> Answer {
        try predict(.image(image), query: query)
    }

    /// Answers a text.
    ///
    /// - Throws: ``ModelyardError``
    public func predict(text: String, query: Query = Query()) throws -> Answer {
        try predict(.text(text), query: query)
    }

    /// Answers an item.
    ///
    /// - Throws: ``ModelyardError``
    public func predict(_ item: Item, query: Query = Query()) throws -> Answer {
        switch item {
        case .file(let url):
            return try decodedOtherwise(query, file: { try? Data(contentsOf: url) }) {
                try answer(query) { modelyard_predict_file(handle, url.path, $0, $1) }
            }
        case .data(let data):
            return try decodedOtherwise(query, file: { data }) {
                try answer(query, bytes: data.isEmpty ? Data([0]) : data, count: data.count)
            }
        case .image(let image):
            let pixels = try Pixels(image)
            let (width, height) = (Int32(pixels.width), Int32(pixels.height))
            return try answer(query) {
                modelyard_predict_pixels(handle, pixels.bytes, width, height, Int32(Pixels.channels), 0, $0, $1)
            }
        case .text(let text):
            let bytes = Data(text.utf8)
            return try answer(query, bytes: bytes.isEmpty ? Data([0]) : bytes, count: bytes.count)
        }
    }

    /// Answers several items on all cores.
    ///
    /// - Returns: the answer to each or why there is none, in their order.
    public func predictBatch(_ items: [Item], query: Query = Query()) -> [Result<Answer, ModelyardError>] {
        let answers = Answers()
        DispatchQueue.concurrentPerform(iterations: items.count) { place in
            do {
                let answer = try self.predict(items[place], query: query)
                answers.put(.success(answer), at: place)
            } catch let error as ModelyardError {
                answers.put(.failure(error), at: place)
            } catch {
                answers.put(.failure(ModelyardError(code: "failed", message: "\(error)")), at: place)
            }
        }
        return answers.ordered
    }

    /// Answers the golden samples beside the model and compares with the trained model.
    ///
    /// - Throws: ``ModelyardError`` where it could not run; whether the answers are the same is in the report.
    public func selftest() throws -> SelftestReport {
        var result = modelyard_selftest_result()
        try check(modelyard_selftest(handle, &result))
        return SelftestReport(result)
    }

    /// Measures on this device.
    ///
    /// - Parameters:
    ///   - file: what is answered; nil: the first golden sample.
    ///   - numRuns: 1 to 100,000.
    /// - Throws: ``ModelyardError``
    public func bench(file: URL? = nil, numRuns: Int = 100) throws -> BenchReport {
        var result = modelyard_bench_result()
        let runs = Int32(clamping: numRuns)
        if let file {
            try check(modelyard_bench(handle, file.path, runs, &result))
        } else {
            try check(modelyard_bench(handle, nil, runs, &result))
        }
        return BenchReport(result)
    }

    private func answer(_ query: Query, by ask: Ask) throws -> Answer {
        var asked = modelyard_query()
        asked.threshold = query.threshold ?? -1
        asked.top = Int32(clamping: query.top ?? 0)
        var found: UnsafeMutablePointer<modelyard_answer>?
        try check(ask(&asked, &found))
        guard let given = found else {
            throw ModelyardError(code: "failed", message: "there is no answer")
        }
        defer { modelyard_answer_free(given) }
        return Answer(given.pointee)
    }

    private func answer(_ query: Query, bytes: Data, count: Int) throws -> Answer {
        try bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) in
            try answer(query) { modelyard_predict_bytes(handle, buffer.baseAddress, count, $0, $1) }
        }
    }

    /// What the library's own decoder does not read, such as HEIC, the system decodes.
    private func decodedOtherwise(_ query: Query, file: () -> Data?, first: () throws -> Answer) throws -> Answer {
        do {
            return try first()
        } catch let error as ModelyardError where error.code == "picture_unreadable" {
            guard let bytes = file(), let image = uprightImage(from: bytes) else {
                throw error
            }
            return try predict(.image(image), query: query)
        }
    }
}

/// Answers that several threads give.
private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var byPlace = [Int: Result<Answer, ModelyardError>]()

    func put(_ answer: Result<Answer, ModelyardError>, at place: Int) {
        lock.lock()
        byPlace[place] = answer
        lock.unlock()
    }

    var ordered: [Result<Answer, ModelyardError>] {
        lock.lock()
        defer { lock.unlock() }
        return byPlace.sorted { $0.key < $1.key }.map(\.value)
    }
}
