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
import { badRequest, conflictError, notFoundError } from '../admin.js';
import { findMovedSecrets } from './moved-secrets.js';
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

/** A realm that is planned or applied. */
export interface SourceRealm {
  readonly file: CheckedFile;
  /** The document that was sent for the realm. */
  readonly document?: JsonDocument;
  readonly differsFromFile?: boolean;
}

/** Reads the realms of a document, or the realm of a file. @returns the realms, and the problems found */
export async function readSource(
  { bytes, name }: PlanSource,
  { files, applying }: FilePlanParts,
): Promise<{ readonly realms: readonly SourceRealm[]; readonly problems: readonly Problem[] }> {
  if (bytes !== undefined)
    return readSentDocument(bytes, files, (realm) => applying.store.realms.withDeclaration(realm));
  if (name === undefined) throw badRequest('realm is required: send a document, or name the realm');
  const path = await files.states.pathOf(name);
  if (path === undefined) throw fileNotFoundError(name);
  const { accepted, refused } = await readCheckedFiles(await realmFilesOf(path), files.checks);
  const realms = accepted.filter(({ representation }) => representation.realm === name).map((file) => ({ file }));
  const problems = refused
    .filter(({ realm }) => realms.length === 0 || realm === name)
    .flatMap(({ error }) => error.problems.map((problem) => redactProblem(problem, 'masked')));
  if (realms.length + problems.length === 0) throw fileNotFoundError(name);
  return { realms, problems };
}

/** Plans the changes that a document or a file would make. @throws AdminError 400, 404, 409 */
export async function planSource(source: PlanSource, revertEdits: boolean, parts: FilePlanParts) {
  const { applying, registry, files } = parts;
  const { realms, problems } = await readSource(source, parts);
  if (problems.length > 0)
    return { problems: problems.map((problem) => representProblem(problem, source, files)), realms: [] };
  const plans = [];
  const movedSecretProblems: Problem[] = [];
  for (const { file, document, differsFromFile } of realms) {
    const { realm } = file.representation;
    if (revertEdits) refuseRevertOfMaster(realm);
    const previous = await applying.store.realms.withDeclaration(realm);
    const plan = await planFile(file, previous, applying.store, revertEdits);
    const change = { before: previous?.representation, after: plan.after, resolvedContent: file.representation };
    if (document !== undefined) movedSecretProblems.push(...findMovedSecrets({ ...change, document }, registry));
    const isEnabledByDefault = enabledByDefault(parts);
    plans.push({
      ...planResponse({ file, previous, plan, isEnabledByDefault }, registry),
      ...(differsFromFile === undefined ? {} : { isBeside: differsFromFile }),
      references: file.withheldReferences.map((problem) => representProblem(problem, source, files)),
      warnings: file.warnings.map((problem) => representProblem(redactProblem(problem, 'masked'), source, files)),
    });
  }
  if (movedSecretProblems.length > 0)
    return { problems: movedSecretProblems.map((problem) => representProblem(problem, source, files)), realms: [] };
  return { problems: [], realms: plans };
}

/** Returns whether a provider is enabled in a realm that does not configure it. */
export function enabledByDefault({ files }: FilePlanParts): PlanInput['isEnabledByDefault'] {
  const builtIns = files.checks.providers.filter(({ builtin }) => builtin);
  const names = new Set(builtIns.map(({ spi, id }) => `${spi}/${id}`));
  return (spi, id) => names.has(`${spi}/${id}`);
}

/** Converts a problem. Those of a sent document have no file. */
export function representProblem(problem: Problem, { bytes }: PlanSource, { dir }: RealmFiles): ProblemRepresentation {
  const { file, ...members } = problemResponse(problem, dir);
  return bytes === undefined && file !== undefined ? { file, ...members } : members;
}

/**
 * Rejects reverting edits of `master`. It would remove the clients of other realms, and so the roles of their admins.
 * @throws AdminError 409
 */
export function refuseRevertOfMaster(realm: string): void {
  if (realm === MASTER_REALM)
    throw conflictError('Edits of master cannot be reverted: the clients of other realms are among them');
}

export function fileNotFoundError(realm: string) {
  return notFoundError(`No file in the realms folder makes a realm "${realm}"`);
}
