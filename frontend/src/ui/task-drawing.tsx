/** The drawing of what a task does, from the task's own folder; decorative beside the title, hence hidden from screen readers. */
export function TaskDrawing({ task, quickstart, height }: { task: string; quickstart?: string | undefined; height: number }) {
  const query = quickstart === undefined ? '' : `?quickstart=${encodeURIComponent(quickstart)}`
  return <img src={`/api/tasks/${task}/illustration${query}`} alt="" height={height} width={height * 1.6} style={{ flex: 'none' }} />
}
