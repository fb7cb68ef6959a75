import PhotosUI
import SwiftUI

/// The camera's picture, or one of the library, with what the model answers.
struct AnswersView: View {
    @StateObject private var answering = Answering()
    @State private var chosen: PhotosPickerItem?

    var body: some View {
        VStack {
            if let latest = answering.latest {
                PictureView(answered: latest)
                AnswerList(answered: latest)
            } else {
                Spacer()
                ProgressView()
                Spacer()
            }
            if let problem = answering.problem {
                Text(problem).foregroundColor(.red)
            }
            HStack {
                Button(answering.isLive ? "Stop" : "Camera") {
                    if answering.isLive {
                        answering.stopCamera()
                    } else {
                        Task { await answering.startCamera() }
                    }
                }
                PhotosPicker("Picture", selection: $chosen, matching: .images)
            }
            .buttonStyle(.bordered)
        }
        .padding()
        .task {
            await answering.load()
            await answering.startCamera()
        }
        .onChange(of: chosen) { item in
            Task {
                if let data = try? await item?.loadTransferable(type: Data.self) {
                    await answering.answer(picture: data)
                }
            }
        }
    }
}

/// What is no shape, in words.
struct AnswerList: View {
    let answered: Answered

    var body: some View {
        VStack(alignment: .leading) {
            ForEach(answered.answer.annotations.indices.prefix(5), id: \.self) { place in
                let each = answered.answer.annotations[place]
                HStack {
                    Text(each.text ?? (each.vector.isEmpty ? each.label : "\(each.vector.count) numbers"))
                    Spacer()
                    if each.vector.isEmpty {
                        Text(each.score, format: .percent.precision(.fractionLength(0)))
                    }
                }
            }
            if answered.answer.asksAPerson == true {
                Text("A person should look: " + answered.answer.possibleLabels.joined(separator: ", "))
            }
            Text("\(answered.milliseconds, specifier: "%.1f") ms").font(.caption)
        }
    }
}
