import Modelyard
import XCTest

final class ModelTests: XCTestCase {
    func testGoldenSamplesAreAnsweredAsByTheTrainedModel() throws {
        let report = try Model().selftest()
        XCTAssertTrue(report.isPassed, "an answer differs by \(report.maxDifference), \(report.tolerance) is allowed")
        XCTAssertGreaterThan(report.numSamples, 0)
        print("\(report.numSamples) samples, largest difference \(report.maxDifference); \(report.environment)")
    }

    func testThreadsShareAModel() throws {
        let model = try Model()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            XCTAssertEqual(try? model.selftest().isPassed, true)
        }
    }

    func testAMissingModelHasACode() {
        XCTAssertThrowsError(try Model(folder: URL(fileURLWithPath: "/no/such/folder"))) { error in
            XCTAssertEqual((error as? ModelyardError)?.code, "artefact_unreadable")
        }
    }

    func testMeasuring() throws {
        let report = try Model().bench(numRuns: 3)
        XCTAssertEqual(report.numRuns, 3)
        print("decode \(report.decodeMs) ms, predict \(report.predictMs) ms, 95 % within \(report.p95Ms) ms")
    }
}
