import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Clients must ask users for consent. */
export const consentRequired: ClientPolicyExecutor = {
  id: 'consent-required',
  helpText: 'Requires clients that ask users for consent.',
  properties: [autoConfigure(true, '"Consent required" to on')],
  change({ 'auto-configure': isAuto }, { event, client, sent }) {
    if (isAuto === true) {
      // A new client with consent has no full scope unless the request sets it.
      const isOpen = event === 'REGISTER' && (sent.fullScopeAllowed ?? undefined) === undefined;
      if (isOpen && client.consentRequired !== true) client.fullScopeAllowed = false;
      client.consentRequired = true;
    }
    if (client.consentRequired === true) return;
    throw policyRefusalError('invalid_registration', 'Client is required to enable consentRequired');
  },
};
