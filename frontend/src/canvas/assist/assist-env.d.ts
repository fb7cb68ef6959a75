/** Size of the assist's files, from `vite.config.ts`. */
declare const __ASSIST_BYTES__: number

declare module '*.onnx?url' {
  const url: string
  export default url
}
