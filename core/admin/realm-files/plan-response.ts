import type { RealmRepresentation } from '../../model/representation.js';
import { type Change, findChanges } from '../../realms/comparison/changes.js';
import { describeChange, nameOf } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { withReferences } from '../../realms/comparison/restore-references.js';
import { subjectOf } from '../../realms/comparison/subject.js';
import type { FilePlan } from '../../realms/plan-file.js';
import type { CheckedRealmFile, StoredRealm } from '../../realms/plan-realm.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { RealmDeclaration } from '../../store/store.js';
import { maskFile } from './masked-file.js';

/** Maximum number of listed changes, and of listed edits, per realm. */
const MAX_LISTED = 2_000;

const TEXT = { type: 'string' } as const;
const CHANGE_SCHEMA = {
  type: 'object',
  properties: {
    kind: {
      ...TEXT,
      description: 'List that contains the changed object, such as clients; realm: a setting of the realm.',
    },
    operation: { enum: ['created', 'changed', 'removed'] },
    path: { type: 'array', items: TEXT, description: 'Keys and names that lead to the value.' },
    sentence: TEXT,
    before: { description: 'Absent: created by the change. Secrets are masked; references are not resolved.' },
    after: { description: 'Absent: deleted by the change.' },
    isHidden: {
      type: 'boolean',
      description: 'True: the difference is hidden: a secret, or the value of a reference.',
    },
  },
} as const;
export const PLAN_SCHEMA = {
  type: 'object',
  properties: {
    realm: TEXT,
    version: { type: 'integer', description: 'Version of the live realm; absent if it does not exist.' },
    counts: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: TEXT,
          created: { type: 'integer' },
          changed: { type: 'integer' },
          removed: { type: 'integer' },
        },
      },
    },
    changes: { type: 'array', items: CHANGE_SCHEMA },
    conflicts: {
      type: 'array',
      items: { type: 'object', properties: { path: CHANGE_SCHEMA.properties.path, sentence: TEXT } },
      description: 'Settings that both an edit and the file changed; the file wins.',
    },
    edits: { type: 'array', items: CHANGE_SCHEMA, description: 'Edits that stay.' },
    left: { type: 'integer', description: 'Number of changes and edits that are not listed.' },
  },
} as const;

type Operation = 'created' | 'changed' | 'removed';

/** A plan and the data from which it was computed. */
export interface PlanInput {
  readonly file: CheckedRealmFile;
  readonly previous: StoredRealm | undefined;
  readonly plan: FilePlan;
  /** True for a provider that is enabled in a realm that does not configure it. */
  readonly isEnabledByDefault: (spi: string, id: string) => boolean;
}

/**
 * Describes a plan: counts, followed by each change. Values are shown as a file would contain them, with unresolved
 * references. So masking does not reveal whether a value equals that of a reference.
 */
export function planResponse({ file, previous, plan, isEnabledByDefault }: PlanInput, registry: ProviderRegistry) {
  const { realm } = file.representation;
  const isNew = previous === undefined;
  const declared: RealmDeclaration = {
    representation: file.representation,
    references: file.references.map(({ path, text }) => [path, text]),
    usernames: [],
  };
  const withoutSecrets = (representation: RealmRepresentation, declaration: RealmDeclaration | undefined) =>
    maskFile(
      declaration === undefined ? representation : withReferences(representation as never, declaration),
      registry,
    );
  const before = withoutSecrets(plan.before, previous?.declared);
  const after = withoutSecrets(plan.after, declared);
  const describeAll = (allChanges: readonly Change[], from: unknown, to: unknown) => {
    const visibleChanges = new Map(findChanges(REALM_SHAPE, from, to).map((change) => [keyOf(change), change]));
    return allChanges
      .slice(0, MAX_LISTED)
      .map((change) => changeResponse(change, visibleChanges.get(keyOf(change)), isEnabledByDefault));
  };
  const addedUsers = [
    ...plan.users.map(({ user: { username } }) => createdByFile('users', username, `user ${username} is created`)),
    ...plan.keys.map(({ kid, algorithm }) =>
      createdByFile('keys', kid, `the ${algorithm} key ${kid} is imported from the file`),
    ),
  ];
  const left = Math.max(plan.changes.length - MAX_LISTED, 0) + Math.max(plan.edits.length - MAX_LISTED, 0);
  return {
    realm,
    ...(isNew ? {} : { version: previous.version }),
    counts: countsOf(plan.changes, addedUsers),
    changes: [...describeAll(plan.changes, before, after), ...addedUsers.slice(0, MAX_LISTED)],
    conflicts: plan.conflicts.map((conflict) => ({
      path: conflict.path,
      sentence: `${nameOf(conflict)}: both an edit and the file changed it; the file wins`,
    })),
    edits: describeAll(plan.edits, withoutSecrets(plan.fileRealm, declared), after),
    left: left + Math.max(addedUsers.length - MAX_LISTED, 0),
  };
}

function createdByFile(kind: string, name: string, sentence: string) {
  return { kind, operation: 'created' as const, path: [kind, name], sentence };
}

/**
 * Describes a change.
 * @param visibleChange the same change between masked values; undefined if these are equal
 */
function changeResponse(
  change: Change,
  visibleChange: Change | undefined,
  isEnabledByDefault: PlanInput['isEnabledByDefault'],
) {
  const members = { kind: kindOf(change), operation: operationOf(change), path: change.path };
  if (visibleChange === undefined) return { ...members, sentence: `${nameOf(change)} is changed`, isHidden: true };
  const { before, after } = visibleChange;
  return { ...members, sentence: describeChange(visibleChange, { onByDefault: isEnabledByDefault }), before, after };
}

/** The key of a change. Members of a set have no path of their own, so their value is part of it. */
function keyOf({ path, before, after, of }: Change): string {
  return JSON.stringify(of === 'member' ? [path, before ?? null, after ?? null] : [path]);
}

function kindOf({ path }: Pick<Change, 'path'>): string {
  const { words } = subjectOf(path);
  if (words === '') return 'realm';
  return words.startsWith('mapper "') ? 'protocolMappers' : (path[0] ?? 'realm');
}

function operationOf({ of, before }: Change): Operation {
  if (of !== 'thing') return 'changed';
  return before === undefined ? 'created' : 'removed';
}

/** Counts the created, changed and removed objects. Each object counts once. */
function countsOf(
  allChanges: readonly Change[],
  added: readonly { readonly kind: string; readonly path: readonly string[] }[],
) {
  const counts = new Map<string, Record<Operation, Set<string>>>();
  const count = (kind: string, operation: Operation, name: string) => {
    const kindCounts = counts.get(kind) ?? { created: new Set(), changed: new Set(), removed: new Set() };
    counts.set(kind, kindCounts);
    kindCounts[operation].add(name);
  };
  for (const change of allChanges) {
    const kind = kindOf(change);
    count(kind, operationOf(change), kind === 'realm' ? JSON.stringify(change.path) : subjectOf(change.path).words);
  }
  for (const { kind, path } of added) count(kind, 'created', path.join('/'));
  return [...counts].map(([kind, { created, changed, removed }]) => ({
    kind,
    created: created.size,
    changed: changed.size,
    removed: removed.size,
  }));
}
