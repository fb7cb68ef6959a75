/** The drawing of what a task does, from the task's own folder; beside its title it says nothing more. */
export function TaskDrawing({ task, height }: { task: string; height: number }) {
  return <img src={`/api/tasks/${task}/illustration`} alt="" height={height} width={height * 1.6} style={{ flex: 'none' }} />
}
