import type { JsonDocument } from '../../config/json/json-document.js';
import type { Problem } from '../../config/problem.js';
import { realmFilesOf } from '../../config/realm-file/realm-folder.js';
import { MASTER_REALM } from '../../model/realm.js';
import { type CheckedFile, readCheckedFiles } from '../../realm-files/checked-file.js';
import { redactProblem } from '../../realm-files/realm-file-state.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import type { ApplyServices } from '../../realms/apply-realm-file.js';
import { planFile } from '../../realms/plan-file.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import { badRequest, conflict, notFound } from '../admin.js';
import { movedSecrets } from './moved-secrets.js';
import { type PlanInput, planResponse } from './plan-response.js';
import { type ProblemRepresentation, problemResponse } from './realm-file-representation.js';
import { readSentDocument } from './sent-document.js';

export interface FilePlanParts {
  readonly files: RealmFiles;
  readonly registry: ProviderRegistry;
  readonly applying: ApplyServices;
  readonly passwords: Passwords;
}

/** A document that was sent, or the name of a realm whose file is used. */
export interface PlanSource {
  readonly bytes: Buffer | undefined;
  readonly name: string | undefined;
}

/** A realm to plan or apply. */
export interface SourceRealm {
  readonly file: CheckedFile;
  /** The document that was sent for it. */
  readonly document?: JsonDocument;
  readonly differsFromFile?: boolean;
}

/** @returns the realms of a document, or the realm of a file, or their mistakes */
export async function sourceRealms(
  { bytes, name }: PlanSource,
  { files }: FilePlanParts,
): Promise<{ readonly realms: readonly SourceRealm[]; readonly problems: readonly Problem[] }> {
  if (bytes !== undefined) return readSentDocument(bytes, files, files.checks);
  if (name === undefined) throw badRequest('realm is required: send a document, or name the realm');
  const path = await files.states.pathOf(name);
  if (path === undefined) throw noFile(name);
  const { good, refused } = await readCheckedFiles(await realmFilesOf(path), files.checks);
  const realms = good.filter(({ representation }) => representation.realm === name).map((file) => ({ file }));
  const problems = refused
    .filter(({ realm }) => realms.length === 0 || realm === name)
    .flatMap(({ error }) => error.problems.map((problem) => redactProblem(problem, 'masked')));
  if (realms.length + problems.length === 0) throw noFile(name);
  return { realms, problems };
}

/** The changes that a document or a file would make. @throws AdminError 400, 404, 409 */
export async function planOf(source: PlanSource, revertEdits: boolean, parts: FilePlanParts) {
  const { applying, registry, files } = parts;
  const { realms, problems } = await sourceRealms(source, parts);
  if (problems.length > 0) return { problems: problems.map((one) => problemOfSource(one, source, files)), realms: [] };
  const plans = [];
  const moved: Problem[] = [];
  for (const { file, document, differsFromFile } of realms) {
    const { realm } = file.representation;
    if (revertEdits) refuseRevertOfMaster(realm);
    const previous = await applying.store.realms.withDeclaration(realm);
    const plan = await planFile(file, previous, applying.store, revertEdits);
    const change = { before: previous?.representation, after: plan.after, stated: file.representation };
    if (document !== undefined) moved.push(...movedSecrets({ ...change, document }, registry));
    const onByDefault = defaultsOf(parts);
    plans.push({
      ...planResponse({ file, previous, plan, onByDefault }, registry),
      ...(differsFromFile === undefined ? {} : { isBeside: differsFromFile }),
      references: file.withheld.map((one) => problemOfSource(one, source, files)),
    });
  }
  if (moved.length > 0) return { problems: moved.map((one) => problemOfSource(one, source, files)), realms: [] };
  return { problems: [], realms: plans };
}

/** Providers that are enabled in a realm that does not name them. */
export function defaultsOf({ files }: FilePlanParts): PlanInput['onByDefault'] {
  const builtIns = files.checks.providers.filter(({ builtin }) => builtin);
  const names = new Set(builtIns.map(({ spi, id }) => `${spi}/${id}`));
  return (spi, id) => names.has(`${spi}/${id}`);
}

/** A problem of a sent document is shown without a file. */
export function problemOfSource(problem: Problem, { bytes }: PlanSource, { dir }: RealmFiles): ProblemRepresentation {
  const { file, ...place } = problemResponse(problem, dir);
  return bytes === undefined && file !== undefined ? { file, ...place } : place;
}

/**
 * Reverting `master` would remove the clients of other realms, and so the roles of their admins. @throws AdminError 409
 */
export function refuseRevertOfMaster(realm: string): void {
  if (realm === MASTER_REALM)
    throw conflict('Edits of master cannot be reverted: the clients of other realms are among them');
}

export function noFile(realm: string) {
  return notFound(`No file in the realms folder makes a realm "${realm}"`);
}
