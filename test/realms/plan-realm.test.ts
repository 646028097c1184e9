import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import { compileSchema } from '../../core/config/json/schema-check.js';
import { checkRealm } from '../../core/config/realm-file/realm-checks.js';
import { REALM_SCHEMA, SHARED_SCHEMAS } from '../../core/config/realm-file/schema/realm-schema.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { findChanges } from '../../core/realms/comparison/changes.js';
import { REALM_SHAPE } from '../../core/realms/comparison/realm-shape.js';
import { type CheckedRealmFile, planRealm, type StoredRealm } from '../../core/realms/plan-realm.js';

const EXPORT = fileURLToPath(new URL('../../../test/fixtures/keycloak-26-realm-export.json', import.meta.url));
const { users: _, ...exported } = JSON.parse(readFileSync(EXPORT, 'utf8')) as RealmRepresentation;
const ROUNDS = 200;

/** Returns random numbers that are the same in every run (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Members that identify an object, and the realm's name. Mutations leave them alone, because a new value would make it
 * another object.
 */
const IDENTITY_MEMBERS = new Set(['realm', 'id', 'name', 'clientId', 'alias', 'providerId', 'subType', 'containerId']);

/** Changes, removes or repeats something somewhere within the value, a few times. */
function mutate(realm: RealmRepresentation, next: (below: number) => number): RealmRepresentation {
  const mutated = structuredClone(realm);
  for (let times = next(6) + 1; times > 0; times -= 1) mutateWithin(mutated, next);
  return mutated;
}

const fitsSchema = compileSchema(REALM_SCHEMA, { shared: SHARED_SCHEMAS });

/** Returns a mutation that passes the checks of realm files. */
function mutateFile(realm: RealmRepresentation, next: (below: number) => number): RealmRepresentation {
  for (;;) {
    const mutated = mutate(realm, next);
    if (!fitsSchema(mutated)) continue;
    let mistakes = 0;
    checkRealm(mutated, () => {
      mistakes += 1;
    });
    if (mistakes === 0) return mutated;
  }
}

function mutateWithin(value: unknown, next: (below: number) => number): void {
  let holder = value as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(holder).filter((key) => !IDENTITY_MEMBERS.has(key));
    const key = keys[next(keys.length || 1)];
    if (key === undefined) return;
    const member = holder[key];
    if (typeof member === 'object' && member !== null && next(8) > 0) {
      holder = member as Record<string, unknown>;
      continue;
    }
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (typeof member === 'boolean') holder[key] = !member;
    else if (typeof member === 'number') holder[key] = member + 1;
    else if (typeof member === 'string' && next(2) === 0) holder[key] = `${member}x`;
    else if (holder !== value || typeof member !== 'object') delete holder[key];
    return;
  }
}

const checkedFile = (representation: RealmRepresentation, hash: string): CheckedRealmFile => ({
  representation,
  users: [],
  references: [],
  source: { files: [{ path: 'x.json', size: 1, mtimeMs: 1, inode: 1 }], hash },
});

function applyFile(first: RealmRepresentation, previous?: StoredRealm): StoredRealm {
  const { representation, declared } = planRealm(checkedFile(first, 'a'), previous);
  const { source } = checkedFile(first, 'a');
  return { id: 'x', name: 'moved', version: 1, representation, declared, source };
}

/** Returns the paths that differ. Secrets are ignored: a secret that the file does not contain stays as it is. */
const differences = (one: unknown, other: unknown) =>
  findChanges(REALM_SHAPE, one, other)
    .filter(({ of }) => of !== 'secret')
    .map(({ path }) => path.join('/'));

test('realm plans: without edits, a realm becomes what its file says, whatever the file was before', (t) => {
  const next = random(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = mutateFile(exported, next);
    const second = mutateFile(exported, next);
    const plan = planRealm(checkedFile(second, 'b'), applyFile(first));
    t.deepEqual([plan.conflicts, plan.drifted], [[], false], `round ${round}`);
    t.deepEqual(differences(applyFile(second).representation, plan.representation), [], `round ${round}`);
  }
});

test('realm plans: an unchanged file changes nothing, whatever the edits were', (t) => {
  const next = random(2);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = applyFile(mutateFile(exported, next));
    const edited = { ...before, version: 2, representation: mutate(before.representation, next) };
    const plan = planRealm(checkedFile(structuredClone(before.declared?.representation ?? exported), 'b'), edited);
    t.deepEqual([plan.conflicts, plan.effects.removedClients], [[], []], `round ${round}`);
    // AVA's own comparison is far slower, so it only shows the difference.
    if (isDeepStrictEqual(plan.representation, edited.representation)) t.pass();
    else t.deepEqual(plan.representation, edited.representation, `round ${round}`);
  }
});

test('realm plans: edits and another file come to one realm: applied again it changes nothing, and without a conflict both are in it', (t) => {
  const next = random(5);
  let conflicts = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = applyFile(mutateFile(exported, next));
    const edited = { ...before, version: 2, representation: mutate(before.representation, next) };
    const second = mutateFile(before.declared?.representation ?? exported, next);
    const plan = planRealm(checkedFile(second, 'b'), edited);
    conflicts += plan.conflicts.length;
    const after = { ...edited, version: 3, representation: plan.representation, declared: plan.declared };
    const again = planRealm(checkedFile(second, 'c'), after);
    t.deepEqual(again.conflicts, [], `round ${round}`);
    t.deepEqual(differences(plan.representation, again.representation), [], `round ${round}`);
    if (plan.conflicts.length > 0) continue;
    // Members that neither side changed must keep their values: each difference was made by the edits or by the file.
    const made = new Set([
      ...differences(before.representation, edited.representation),
      ...differences(before.representation, applyFile(second, before).representation),
    ]);
    const others = differences(before.representation, plan.representation).filter((path) => !made.has(path));
    t.deepEqual(others, [], `round ${round}`);
  }
  t.true(conflicts > 0);
});
