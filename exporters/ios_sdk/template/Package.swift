// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "{{name}}",
    platforms: [.iOS(.v15), .macOS(.v14)], // as ONNX Runtime's package
    products: [.library(name: "Modelyard", targets: ["Modelyard"])],
    dependencies: [
        .package(url: "https://github.com/microsoft/onnxruntime-swift-package-manager", from: "{{onnxruntime}}"),
    ],
    targets: [
        .target(
            name: "CModelyard",
            dependencies: [.product(name: "onnxruntime", package: "onnxruntime-swift-package-manager")],
            exclude: ["third_party/onnxruntime/LICENSE", "third_party/stb/LICENSE", "third_party/unicode/LICENSE"],
            cxxSettings: [
                .headerSearchPath("third_party/onnxruntime"),
                .headerSearchPath("third_party/stb"),
            ],
            linkerSettings: [.linkedFramework("CoreML"), .linkedFramework("Foundation")]
        ),
        .target(name: "Modelyard", dependencies: ["CModelyard"], resources: [.copy("artefact")]),
        .testTarget(name: "ModelyardTests", dependencies: ["Modelyard"]),
    ],
    cxxLanguageStandard: .cxx17
)
