import type { RealmRepresentation } from '../../model/representation.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';
import { flowId } from '../authentication/complete-flows.js';
import { mergeTexts } from '../partial-schema.js';

type Overrides = Record<string, string>;

/**
 * A client's `authenticationFlowBindingOverrides` as stored. The realm stores no ID for built-in flows, so the ID that
 * the API shows for one is stored as its alias.
 */
export function storedOverrides(
  realm: RealmRepresentation,
  before: Readonly<Overrides> | undefined,
  sent: Readonly<Record<string, unknown>>,
): Overrides {
  const merged = mergeTexts(before, sent);
  return mapped(
    merged,
    (value) => builtIns(realm).find(({ alias }) => flowId(realm.id ?? '', { alias }) === value)?.alias,
  );
}

/** The overrides as Keycloak shows them: flows by ID, even if the realm stores an alias. */
export function responseOverrides(realm: RealmRepresentation, overrides: Readonly<Overrides> = {}): Overrides {
  return mapped(overrides, (value) => {
    const flow = flowsWithBuiltIns(realm.authenticationFlows).find(({ alias }) => alias === value);
    return flow === undefined ? undefined : flowId(realm.id ?? '', flow);
  });
}

function builtIns({ authenticationFlows }: RealmRepresentation) {
  return flowsWithBuiltIns(authenticationFlows).filter(({ id }) => id === undefined);
}

function mapped(overrides: Readonly<Overrides>, change: (value: string) => string | undefined): Overrides {
  return Object.fromEntries(Object.entries(overrides).map(([binding, value]) => [binding, change(value) ?? value]));
}
