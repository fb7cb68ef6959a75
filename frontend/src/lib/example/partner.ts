/** The second project of a quick start, and what joins it with the first. What is there already is not made again. No React in it. */
import i18next from 'i18next'

import { api, data } from '../api/client'
import type { Project } from '../api/types'
import { textFor } from '../local-text'
import type { Quickstart } from './server'

type Partner = NonNullable<Quickstart['partner']>
const STORAGE_KEY = 'modelyard.example.partner'
/** Pictures of each name that the gallery begins with. */
const PER_NAME = 5

/** Finds the project that an earlier run of this browser made for the first one, or makes it. */
export async function partnerProject(first: Pick<Project, 'id' | 'workspace'>, partner: Partner) {
  const task = (await data(api.GET('/api/tasks'))).find(({ name }) => name === partner.task)
  const quickstart = task?.quickstarts?.find(({ name }) => name === partner.quickstart)
  if (!task || !quickstart) throw new Error(`no quick start ${partner.quickstart} of ${partner.task}`)
  return { project: (await known(first.id)) ?? (await made(first, partner.task, quickstart)), families: task.families, quickstart }
}

async function known(first: string): Promise<Project | null> {
  const [of, id] = (localStorage.getItem(STORAGE_KEY) ?? '').split(' ')
  if (of !== first || !id) return null
  return data(api.GET('/api/projects/{project_id}', { params: { path: { project_id: id } } })).catch(() => null)
}

async function made(first: Pick<Project, 'id' | 'workspace'>, task: string, quickstart: Quickstart): Promise<Project> {
  const name = textFor(quickstart.title, i18next.language)
  const project = await data(
    api.POST('/api/projects', { body: { workspace: first.workspace, name, description: '', task, task_options: {} } }),
  )
  localStorage.setItem(STORAGE_KEY, `${first.id} ${project.id}`)
  return project
}

/** Fills a gallery with the second project's labelled pictures, and makes a shelf of it and the first one's deployment. */
export async function joinPartner(first: Pick<Project, 'id' | 'name'>, second: Pick<Project, 'id' | 'name'>): Promise<void> {
  const gallery = await galleryOf(second)
  let left = 1
  while (left > 0) {
    const body = { per_name: PER_NAME }
    left = (await data(api.POST('/api/galleries/{gallery}/items', { params: { path: { gallery } }, body }))).left
  }
  const path = { project: first.id }
  const shelves = await data(api.GET('/api/projects/{project}/shelves', { params: { path, query: { limit: 1 } } }))
  if (shelves.items[0]) return
  const body = { name: first.name, deployment: await deploymentOf(first.id), gallery, plan: {} }
  await data(api.POST('/api/projects/{project}/shelves', { params: { path }, body }))
  localStorage.removeItem(STORAGE_KEY)
}

async function galleryOf({ id, name }: Pick<Project, 'id' | 'name'>): Promise<string> {
  const path = { project: id }
  const [there] = (await data(api.GET('/api/projects/{project}/galleries', { params: { path, query: { limit: 1 } } }))).items
  if (there) return there.id
  const body = { name, deployment: await deploymentOf(id), false_match_rate: null }
  return (await data(api.POST('/api/projects/{project}/galleries', { params: { path }, body }))).id
}

async function deploymentOf(project: string): Promise<string> {
  const [deployment] = (await data(api.GET('/api/deployments', { params: { query: { project, limit: 1 } } }))).items
  if (!deployment) throw new Error('nothing is deployed')
  return deployment.id
}
