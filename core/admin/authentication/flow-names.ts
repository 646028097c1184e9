import type { RealmRepresentation } from '../../model/representation.js';
import { FLOW_BINDINGS } from '../../realms/flows/flow-checks.js';
import { badRequestError, conflictError } from '../admin.js';
import type { Flow } from './complete-flows.js';

/**
 * Returns the alias if it is not empty and no flow has it.
 * @param conflictMessage the error message if a flow has it
 * @throws AdminError 409
 */
export function requireFreeAlias(
  flows: readonly Flow[],
  alias: string | null | undefined,
  conflictMessage: string,
  action: 'create' | 'update' = 'create',
): string {
  if (alias == null || alias.trim() === '') throw conflictError(`Failed to ${action} flow with empty alias name`);
  if (flows.some((flow) => flow.alias === alias)) throw conflictError(conflictMessage);
  return alias;
}

/**
 * Rejects characters that are reserved in URLs, since the alias of a flow is part of paths.
 * @throws AdminError 400
 */
export function requireNoReservedCharacters(alias: string | null | undefined): void {
  const [reserved] = /[:/?#@[\]!$&()*+,;=\\]/.exec(alias ?? '') ?? [];
  if (reserved !== undefined) throw badRequestError(`Character '${reserved}' not allowed.`);
}

/** The realm member that binds the flow, such as `browserFlow`; undefined if none does. */
export function flowBinding(realm: RealmRepresentation, alias: string): keyof typeof FLOW_BINDINGS | undefined {
  const entries = Object.entries(FLOW_BINDINGS) as [keyof typeof FLOW_BINDINGS, string][];
  return entries.find(([key, builtIn]) => (realm[key] ?? builtIn) === alias)?.[0];
}
