import type { Problem } from '../../config/problem.js';
import { applyRealmFile } from '../../realms/apply-realm-file.js';
import { withBuiltIns } from '../../realms/built-ins/built-ins.js';
import { findChanges } from '../../realms/comparison/changes.js';
import { nameOf } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { type FilePlan, planFile } from '../../realms/plan-file.js';
import { findEdits, type RealmPlan, type StoredRealm } from '../../realms/plan-realm.js';
import { AdminError, badRequest } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { requireAllowedPasswords } from '../users/imported-passwords.js';
import {
  enabledByDefault,
  type FilePlanParts,
  type PlanSource,
  readSource,
  refuseRevertOfMaster,
  representProblem,
} from './file-plans.js';
import { findMovedSecrets } from './moved-secrets.js';
import { planResponse } from './plan-response.js';

/** Maximum number of changes in the admin event. */
const MAX_RECORDED_CHANGES = 200;

/**
 * Applies a document, or the current file, to a realm. A document counts as an edit: the last applied state of the file
 * stays stored, and the file's next change is merged with the edit. Files are never written.
 * @throws AdminError 400 with every problem and its position, 404, 409
 */
export async function applySource(
  source: PlanSource & { readonly name: string },
  revertsEdits: boolean,
  setEventDetails: AdminCall['setEventDetails'],
  parts: FilePlanParts,
) {
  const { applying, registry, files } = parts;
  if (revertsEdits) refuseRevertOfMaster(source.name);
  const { realms, problems } = await readSource(source, parts);
  const requireNoProblems = (foundProblems: readonly Problem[]) => {
    if (foundProblems.length > 0) throw invalidSourceError(foundProblems, source, parts);
  };
  requireNoProblems(problems);
  const sourceRealm = realms.find(({ file }) => file.representation.realm === source.name);
  if (sourceRealm === undefined) throw badRequest(`the document holds no realm "${source.name}"`);
  requireNoProblems(sourceRealm.file.withheldReferences);
  const { document, differsFromFile } = sourceRealm;
  const file = document === undefined ? files.withSource(sourceRealm.file) : sourceRealm.file;
  const answerMembers = { ...(differsFromFile === undefined ? {} : { isBeside: differsFromFile }) };
  const isEnabledByDefault = enabledByDefault(parts);
  const before = await applying.store.realms.withDeclaration(source.name);
  const expected = await planFile(file, before, applying.store, revertsEdits);
  if (before !== undefined && [expected.changes, expected.users, expected.keys].every(({ length }) => length === 0)) {
    // Nothing would change in the realm. For a file, only store that this version was applied.
    setEventDetails({ eventRepresentation: { realm: source.name, changes: [] } });
    if (document === undefined && !revertsEdits) await applyRealmFile(file, applying);
    const plan = planResponse({ file, previous: before, plan: expected, isEnabledByDefault }, registry);
    return { outcome: 'unchanged', usersCreated: 0, ...answerMembers, ...plan };
  }
  // The password policy applies to documents, which admins send, but not to files, which belong to the operator.
  const newUsers = document === undefined ? [] : expected.users.map(({ user }) => user);
  await requireAllowedPasswords(parts.passwords, expected.after, newUsers);
  let appliedPlan: { plan: FilePlan; previous: StoredRealm | undefined } | undefined;
  const outcome = await applyRealmFile(file, applying, {
    revertEdits: revertsEdits,
    isEdit: document !== undefined,
    onPlanned: (plan, previous) => {
      const { representation: after } = plan;
      const change = { before: previous?.representation, after, resolvedContent: file.representation };
      if (document !== undefined) requireNoProblems(findMovedSecrets({ ...change, document }, registry));
      appliedPlan = { plan: toFilePlan(plan, previous, expected), previous };
      setEventDetails({
        operationType: previous === undefined ? 'CREATE' : 'UPDATE',
        eventRepresentation: {
          realm: source.name,
          by: document === undefined ? 'file' : 'document',
          takesBack: revertsEdits,
          changes: appliedPlan.plan.changes.slice(0, MAX_RECORDED_CHANGES).map(nameOf),
          users: expected.users.length,
        },
      });
    },
  });
  const plan = appliedPlan?.plan ?? expected;
  const response = planResponse(
    { file, previous: appliedPlan?.previous ?? before, plan, isEnabledByDefault },
    registry,
  );
  if (outcome.outcome === 'unchanged') return { ...answerMembers, ...response, outcome: 'unchanged', usersCreated: 0 };
  const { version, usersCreated } = outcome;
  return { ...answerMembers, ...response, outcome: 'applied', version, usersCreated };
}

/** The plan that is actually applied, since the realm may have been edited after the first plan. */
function toFilePlan(plan: RealmPlan, previousRealm: StoredRealm | undefined, expectedPlan: FilePlan): FilePlan {
  const { representation: after, conflicts, declared } = plan;
  const before = previousRealm?.representation ?? expectedPlan.before;
  const fileRealm = withBuiltIns(declared.representation, after);
  return {
    ...expectedPlan,
    before,
    after,
    fileRealm,
    conflicts,
    changes: findChanges(REALM_SHAPE, before, after),
    edits: findEdits(fileRealm, after),
  };
}

function invalidSourceError(problems: readonly Problem[], source: PlanSource, { files }: FilePlanParts): AdminError {
  return new AdminError(400, {
    error: 'realm_invalid',
    error_description: `${source.bytes === undefined ? 'The file' : 'The document'} is not applied: nothing is changed`,
    problems: problems.map((problem) => representProblem(problem, source, files)),
  });
}
