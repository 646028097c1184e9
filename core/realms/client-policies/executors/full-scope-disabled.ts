import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** Tokens of a client hold roles of its scope alone. */
export const fullScopeDisabled: ClientPolicyExecutor = {
  id: 'full-scope-disabled',
  helpText: 'Requires clients without full scope. Their tokens contain only the roles of their scope.',
  properties: [autoConfigure(true, '"Full scope allowed" to off')],
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.fullScopeAllowed = false;
    if (client.fullScopeAllowed === false) return;
    throw refusedByPolicy('invalid_registration', 'Not permitted to enable fullScopeAllowed');
  },
};
