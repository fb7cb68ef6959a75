import CModelyard
import Foundation

/// A call that failed.
public struct ModelyardError: Error, Hashable, Sendable {
    /// A stable name of what is wrong, such as `picture_unreadable`; the read-me lists them.
    public let code: String
    /// A sentence that says why.
    public let message: String

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// What the last call on this thread left.
    init(lastMessage: String) {
        let parts = lastMessage.split(separator: ":", maxSplits: 1)
        code = parts.first.map(String.init) ?? "failed"
        message = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : lastMessage
    }
}

extension ModelyardError: LocalizedError {
    public var errorDescription: String? { "\(code): \(message)" }
}

/// Throws what a call of the C library left, where it failed. Follows the call on the same thread.
func check(_ status: modelyard_status) throws {
    if status != MODELYARD_OK {
        throw ModelyardError(lastMessage: String(cString: modelyard_message()))
    }
}
