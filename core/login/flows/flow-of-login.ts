import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { type Execution, flowNamed, flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/**
 * The flow of a login: for a browser login the flow that a client policy has chosen; else the client's own, or the
 * realm's.
 */
export function flowOfLogin(
  realm: Realm,
  client: Client,
  { flow, request }: Pick<HostAuthenticationSession, 'flow' | 'request'>,
): readonly Execution[] {
  const { flow: policyFlow } = request;
  return flow === 'browser' && policyFlow !== undefined
    ? flowNamed(realm, policyFlow.alias)
    : flowOf(realm, client, flow);
}
