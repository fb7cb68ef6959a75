import Combine
import CoreGraphics
import Foundation
import Modelyard

/// A picture with what the model answers.
struct Answered: @unchecked Sendable {
    let picture: CGImage
    let answer: Answer
    let milliseconds: Double
}

/// Loads the model and answers what the camera sees, or a picture that was chosen.
@MainActor
final class Answering: ObservableObject {
    @Published private(set) var latest: Answered?
    @Published private(set) var problem: String?
    @Published private(set) var isLive = false

    private var model: Model?
    private var camera: Camera?

    func load() async {
        guard model == nil else {
            return
        }
        do {
            model = try await Task.detached { try Model(numThreads: 2) }.value
        } catch {
            problem = error.localizedDescription
        }
    }

    func startCamera() async {
        guard let model else {
            return
        }
        let camera = Camera { [weak self] frame in
            let answered = Answering.answered(frame, by: model)
            Task { @MainActor in
                self?.show(answered, isOfCamera: true)
            }
        }
        isLive = await camera.start()
        self.camera = camera
        if !isLive {
            problem = "There is no camera that this app may use."
        }
    }

    func stopCamera() {
        camera?.stop()
        isLive = false
    }

    func answer(picture data: Data) async {
        stopCamera()
        guard let model else {
            return
        }
        let answered = await Task.detached { () -> Result<Answered, Error> in
            guard let picture = uprightImage(from: data) else {
                return .failure(CocoaError(.fileReadCorruptFile))
            }
            return Answering.answered(picture, by: model)
        }.value
        show(answered, isOfCamera: false)
    }

    private nonisolated static func answered(_ picture: CGImage, by model: Model) -> Result<Answered, Error> {
        Result {
            let start = DispatchTime.now().uptimeNanoseconds
            let answer = try model.predict(image: picture)
            let milliseconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
            return Answered(picture: picture, answer: answer, milliseconds: milliseconds)
        }
    }

    private func show(_ answered: Result<Answered, Error>, isOfCamera: Bool) {
        guard isLive || !isOfCamera else {
            return
        }
        switch answered {
        case .success(let answered):
            latest = answered
            problem = nil
        case .failure(let error):
            problem = error.localizedDescription
        }
    }
}
