/** Names for what the OpenAPI document describes. */
import type { Answer } from './answer'
import type { components } from './schema'

type Schemas = components['schemas']

export type Me = Schemas['MeOut']
export type Role = Schemas['Role']
export type Project = Schemas['ProjectOut']
export type Task = Schemas['TaskOut']
export type Label = Schemas['Label']
export type Problem = Schemas['Problem']
export type GuideStep = Schemas['GuideStep']
export type Job = Schemas['JobOut']
export type Item = Answer<'ItemOut'>
export type Upload = Schemas['UploadOut']
export type Reject = Schemas['RejectOut']
export type Summary = Schemas['SummaryOut']
export type Annotation = Item['annotations'][number]
export type ClassLabel = Schemas['ClassLabel']
export type Member = Schemas['MemberOut']
export type ApiKey = Schemas['KeyOut']
export type Split = Schemas['Split']
export type Batch = Schemas['BatchOut']
export type Box = Schemas['Box']
export type RotatedBox = Schemas['RotatedBox']
export type Polygon = Schemas['Polygon']
export type Polyline = Schemas['Polyline']
export type Mask = Schemas['Mask']
export type Keypoint = Schemas['Keypoint']
export type Keypoints = Schemas['Keypoints']
export type Skeleton = Schemas['Skeleton']
export type AttributeValue = Schemas['AttributeValue']
