import Modelyard
import SwiftUI

/// Answers a text while it is typed.
struct AnswersView: View {
    @State private var model: Model?
    @State private var text = ""
    @State private var answer: Answer?
    @State private var problem: String?

    var body: some View {
        VStack(alignment: .leading) {
            TextField("Text", text: $text)
                .textFieldStyle(.roundedBorder)
            if let annotations = answer?.annotations {
                ForEach(annotations.indices, id: \.self) { place in
                    HStack {
                        Text(annotations[place].label)
                        Spacer()
                        Text(annotations[place].score, format: .percent.precision(.fractionLength(0)))
                    }
                }
            }
            if let problem {
                Text(problem).foregroundColor(.red)
            }
            Spacer()
        }
        .padding()
        .task(id: text) { await update() }
    }

    private func update() async {
        do {
            let known = model
            let loaded = try await Task.detached { try known ?? Model() }.value
            model = loaded
            let asked = text
            guard !asked.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
                answer = nil
                return
            }
            let found = try await Task.detached { try loaded.predict(text: asked) }.value
            if !Task.isCancelled {
                answer = found
                problem = nil
            }
        } catch {
            problem = error.localizedDescription
        }
    }
}
