import AVFoundation
import CoreGraphics
import VideoToolbox

/// Hands the camera's frames to one receiver, upright and one at a time: while one is answered, others are dropped.
final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    private let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "io.modelyard.sample.camera")
    private let receive: @Sendable (CGImage) -> Void

    /// - Parameter receive: called on a thread of the camera.
    init(receive: @escaping @Sendable (CGImage) -> Void) {
        self.receive = receive
    }

    /// Asks for permission if need be and starts.
    ///
    /// - Returns: whether there is a camera that may be used.
    func start() async -> Bool {
        guard await AVCaptureDevice.requestAccess(for: .video) else {
            return false
        }
        return await withCheckedContinuation { continuation in
            queue.async {
                let isReady = !self.session.inputs.isEmpty || self.configure()
                if isReady {
                    self.session.startRunning()
                }
                continuation.resume(returning: isReady)
            }
        }
    }

    func stop() {
        queue.async { self.session.stopRunning() }
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sample: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let buffer = CMSampleBufferGetImageBuffer(sample) else {
            return
        }
        var frame: CGImage?
        VTCreateCGImageFromCVPixelBuffer(buffer, options: nil, imageOut: &frame)
        if let frame {
            receive(frame)
        }
    }

    private func configure() -> Bool {
        guard let device = AVCaptureDevice.default(for: .video),
              let input = try? AVCaptureDeviceInput(device: device)
        else {
            return false
        }
        let output = AVCaptureVideoDataOutput()
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        output.alwaysDiscardsLateVideoFrames = true
        output.setSampleBufferDelegate(self, queue: queue)
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard session.canAddInput(input), session.canAddOutput(output) else {
            return false
        }
        session.sessionPreset = .vga640x480
        session.addInput(input)
        session.addOutput(output)
        if let connection = output.connection(with: .video) {
            turnUpright(connection)
        }
        return true
    }

    private func turnUpright(_ connection: AVCaptureConnection) {
        if #available(iOS 17, *) {
            if connection.isVideoRotationAngleSupported(90) {
                connection.videoRotationAngle = 90
            }
        } else if connection.isVideoOrientationSupported {
            connection.videoOrientation = .portrait
        }
    }
}
