/** The drawing of what a task does, from the task's own folder; decorative beside the title, hence hidden from screen readers. */
export function TaskDrawing({ task, height }: { task: string; height: number }) {
  return <img src={`/api/tasks/${task}/illustration`} alt="" height={height} width={height * 1.6} style={{ flex: 'none' }} />
}
