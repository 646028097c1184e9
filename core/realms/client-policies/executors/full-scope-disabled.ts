import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Tokens of a client contain only roles of its scope. */
export const fullScopeDisabled: ClientPolicyExecutor = {
  id: 'full-scope-disabled',
  helpText: 'Requires clients without full scope. Their tokens contain only the roles of their scope.',
  properties: [autoConfigure(true, '"Full scope allowed" to off')],
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.fullScopeAllowed = false;
    if (client.fullScopeAllowed === false) return;
    throw policyRefusalError('invalid_registration', 'Not permitted to enable fullScopeAllowed');
  },
};
