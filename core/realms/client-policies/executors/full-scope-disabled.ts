import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** Tokens of a client hold roles of its scope alone. */
export const fullScopeDisabled: ClientPolicyExecutor = {
  id: 'full-scope-disabled',
  helpText: 'Clients have no full scope: their tokens hold the roles of their scope alone.',
  properties: [autoConfigure(true, 'no full scope')],
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.fullScopeAllowed = false;
    if (client.fullScopeAllowed === false) return;
    throw refusedByPolicy('invalid_registration', 'Not permitted to enable fullScopeAllowed');
  },
};
