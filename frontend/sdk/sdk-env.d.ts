/// <reference types="vite/client" />

/** What the package's users install beside it; its types are those of onnxruntime-common. */
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common'
}
