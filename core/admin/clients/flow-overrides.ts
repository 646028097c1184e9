import type { RealmRepresentation } from '../../model/representation.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';
import { flowId } from '../authentication/complete-flows.js';
import { mergeTexts } from '../partial-schema.js';

type Overrides = Record<string, string>;

/**
 * Returns a client's `authenticationFlowBindingOverrides` as they are stored. The realm stores no ID for built-in
 * flows. So if a request contains the ID that the API returns for a built-in flow, the flow's alias is stored.
 */
export function overridesToStore(
  realm: RealmRepresentation,
  before: Readonly<Overrides> | undefined,
  input: Readonly<Record<string, unknown>>,
): Overrides {
  const mergedOverrides = mergeTexts(before, input);
  return mapOverrides(
    mergedOverrides,
    (value) => builtIns(realm).find(({ alias }) => flowId(realm.id ?? '', { alias }) === value)?.alias,
  );
}

/** Returns the overrides as in Keycloak's API: flows by ID, even if the realm stores an alias. */
export function responseOverrides(realm: RealmRepresentation, overrides: Readonly<Overrides> = {}): Overrides {
  return mapOverrides(overrides, (value) => {
    const flow = flowsWithBuiltIns(realm.authenticationFlows).find(({ alias }) => alias === value);
    return flow === undefined ? undefined : flowId(realm.id ?? '', flow);
  });
}

function builtIns({ authenticationFlows }: RealmRepresentation) {
  return flowsWithBuiltIns(authenticationFlows).filter(({ id }) => id === undefined);
}

function mapOverrides(overrides: Readonly<Overrides>, convert: (value: string) => string | undefined): Overrides {
  return Object.fromEntries(Object.entries(overrides).map(([binding, value]) => [binding, convert(value) ?? value]));
}
