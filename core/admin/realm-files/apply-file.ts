import type { Problem } from '../../config/problem.js';
import { applyRealmFile } from '../../realms/apply-realm-file.js';
import { withBuiltIns } from '../../realms/built-ins/built-ins.js';
import { findChanges } from '../../realms/comparison/changes.js';
import { nameOf } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { type FilePlan, planFile } from '../../realms/plan-file.js';
import { edits, type RealmPlan, type StoredRealm } from '../../realms/plan-realm.js';
import { AdminError, badRequest } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { requireAllowedPasswords } from '../users/imported-passwords.js';
import {
  defaultsOf,
  type FilePlanParts,
  type PlanSource,
  problemOfSource,
  refuseRevertOfMaster,
  sourceRealms,
} from './file-plans.js';
import { movedSecrets } from './moved-secrets.js';
import { planResponse } from './plan-response.js';

/** Maximum number of changes in the admin event. */
const RECORDED = 200;

/**
 * Applies a document, or the current file, to a realm. A document counts as an edit: the last state of the file stays
 * remembered, and the file's next change is merged with the edit. Files are not written.
 * @throws AdminError 400 with every mistake and its position, 404, 409
 */
export async function applySource(
  source: PlanSource & { readonly name: string },
  takesBack: boolean,
  tells: AdminCall['setEventDetails'],
  parts: FilePlanParts,
) {
  const { applying, registry, files } = parts;
  if (takesBack) refuseRevertOfMaster(source.name);
  const { realms, problems } = await sourceRealms(source, parts);
  const refuse = (found: readonly Problem[]) => {
    if (found.length > 0) throw refused(found, source, parts);
  };
  refuse(problems);
  const found = realms.find(({ file }) => file.representation.realm === source.name);
  if (found === undefined) throw badRequest(`the document holds no realm "${source.name}"`);
  refuse(found.file.withheld);
  const { document, differsFromFile } = found;
  const file = document === undefined ? files.withSource(found.file) : found.file;
  const told = { ...(differsFromFile === undefined ? {} : { isBeside: differsFromFile }) };
  const onByDefault = defaultsOf(parts);
  const before = await applying.store.realms.withDeclaration(source.name);
  const expected = await planFile(file, before, applying.store, takesBack);
  if (before !== undefined && [expected.changes, expected.users, expected.keys].every(({ length }) => length === 0)) {
    // Nothing would change in the realm. For a file, store only that this version was applied.
    tells({ eventRepresentation: { realm: source.name, changes: [] } });
    if (document === undefined && !takesBack) await applyRealmFile(file, applying);
    const plan = planResponse({ file, previous: before, plan: expected, onByDefault }, registry);
    return { outcome: 'unchanged', usersCreated: 0, ...told, ...plan };
  }
  // The password policy applies to documents, which an admin sends. Files are the operator's.
  const newcomers = document === undefined ? [] : expected.users.map(({ user }) => user);
  await requireAllowedPasswords(parts.passwords, expected.after, newcomers);
  let done: { plan: FilePlan; previous: StoredRealm | undefined } | undefined;
  const outcome = await applyRealmFile(file, applying, {
    revertEdits: takesBack,
    isEdit: document !== undefined,
    onPlanned: (plan, previous) => {
      const { representation: after } = plan;
      const change = { before: previous?.representation, after, stated: file.representation };
      if (document !== undefined) refuse(movedSecrets({ ...change, document }, registry));
      done = { plan: planned(plan, previous, expected), previous };
      tells({
        operationType: previous === undefined ? 'CREATE' : 'UPDATE',
        eventRepresentation: {
          realm: source.name,
          by: document === undefined ? 'file' : 'document',
          takesBack,
          changes: done.plan.changes.slice(0, RECORDED).map(nameOf),
          users: expected.users.length,
        },
      });
    },
  });
  const plan = done?.plan ?? expected;
  const shownRealm = planResponse({ file, previous: done?.previous ?? before, plan, onByDefault }, registry);
  if (outcome.outcome === 'unchanged') return { ...told, ...shownRealm, outcome: 'unchanged', usersCreated: 0 };
  const { version, usersCreated } = outcome;
  return { ...told, ...shownRealm, outcome: 'applied', version, usersCreated };
}

/** The plan that is written: the realm may have been edited since the first plan. */
function planned(plan: RealmPlan, previous: StoredRealm | undefined, expected: FilePlan): FilePlan {
  const { representation: after, conflicts, declared } = plan;
  const before = previous?.representation ?? expected.before;
  const ofFile = withBuiltIns(declared.representation, after);
  return {
    ...expected,
    before,
    after,
    ofFile,
    conflicts,
    changes: findChanges(REALM_SHAPE, before, after),
    edits: edits(ofFile, after),
  };
}

function refused(found: readonly Problem[], source: PlanSource, { files }: FilePlanParts): AdminError {
  return new AdminError(400, {
    error: 'realm_invalid',
    error_description: `${source.bytes === undefined ? 'The file' : 'The document'} is not applied: nothing is changed`,
    problems: found.map((problem) => problemOfSource(problem, source, files)),
  });
}
